package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"parley/internal/host/durable"
	"parley/internal/operation/config"
	"parley/internal/operation/server"
	"parley/internal/storage/store"
	"parley/internal/words/cipher"
	"parley/internal/words/fault"
)

// storageKeyCommand manages the storage keys of an operator.
type storageKeyCommand struct {
	Make   storageKeyMake   `cmd:"" help:"Create a key file, or add a new key to one."`
	List   storageKeyList   `cmd:"" help:"List the storage keys of the file, and how many keys of recordings each encrypts."`
	Rewrap storageKeyRewrap `cmd:"" help:"Encrypt all keys of recordings with the first storage key of the file; servers may run meanwhile."`
}

type storageKeyMake struct {
	File string `arg:"" help:"File to write. If you lose it, you lose all recordings: keep a copy separate from the backups." type:"path"`
	Add  string `help:"Add a new key to an existing file: first (it encrypts from the next start on) or last (it only decrypts, until all servers have it)." enum:"first,last," default:"" placeholder:"PLACE"`
}

const storageKeyHead = "# Storage keys of parley: the first one wraps, all unwrap. See docs/encryption.md.\n"

// Run writes the file and prints the id of the new key.
func (c *storageKeyMake) Run() error {
	line := cipher.NewStorageKey() + "\n"
	made, err := cipher.ParseRing([]byte(line))
	if err != nil {
		return err
	}
	if c.Add == "" {
		err = c.create(storageKeyHead + line)
	} else {
		err = c.add(line)
	}
	if err == nil {
		fmt.Println(made.IDs()[0])
	}
	return err
}

func (c *storageKeyMake) create(text string) error {
	f, err := os.OpenFile(c.File, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists; choose another name, or add a key to it with --add first or --add last", c.File)
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Sync(), f.Close(), durable.Folder(filepath.Dir(c.File)))
}

// add atomically replaces the file with one that contains another key.
func (c *storageKeyMake) add(line string) error {
	old, err := os.ReadFile(c.File)
	if err != nil {
		return err
	}
	if _, err := cipher.ParseRing(old); err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	text := storageKeyHead + line + string(bytes.TrimPrefix(old, []byte(storageKeyHead)))
	if c.Add == "last" {
		text = string(bytes.TrimRight(old, "\n")) + "\n" + line
	}
	return writeFile(c.File, true, verbatim([]byte(text)))
}

type storageKeyList struct {
	config.StorageFlags
	printing
}

func (c *storageKeyList) Run(ctx context.Context) error {
	storage, err := storageOf(c.StorageFlags)
	if err != nil {
		return err
	}
	keys, err := server.StorageKeys(storage)
	if err != nil {
		return err
	}
	return withStore(ctx, c.StorageFlags, func(db *store.Store) error {
		kept, err := store.Read(ctx, db, (*store.Tx).KeysKept)
		if err != nil {
			return err
		}
		return local(c.printing, storageKeyLines(keys.IDs(), kept), storageKeyRows)
	})
}

type storageKeyLine struct {
	ID    string `json:"storageKey"` // empty: keys of recordings that are not encrypted
	State string `json:"state"`
	Kept  int64  `json:"keysKept"`
}

// storageKeyLines lists the keys of the file in its order, then other keys in use.
func storageKeyLines(ids []string, kept map[string]int64) (lines []storageKeyLine) {
	for i, id := range ids {
		state := "unwraps"
		if i == 0 {
			state = "wraps"
		}
		lines = append(lines, storageKeyLine{id, state, kept[id]})
	}
	for _, id := range slices.Sorted(maps.Keys(kept)) {
		if id != "" && !slices.Contains(ids, id) {
			lines = append(lines, storageKeyLine{id, "missing", kept[id]})
		}
	}
	return append(lines, storageKeyLine{"", "as they are", kept[""]})
}

func storageKeyRows(lines []storageKeyLine) [][]any {
	row := func(l storageKeyLine) []any { return []any{cmp.Or(l.ID, "none"), l.State, l.Kept} }
	return rowsOf(lines, row, "STORAGE KEY", "STATE", "KEYS KEPT")
}

type storageKeyRewrap struct{ config.StorageFlags }

// Run wraps all keys of recordings with the current storage key.
func (c *storageKeyRewrap) Run(ctx context.Context) error {
	return withStore(ctx, c.StorageFlags, func(db *store.Store) error {
		n, err := db.Rewrap(ctx)
		if err != nil {
			return err
		}
		fmt.Printf("encrypted with the first storage key: %s\n", many(n, "key"))
		// Earlier versions of rows contain the keys as they were wrapped before.
		if err := db.Scrub(ctx); !fault.Is(err, fault.Unavailable) {
			return err
		}
		return nil // a server is reading, and will do it within a minute
	})
}
