// Package durable makes changes of file names survive a crash of the machine.
//
// The contents of a file are the responsibility of its writer.
package durable

import "os"

// Folder syncs the entries of a folder: files that were created, renamed or removed in it.
func Folder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
