package server

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"parley/internal/host/durable"
	"parley/internal/host/filelock"
	"parley/internal/host/scratch"
	"parley/internal/operation/config"
	"parley/internal/storage/blob"
	"parley/internal/storage/blob/disk"
	"parley/internal/storage/blob/s3"
	"parley/internal/storage/store"
	"parley/internal/words/cipher"
	"parley/internal/words/fault"
)

// MakeStore opens the database, creates it if it does not exist, and migrates it. Only servers use it; see OpenStore.
func MakeStore(ctx context.Context, s config.Storage) (*store.Store, error) {
	if s.SQLite() {
		if err := durable.MakeFolders(s.Dir); err != nil {
			return nil, fmt.Errorf("data directory: %w", err)
		}
	}
	return openStore(ctx, s, store.Open)
}

// OpenStore opens an existing database and migrates it. Commands use it, so that they cannot create a database by
// accident.
func OpenStore(ctx context.Context, s config.Storage) (*store.Store, error) {
	db, err := openStore(ctx, s, store.OpenExisting)
	switch {
	case !fault.Is(err, fault.NotFound):
		return db, err
	case !s.SQLite():
		return nil, errors.New("the database that --database names has no tables of parley; name another one, or create " +
			"them with parley serve or parley migrate --create")
	case strings.HasSuffix(s.Database, "://"+s.DatabaseFile()):
		return nil, fmt.Errorf("no database in %s; name the data directory with --data, or create one with parley serve",
			s.Dir)
	}
	return nil, fmt.Errorf("no database in %s; name another file with --database, or create one with parley serve",
		strings.TrimPrefix(s.Database, "sqlite://"))
}

func openStore(
	ctx context.Context, s config.Storage, open func(context.Context, store.Config) (*store.Store, error),
) (*store.Store, error) {
	keys, err := StorageKeys(s)
	if err != nil {
		return nil, err
	}
	db, err := open(ctx, store.Config{URL: s.Database, StorageKeys: keys})
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	if err := db.Migrate(ctx); err != nil {
		db.Close()
		return nil, fmt.Errorf("migrate the database: %w", err)
	}
	return db, nil
}

// StorageKeys reads the file of storage keys; nil without one.
func StorageKeys(s config.Storage) (*cipher.Ring, error) {
	if s.StorageKeyFile == "" {
		return nil, nil
	}
	text, err := os.ReadFile(s.StorageKeyFile)
	if err != nil {
		return nil, fmt.Errorf("--storage-key-file: %w; create one with parley storage-key make", err)
	}
	keys, err := cipher.ParseRing(text)
	if err != nil {
		return nil, fmt.Errorf("--storage-key-file %s: %w", s.StorageKeyFile, err)
	}
	return keys, nil
}

// OpenBlobs opens the blob store, and returns a function that closes it.
func OpenBlobs(ctx context.Context, s config.Storage, reserve uint64) (blob.Store, func() error, error) {
	if s.Blobs != "" {
		store, err := s3.Open(s.Blobs)
		return store, func() error { return nil }, err
	}
	store, err := disk.Open(disk.Config{Dir: s.BlobDir(), Reserve: reserve})
	if err != nil {
		return nil, nil, err
	}
	return store, store.Close, nil
}

// lockPatience is how long a start waits for the lock: a server that was just killed may have left a forked child
// process that still holds it.
const lockPatience = 5 * time.Second

// lockDir locks a data directory for this process's workers; the lock is released when the process ends.
func lockDir(ctx context.Context, dir string) (*filelock.Lock, error) {
	ctx, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	held, err := filelock.Wait(ctx, filepath.Join(dir, "lock"))
	switch {
	case errors.Is(err, filelock.ErrBusy):
		return nil, fmt.Errorf("another server uses %s; stop it, or choose another folder with --data", dir)
	case err != nil:
		return nil, fmt.Errorf("lock the data directory: %w", err)
	}
	return held, nil
}

// newTemp creates this process's folder of temporary files in dir, and removes those of processes that have died.
func newTemp(dir string) (*scratch.Folder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	return scratch.New(dir)
}
