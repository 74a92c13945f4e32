// Package indextest opens indexes of calls for tests.
package indextest

import (
	"log/slog"
	"testing"
	"time"

	"parley/internal/call/codec"
	"parley/internal/index/callindex"
	"parley/internal/index/segment"
	"parley/internal/storage/blob"
	"parley/internal/storage/blob/cache"
	"parley/internal/storage/blob/disk"
	"parley/internal/storage/store"
)

// Blobs returns a blob store in a new folder.
func Blobs(t testing.TB) *disk.Store {
	t.Helper()
	blobs, err := disk.Open(disk.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { blobs.Close() })
	return blobs
}

// Plain opens the index of a database like a server that keeps both in its data directory.
func Plain(t testing.TB, db *store.Store, blobs *disk.Store) *callindex.Index {
	t.Helper()
	return open(t, callindex.Config{Store: db, Blobs: blobs, Path: blobs.Path})
}

// Encrypted opens the index of a database like one of several servers that share the blobs. Few decrypted blocks stay
// in memory.
func Encrypted(t testing.TB, db *store.Store, blobs blob.Store) *callindex.Index {
	t.Helper()
	copies, err := cache.Open(cache.Config{Dir: t.TempDir(), Size: 1 << 30, Blobs: blobs, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { copies.Close() })
	return open(t, callindex.Config{Store: db, Blobs: blobs, Cache: copies, Blocks: segment.NewBlocks(1 << 20)})
}

func open(t testing.TB, c callindex.Config) *callindex.Index {
	t.Helper()
	var err error
	if c.Codec, err = codec.New(); err != nil {
		t.Fatal(err)
	}
	c.Log = slog.New(slog.DiscardHandler)
	c.Purge = func(*store.Tx, []string, time.Time) error { return nil }
	return callindex.New(c)
}

// CatchUp builds and merges segments until nothing is left to do.
func CatchUp(t testing.TB, x *callindex.Index) {
	t.Helper()
	if err := x.CaughtUp(t.Context(), func(int64) {}); err != nil {
		t.Fatal(err)
	}
}
