// Package durable makes changes of file names survive a crash of the machine.
//
// The contents of a file are the responsibility of its writer.
package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Folder syncs the entries of a folder: files that were created, renamed or removed in it.
func Folder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// MakeFolders creates a folder and its missing parents. It also syncs the name of a folder that exists, since its
// creator may not have synced it yet.
func MakeFolders(path string) error {
	err := MakeFolder(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := MakeFolders(filepath.Dir(path)); err != nil {
			return err
		}
		err = MakeFolder(path)
	}
	return err
}

// MakeFolder is MakeFolders for a folder whose parent exists. It succeeds if another process has just created it.
func MakeFolder(path string) error {
	path = filepath.Clean(path)
	err := os.Mkdir(path, 0o700)
	if err == nil {
		return Folder(filepath.Dir(path))
	}
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	if info, err := os.Stat(path); err != nil {
		return err
	} else if !info.IsDir() {
		return &fs.PathError{Op: "open", Path: path, Err: syscall.ENOTDIR}
	}
	if err := Folder(filepath.Dir(path)); !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil // who may not list the parent is not who created the folder
}
