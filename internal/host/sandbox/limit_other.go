//go:build unix && !linux

package sandbox

import (
	"os"
	"os/exec"
	"syscall"
)

func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func (Limits) apply(int) error { return nil }

func awaitExit(int) bool { return false }

func onSpawner(f func() error) error { return f() }

// Readable returns true: children run as the same user.
func Readable(*os.File) bool { return true }

// Main does nothing where children are not confined.
func Main() {}

// MainBy does nothing where children are not confined.
func MainBy(string) {}

func startConfined(cmd *exec.Cmd, limits Limits) error {
	limits.Access.Trusted = true
	return Start(cmd, limits)
}

func removeScratch(*exec.Cmd) {}
