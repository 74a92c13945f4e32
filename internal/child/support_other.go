//go:build unix && !linux

package child

// Supported reports that there is nothing.
func Supported() Support { return Support{} }
