package bench

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"parley/internal/call/codec"
	"parley/internal/index/callindex"
	"parley/internal/index/columnar"
	"parley/internal/index/segment"
	"parley/internal/storage/blob"
	"parley/internal/storage/blob/cache"
	"parley/internal/storage/blob/s3"
	"parley/internal/storage/job"
	"parley/internal/storage/store"
)

// sharedNode is what a server has of the index of calls, with its own connections to the database and to S3.
type sharedNode struct {
	db               *store.Store
	database, bucket *line
	blobs            *countedBlobs
	segments         *callindex.Index
	columnar         *columnar.Index
	copies           string // folder, removed by close

	mu      sync.Mutex
	marks   []mark
	closing []func() error
}

// sharedNodeConfig describes a server.
type sharedNodeConfig struct {
	name   string        // unique
	delay  time.Duration // of each request to S3
	copies int64         // bytes of segments on its disk
	blocks int64         // bytes of decrypted parts of segments in memory
}

// measuring is how long a question may take: longer than in a server, to tell how long it takes.
const measuring = 10 * time.Minute

// mark is what a server had used when it had stored a blob, or when it put a change in force that removes blobs.
type mark struct {
	at      time.Time
	work    time.Duration // processor time of this process
	removes bool
	size    int64 // of the blob that was stored
	traffic Traffic
}

// node starts a server. After an error, nothing is open.
func (b Shared) node(ctx context.Context, codec *codec.Codec, c sharedNodeConfig) (n *sharedNode, err error) {
	n = &sharedNode{copies: filepath.Join(b.Dir, c.name)}
	defer func() {
		if err != nil {
			n.close()
		}
	}()
	n.later(func() error { return os.RemoveAll(n.copies) })
	var database, bucket string
	if n.database, database, err = lineToDatabase(b.URL); err != nil {
		return nil, err
	}
	n.later(func() error { n.database.close(); return nil })
	if n.bucket, bucket, err = lineToBucket(b.Bucket, c.delay); err != nil {
		return nil, err
	}
	n.later(func() error { n.bucket.close(); return nil })
	if n.db, err = store.OpenExisting(ctx, store.Config{URL: database}); err != nil {
		return nil, err
	}
	n.later(n.db.Close)
	objects, err := s3.Open(bucket)
	if err != nil {
		return nil, err
	}
	n.blobs = &countedBlobs{Store: objects, stored: func(size int64) { n.mark(size, false) }}
	log := slog.New(slog.DiscardHandler)
	kept, err := cache.Open(cache.Config{Dir: n.copies, Size: c.copies, Blobs: n.blobs, Log: log})
	if err != nil {
		return nil, err
	}
	n.later(kept.Close)
	remove := deleteAtOnce(ctx, n.blobs)
	n.segments = callindex.New(callindex.Config{Store: n.db, Codec: codec, Blobs: n.blobs, Cache: kept,
		Blocks: segment.NewBlocks(c.blocks), Log: log,
		Purge: func(tx *store.Tx, blobs []string, at time.Time) error {
			n.mark(0, true)
			return remove(tx, blobs, at)
		}})
	n.columnar = columnar.New(columnar.Config{Store: n.db, Codec: codec, Calls: n.segments, Timeout: measuring})
	return n, nil
}

func (n *sharedNode) later(f func() error) { n.closing = append(n.closing, f) }

// close stops the server.
func (n *sharedNode) close() (err error) {
	for i := len(n.closing) - 1; i >= 0; i-- {
		err = errors.Join(err, n.closing[i]())
	}
	return err
}

// mark notes what has been used.
func (n *sharedNode) mark(size int64, removes bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.marks = append(n.marks, mark{time.Now(), ProcessorTime(), removes, size, n.traffic()})
}

// traffic returns what has passed the connections of the server.
func (n *sharedNode) traffic() Traffic {
	return Traffic{Database: n.database.received.Load(), Read: n.bucket.received.Load(), Written: n.bucket.sent.Load(),
		Requests: n.blobs.requests.Load()}
}

// run builds and merges segments until ctx ends.
func (n *sharedNode) run(ctx context.Context, name string) {
	var running sync.WaitGroup
	running.Go(func() { n.segments.Schedule(ctx) })
	runner := job.NewRunner(n.db.Queue(), job.Config{Worker: name, Workers: 1, PerLane: 1, Log: n.segments.Log,
		Handlers: map[string]job.Handler{callindex.Kind: n.segments.Handle}})
	runner.Run(ctx)
	running.Wait()
}

// Traffic is what passes between a server and what it shares with others.
type Traffic struct {
	Database int64 // bytes read from the database
	Read     int64 // bytes read from S3
	Written  int64 // bytes sent to S3
	Requests int64 // to S3
}

func (t Traffic) plus(o Traffic) Traffic {
	return Traffic{t.Database + o.Database, t.Read + o.Read, t.Written + o.Written, t.Requests + o.Requests}
}

func (t Traffic) minus(o Traffic) Traffic {
	return Traffic{t.Database - o.Database, t.Read - o.Read, t.Written - o.Written, t.Requests - o.Requests}
}

// countedBlobs counts the requests to a blob store, and the segments that are stored there.
type countedBlobs struct {
	blob.Store
	requests atomic.Int64
	segments atomic.Int64 // stored
	bytes    atomic.Int64 // of these
	stored   func(size int64)
}

// Put implements blob.Store.
func (c *countedBlobs) Put(ctx context.Context, key string, r io.Reader) (int64, error) {
	c.requests.Add(1)
	size, err := c.Store.Put(ctx, key, r)
	if err == nil && strings.HasPrefix(key, callindex.Family+"/") {
		c.segments.Add(1)
		c.bytes.Add(size)
		c.stored(size)
	}
	return size, err
}

// Open implements blob.Store.
func (c *countedBlobs) Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	c.requests.Add(1)
	return c.Store.Open(ctx, key, offset, length)
}

// Stat implements blob.Store.
func (c *countedBlobs) Stat(ctx context.Context, key string) (blob.Info, error) {
	c.requests.Add(1)
	return c.Store.Stat(ctx, key)
}

// Delete implements blob.Store.
func (c *countedBlobs) Delete(ctx context.Context, key string) error {
	c.requests.Add(1)
	return c.Store.Delete(ctx, key)
}
