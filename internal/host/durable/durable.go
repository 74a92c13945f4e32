// Package durable keeps names of files through a crash of the machine.
//
// What is in a file is made durable by whoever writes it.
package durable

import "os"

// Folder makes durable which names a folder has: files that were made, renamed or removed in it.
func Folder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
