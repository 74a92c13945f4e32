package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"parley/internal/operation/backup"
	"parley/internal/operation/config"
	"parley/internal/operation/server"
	"parley/internal/storage/store"
)

type backupCommand struct {
	config.StorageFlags
	File  string `arg:"" help:"File to write, such as parley.tar.zst. It contains everything, including recordings and the hashes of tokens: protect it like the data directory." type:"path"`
	Force bool   `help:"Replace the file if it exists."`
}

// Run writes the backup under a temporary name, and renames it when it is complete and durable.
func (c *backupCommand) Run(ctx context.Context) error {
	storage, err := storageOf(c.StorageFlags)
	if err != nil {
		return err
	}
	if err := c.refuse(storage); err != nil {
		return err
	}
	return withStore(ctx, c.StorageFlags, func(db *store.Store) error {
		blobs, closeBlobs, err := server.OpenBlobs(ctx, storage, 0)
		if err != nil {
			return err
		}
		defer closeBlobs()
		return c.write(ctx, backup.Source{Store: db, Blobs: blobs, Temp: filepath.Dir(c.File), Program: version})
	})
}

// refuse detects problems before anything is written.
func (c *backupCommand) refuse(storage config.Storage) error {
	if !storage.SQLite() {
		return errors.New(`backup copies SQLite databases only. With PostgreSQL, first save the database with
  pg_dump --format=custom --file=parley.dump <database URL>
and then copy the recordings: the bucket with your provider's tools (versioning, aws s3 sync), or the folder blobs of the data directory with rsync.
In this order, every recording that the dump refers to is in the copy, apart from those deleted meanwhile`)
	}
	return vacant(c.File, c.Force)
}

func (c *backupCommand) write(ctx context.Context, source backup.Source) error {
	shown := newBar(os.Stderr, filepath.Base(c.File))
	var m backup.Manifest
	err := writeFile(c.File, c.Force, func(w io.Writer) (err error) {
		buffered := bufio.NewWriterSize(w, 1<<20)
		m, err = backup.Write(ctx, buffered, source, func(done, total int64) {
			shown.Set(percent(done, total), "copying")
		})
		if err == nil {
			err = buffered.Flush()
		}
		return err
	})
	if err != nil {
		shown.Done("failed")
		return err
	}
	shown.Done(contents(m))
	return nil
}

// contents describes the content of a backup.
func contents(m backup.Manifest) string {
	text := fmt.Sprintf("%s, %s; database %s", many(m.Blobs, "recording"), bytesText(m.Bytes), bytesText(m.Database))
	if m.Missing > 0 {
		text += fmt.Sprintf("; not in storage: %s (deleted meanwhile, or lost before)", many(m.Missing, "recording"))
	}
	return text
}

// restoreCommand unpacks a backup.
type restoreCommand struct {
	File string `arg:"" help:"File written by parley backup." type:"existingfile"`
	Data string `help:"New data directory; it must be empty or not exist." required:"" placeholder:"DIR" type:"path"`
}

// Run builds the data directory next to its final place, verifies it, and moves it there.
func (c *restoreCommand) Run(ctx context.Context) error {
	f, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	folder, err := backup.NewFolder(c.Data)
	if err != nil {
		return err
	}
	defer folder.Discard()
	shown := newBar(os.Stderr, filepath.Base(c.File))
	m, err := unpack(ctx, &counting{f, 0, func(n int64) {
		shown.Set(percent(n, info.Size()), "unpacking")
	}}, folder.Dir)
	if err == nil {
		err = folder.Publish()
	}
	if err != nil {
		shown.Done("failed; nothing was restored")
		return err
	}
	shown.Done(contents(m))
	fmt.Printf("Backup of %s, made by parley %s. Serve it with:\n  parley serve --data %s\n",
		m.Created.Local().Format("2006-01-02 15:04:05"), m.Program, c.Data)
	return nil
}

// unpack unpacks the content of a data directory.
func unpack(ctx context.Context, r io.Reader, dir string) (backup.Manifest, error) {
	storage := config.Storage{Dir: dir}
	blobs, closeBlobs, err := server.OpenBlobs(ctx, storage, 0)
	if err != nil {
		return backup.Manifest{}, err
	}
	m, err := backup.Read(ctx, r, backup.Target{Database: filepath.Join(dir, "parley.db"), Blobs: blobs, Temp: dir})
	return m, errors.Join(err, closeBlobs())
}

func percent(done, total int64) int { return int(100 * float64(done) / float64(max(total, 1))) }

// bytesText formats a number of bytes.
func bytesText(n int64) string {
	const units = "kMGTPE"
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	value, unit := float64(n)/1000, 0
	for value >= 999.5 && unit < len(units)-1 {
		value, unit = value/1000, unit+1
	}
	return fmt.Sprintf("%.3g %cB", value, units[unit])
}
