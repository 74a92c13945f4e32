//go:build unix && !linux

package sandbox

// Supported reports that there is nothing.
func Supported() Support { return Support{} }
