//go:build unix

package filelock_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"parley/internal/host/filelock"
)

func TestOneHoldsALockOfAFileOrFolder(t *testing.T) {
	for name, path := range map[string]string{"file": filepath.Join(t.TempDir(), "new"), "folder": t.TempDir()} {
		t.Run(name, func(t *testing.T) {
			first := try(t, path)
			if _, err := filelock.Try(path); !errors.Is(err, filelock.ErrBusy) {
				t.Errorf("a second one: %v, want ErrBusy", err)
			}
			held(t, path, true)
			first.Close()
			held(t, path, false)
			try(t, path).Close()
		})
	}
}

func TestALockThatIsMissingIsHeldByNobodyAndNotMade(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none")
	held(t, path, false)
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("asking has made it: %v", err)
	}
	if _, err := filelock.Try(filepath.Join(path, "below")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a lock in a folder that is missing: %v", err)
	}
}

func TestWhoWaitsGetsTheLockWhenItIsFree(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first := try(t, path)
	got := make(chan error)
	for range 3 {
		go func() {
			l, err := filelock.Wait(t.Context(), path)
			if err == nil {
				err = l.Close()
			}
			got <- err
		}()
	}
	first.Close()
	for range 3 {
		if err := <-got; err != nil {
			t.Error(err)
		}
	}
}

func TestWhoWaitsNoLongerGetsNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	defer try(t, path).Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := filelock.Wait(ctx, path)
	if !errors.Is(err, filelock.ErrBusy) || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want ErrBusy and the end of the context", err)
	}
}

func TestTheLockOfAKilledProcessIsFree(t *testing.T) {
	if path := os.Getenv("FILELOCK_CHILD"); path != "" {
		try(t, path)
		os.Stdout.WriteString("held\n")
		select {}
	}
	path := filepath.Join(t.TempDir(), "lock")
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), "FILELOCK_CHILD="+path)
	out, err := child.StdoutPipe()
	if err == nil {
		err = child.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	held(t, path, true)
	child.Process.Kill()
	child.Wait()
	held(t, path, false)
}

func try(t *testing.T, path string) *filelock.Lock {
	t.Helper()
	l, err := filelock.Try(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func held(t *testing.T, path string, want bool) {
	t.Helper()
	got, err := filelock.Held(path)
	if err != nil || got != want {
		t.Errorf("held %v, %v; want %v", got, err, want)
	}
}
