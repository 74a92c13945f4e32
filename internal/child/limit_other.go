//go:build unix && !linux

package child

import "syscall"

func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func (Limits) apply(int) error { return nil }

func awaitExit(int) bool { return false }

func onSpawner(f func() error) error { return f() }
