//go:build unix && !linux

package sandbox

// Supported returns the zero Support: nothing is available.
func Supported() Support { return Support{} }
