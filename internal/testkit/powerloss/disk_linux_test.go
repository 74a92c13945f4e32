package powerloss_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"parley/internal/host/durable"
	"parley/internal/testkit/powerloss"
)

func mount(t *testing.T) (*powerloss.Disk, string) {
	t.Helper()
	if err := powerloss.Supported(); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	d, err := powerloss.Mount(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Unmount(); err != nil {
			t.Error(err)
		}
	})
	return d, dir
}

func check(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func TestADiskIsAFileSystemAndItsTraceLeadsToItsFiles(t *testing.T) {
	d, dir := mount(t)
	in := func(names ...string) string { return filepath.Join(append([]string{dir}, names...)...) }
	big := bytes.Repeat([]byte("0123456789"), 40_000)
	check(t, os.Mkdir(in("d"), 0o700), os.Mkdir(in("empty"), 0o700), os.WriteFile(in("d", "big"), big, 0o600),
		os.WriteFile(in("gone"), big, 0o600), os.WriteFile(in("old"), []byte("replaced"), 0o600),
		os.Rename(in("d", "big"), in("old")), os.Link(in("old"), in("d", "second")), os.Truncate(in("old"), 15),
		os.Remove(in("gone")), os.Remove(in("empty")))
	if err := os.Remove(in("d")); !errors.Is(err, syscall.ENOTEMPTY) {
		t.Errorf("a folder with a file is removed: %v", err)
	}
	f, err := os.OpenFile(in("d", "second"), os.O_APPEND|os.O_WRONLY, 0)
	check(t, err)
	_, err = f.WriteString("end")
	check(t, err, f.Close())
	trace := d.Trace()
	left := trace.After(powerloss.Loss{Instant: len(trace), Names: powerloss.All, Data: powerloss.All})
	copied := t.TempDir()
	check(t, left.WriteTo(copied, time.Unix(1, 0)))
	for _, at := range []string{dir, copied} {
		for _, path := range []string{"old", "d/second"} {
			if data, err := os.ReadFile(filepath.Join(at, path)); string(data) != "012345678901234end" {
				t.Errorf("%s has %q, %v", path, data, err)
			}
		}
		if entries, err := os.ReadDir(at); len(entries) != 2 {
			t.Errorf("%v, %v", entries, err)
		}
	}
}

func TestAFullDiskTakesNothing(t *testing.T) {
	d, dir := mount(t)
	path := filepath.Join(dir, "a")
	check(t, os.WriteFile(path, []byte("x"), 0o600))
	d.Fill(true)
	for what, err := range map[string]error{"write": os.WriteFile(path, []byte("y"), 0o600),
		"create": os.WriteFile(path+"b", nil, 0o600), "mkdir": os.Mkdir(path+"c", 0o700)} {
		if !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s: %v", what, err)
		}
	}
	d.Fill(false)
	check(t, os.WriteFile(path, []byte("y"), 0o600))
}

func TestALossOfPowerLosesWhatWasNotSynced(t *testing.T) {
	d, dir := mount(t)
	write := func(name string, sync bool) {
		f, err := os.Create(filepath.Join(dir, name))
		check(t, err)
		_, err = f.WriteString(name)
		check(t, err)
		if sync {
			check(t, f.Sync(), durable.Folder(dir))
		}
		check(t, f.Close())
	}
	write("synced", true)
	write("not", false)
	trace := d.Trace()
	left := trace.After(powerloss.Loss{Instant: len(trace), Names: powerloss.None, Data: powerloss.None})
	if data, there := left.Read("synced"); !there || string(data) != "synced" {
		t.Errorf("what was synced is %q, %v", data, there)
	}
	if _, there := left.Read("not"); there {
		t.Error("what was not synced is there")
	}
}
