//go:build unix && !linux

package sandbox

// usageOf returns unknown usage on this system.
func usageOf(int) usage { return usage{} }
