package durable_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"parley/internal/host/durable"
	"parley/internal/testkit/powerloss"
)

func TestFoldersThatAreMadeSurviveALossOfPower(t *testing.T) {
	if err := powerloss.Supported(); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	disk, err := powerloss.Mount(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := disk.Unmount(); err != nil {
			t.Error(err)
		}
	})
	for path, create := range map[string]func(string) error{
		"new/with/parents": func(string) error { return nil },
		"found":            func(path string) error { return os.Mkdir(path, 0o700) }, // by another process, without a sync
	} {
		whole := filepath.Join(dir, path)
		if err := errors.Join(create(whole), durable.MakeFolders(whole+"/"),
			os.WriteFile(filepath.Join(whole, "file"), nil, 0o600), durable.Folder(whole)); err != nil {
			t.Fatal(err)
		}
		trace := disk.Trace()
		lost := powerloss.Loss{Instant: len(trace), Names: powerloss.None, Data: powerloss.None}
		if _, there := trace.After(lost).Read(path + "/file"); !there {
			t.Errorf("%s is gone", path)
		}
	}
	if err := durable.MakeFolders(filepath.Join(dir, "found", "file")); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file counts as a folder: %v", err)
	}
}
