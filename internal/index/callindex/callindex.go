// Package callindex keeps the calls of each account in segments (package segment): immutable blobs beside the
// recordings, with a row each in the database. Jobs build and merge them once for all servers; a server that answers
// questions takes the segments that it needs from the blob store and keeps them on its disk.
//
// A Snapshot is what the database has at one moment: the segments in force, without the calls whose revisions have
// tombstones, and the calls that wait for a segment, which are read from the database. So a question sees everything
// that was published before it, and nothing that was deleted, on every server.
//
// The package does not interpret questions (package columnar does).
package callindex

import (
	"context"
	"log/slog"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"parley/internal/call/codec"
	"parley/internal/host/fair"
	"parley/internal/host/health"
	"parley/internal/index/segment"
	"parley/internal/storage/blob"
	"parley/internal/storage/blob/cache"
	"parley/internal/storage/store"
	"parley/internal/words/account"
)

// Config configures an Index.
type Config struct {
	Store *store.Store
	Codec *codec.Codec
	Blobs blob.Store
	// Path returns the file of a blob, for segments that are stored without encryption, because the database beside them
	// is not encrypted either. Nil: segments are encrypted.
	Path   func(blob string) string
	Cache  *cache.Cache    // of encrypted segments; nil if Path is set
	Blocks *segment.Blocks // decrypted parts of segments, in memory; nil if Path is set
	Log    *slog.Logger

	Processors *fair.Processors // shared by the accounts; nil: the index creates its own

	// Purge adds a job to a transaction that deletes blobs later.
	Purge func(tx *store.Tx, blobs []string, at time.Time) error
}

// Index is an open index. It is safe for concurrent use.
type Index struct {
	Config
	Pulse        health.Pulse // of Schedule
	least        int          // waiting calls that are worth a segment
	leastTouched int          // touched calls that are worth new values of segments
	few          int          // waiting calls that a question reads from the database, at most
	together     int          // segments of similar size that are merged
	turn         time.Duration

	jobBlocks *segment.Blocks // of jobs, which read every block once

	mu    sync.Mutex
	desks map[account.ID]*desk

	opened     atomic.Int64 // segments of all desks
	mostOpened int64
}

// jobBlocks is the memory for decrypted parts of segments that jobs read.
const jobBlocks = 16 << 20

// New returns an index.
func New(c Config) *Index {
	if c.Processors == nil {
		c.Processors = fair.NewProcessors(runtime.GOMAXPROCS(0))
	}
	return &Index{Config: c, least: leastBuilt, leastTouched: leastTouched, few: few, together: fewToMerge, turn: turn,
		jobBlocks: segment.NewBlocks(jobBlocks),
		desks:     map[account.ID]*desk{}, mostOpened: mostOpened}
}

// Work runs a function that needs a processor and does not block, in a place of the account. The function calls stop
// frequently, which returns the error that ends the work.
func (x *Index) Work(ctx context.Context, a account.ID, f func(stop func() error) error) error {
	return fair.Work(fair.With(ctx, x.Processors, string(a)), f)
}

// encrypted reports whether segments are encrypted.
func (x *Index) encrypted() bool { return x.Path == nil }
