package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"parley/internal/host/durable"
)

// The one rule for files that commands write: a file with other contents is replaced only with --force, even if it was
// created meanwhile, and a name never refers to a partial file.

// vacant refuses a path that exists, before the contents are made at some cost.
func vacant(path string, force bool) error {
	if _, err := os.Lstat(path); err == nil && !force {
		return fmt.Errorf("%s exists; give --force to replace it", path)
	}
	return nil
}

// writeFile writes a file that only its owner can read.
func writeFile(path string, force bool, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := errors.Join(write(f), f.Sync(), f.Close()); err != nil {
		return err
	}
	return publish(f.Name(), path, force)
}

// verbatim writes bytes that are in memory, for writeFile.
func verbatim(body []byte) func(io.Writer) error {
	return func(w io.Writer) error { _, err := w.Write(body); return err }
}

// publish moves a complete file to its name.
func publish(temp, path string, force bool) error {
	if !force {
		switch err := os.Link(temp, path); { // unlike Rename, Link never replaces a file
		case err == nil:
			return errors.Join(os.Remove(temp), durable.Folder(filepath.Dir(path)))
		case sameContents(temp, path):
			return os.Remove(temp)
		}
		if err := vacant(path, false); err != nil {
			return err
		}
	}
	return errors.Join(os.Rename(temp, path), durable.Folder(filepath.Dir(path)))
}

// sameContents reports whether two files can be read and have the same bytes.
func sameContents(a, b string) bool {
	one, err := os.Open(a)
	if err != nil {
		return false
	}
	defer one.Close()
	other, err := os.Open(b)
	if err != nil {
		return false
	}
	defer other.Close()
	mine, theirs := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, ended := io.ReadFull(one, mine)
		m, _ := io.ReadFull(other, theirs)
		if !bytes.Equal(mine[:n], theirs[:m]) {
			return false
		}
		if ended != nil {
			return errors.Is(ended, io.EOF) || errors.Is(ended, io.ErrUnexpectedEOF)
		}
	}
}
