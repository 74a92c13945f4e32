// Package powerloss records what programs write to a file system, and builds the states in which a loss of power can
// leave its files at any instant.
//
// Mount serves a file system from memory, through FUSE, so it sees the writes of every program, whatever library it
// uses: SQLite's as well as Go's. Trace.After builds the files of an instant from the recorded operations.
//
// # What a loss of power leaves
//
// The model promises no more than POSIX does:
//
//   - What a file held when it was last synced is there. Each page (4096 bytes) or sector (512 bytes) that was written
//     later is there or not, in any order. A lost page is what it was before, or zeros if the file has grown.
//   - A name that was created, renamed or removed is so if its folder was synced afterwards; otherwise it is so or not.
//     The sync of a file does not make its name durable.
//   - A rename never loses a file: either nothing has happened, or the new name is there. If only the new name's folder
//     was synced, the old name may be there too.
//
// Real file systems promise more: ext4 and XFS write names in their order, and the sync of any file writes all names
// before it (mood Journal). What holds in this model holds there. Out of scope: sectors that are torn themselves,
// disks that lose what they have confirmed, and errors of sync.
//
// # Who may use a disk
//
// Not the process that serves it, if it maps files into memory, as SQLite does: a page fault blocks a thread without the
// scheduler's knowledge, and with the garbage collector waiting for it nobody serves the page.
package powerloss

import (
	"bufio"
	"compress/gzip"
	"encoding/gob"
	"errors"
	"os"
)

// Kind is a kind of operation.
type Kind uint8

// The kinds.
const (
	Write    Kind = iota + 1 // Data at Offset of File
	Truncate                 // File to Offset bytes
	Sync                     // of a file or a folder
	Create                   // Name in Dir for File, a new file
	Mkdir                    // Name in Dir for File, a new folder
	Link                     // Name in Dir for File, which has other names
	Unlink                   // Name in Dir, of a file or an empty folder
	Rename                   // Name in Dir, which is File, to To in ToDir
)

// Op is one operation. Files and folders have numbers; that of the root is Root.
type Op struct {
	Kind       Kind
	File       int64
	Dir, ToDir int64
	Name, To   string
	Offset     int64
	Data       []byte
}

// Root is the number of the root folder.
const Root = 1

// Trace is the operations on a file system that was empty, in their order.
type Trace []Op

// Save writes a trace to a file.
func (t Trace) Save(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	z, err := gzip.NewWriterLevel(f, gzip.BestSpeed)
	if err == nil {
		err = errors.Join(gob.NewEncoder(z).Encode(t), z.Close())
	}
	return errors.Join(err, f.Close())
}

// Load reads a saved trace.
func Load(path string) (t Trace, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(bufio.NewReader(f))
	if err != nil {
		return nil, err
	}
	return t, gob.NewDecoder(z).Decode(&t)
}
