package bench

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"math"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"parley/internal/analysis/talk"
	"parley/internal/call/codec"
	"parley/internal/call/result"
	"parley/internal/index/callindex"
	"parley/internal/index/columnar"
	"parley/internal/index/segment"
	"parley/internal/lab/corpus"
	"parley/internal/storage/blob"
	"parley/internal/storage/blob/cache"
	"parley/internal/storage/blob/disk"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// Generated describes the generated calls of a benchmark and where to store them.
type Generated struct {
	URL   string // of an empty database, for store.Open
	Dir   string // for files, including those of SQLite; must be empty
	Calls int
	Words int // per call
}

// Progress is called from time to time with the current step and its progress.
type Progress func(what string, done, total int64)

// Open opens the database, creates its tables, and returns it with the codec of its records.
func (g Generated) Open(ctx context.Context) (*store.Store, *codec.Codec, error) {
	codec, err := codec.New()
	if err != nil {
		return nil, nil, err
	}
	db, err := store.Open(ctx, store.Config{URL: g.URL})
	if err != nil {
		return nil, nil, err
	}
	if err := db.Migrate(ctx); err != nil {
		db.Close()
		return nil, nil, err
	}
	return db, codec, nil
}

// Store saves the calls as finished recordings of a new account. publish runs in the same transaction and makes each
// call searchable.
func (g Generated) Store(
	ctx context.Context, db *store.Store, codec *codec.Codec, calls *corpus.Corpus,
	publish func(*store.Tx, *media.Media) error, progress Progress,
) (owner account.ID, err error) {
	err = db.Update(ctx, func(tx *store.Tx) error {
		there, err := tx.Accounts()
		if err == nil && len(there) > 0 {
			err = errors.New("the database is not empty; name an empty one")
		}
		if err != nil {
			return err
		}
		a, err := tx.CreateAccount(account.DefaultName)
		owner = a.ID
		return err
	})
	if err == nil {
		err = g.add(ctx, db, codec, calls, owner, 0, g.Calls, publish, progress)
	}
	return owner, err
}

// add saves calls from a number on as finished recordings of an account.
func (g Generated) add(
	ctx context.Context, db *store.Store, codec *codec.Codec, calls *corpus.Corpus, owner account.ID, from, number int,
	publish func(*store.Tx, *media.Media) error, progress Progress,
) (err error) {
	const batch = 250
	for first := 0; first < number && err == nil; first += batch {
		made := make([]corpus.Call, min(batch, number-first))
		results := make([][]byte, len(made))
		var group errgroup.Group
		group.SetLimit(runtime.GOMAXPROCS(0))
		for i := range made {
			group.Go(func() error {
				made[i] = calls.Call(from + first + i)
				results[i] = codec.EncodeResult(&result.Open{Transcript: made[i].Transcript,
					Findings: measured(from + first + i)})
				return ctx.Err()
			})
		}
		if err = group.Wait(); err == nil {
			err = db.Update(ctx, func(tx *store.Tx) error { return insert(tx, owner, made, results, publish) })
		}
		progress("storing calls", int64(first+len(made)), int64(number))
	}
	return err
}

// measured returns the findings of call n, which are metrics.
func measured(n int) result.Findings {
	mood := math.Round(100*math.Sin(float64(n))) / 100
	return result.Findings{Metrics: []talk.Group{{Metrics: []talk.Metric{
		{Name: "call-sentiment", Value: mood}, {Name: "overtalk-ratio", Value: mood * mood / 4},
		{Name: "silence-ratio", Value: (1 - mood) / 4},
	}}}}
}

func insert(
	tx *store.Tx, owner account.ID, calls []corpus.Call, results [][]byte, publish func(*store.Tx, *media.Media) error,
) error {
	for i, c := range calls {
		metadata, err := media.ParseMetadata(c.Metadata)
		if err != nil {
			return err
		}
		m, err := tx.InsertMedia(media.Media{ID: c.ID, Account: owner, Status: media.Finished, Metadata: metadata,
			Length: c.Transcript.Length}, nil, nil)
		if err != nil {
			return err
		}
		if err := tx.PutResult(m.ID, store.Result{Version: 1, Result: results[i]}); err != nil {
			return err
		}
		if err := publish(tx, &m); err != nil {
			return err
		}
	}
	return nil
}

// Segments opens the index of calls like a server: with SQLite it is not encrypted.
func (g Generated) Segments(
	ctx context.Context, db *store.Store, codec *codec.Codec, blobs *disk.Store, copies string,
) (x *callindex.Index, closing func() error, err error) {
	c := callindex.Config{Store: db, Codec: codec, Blobs: blobs, Log: slog.New(slog.DiscardHandler),
		Purge: deleteAtOnce(ctx, blobs)}
	if strings.HasPrefix(g.URL, "sqlite:") {
		c.Path = blobs.Path
		return callindex.New(c), func() error { return nil }, nil
	}
	c.Blocks = segment.NewBlocks(256 << 20)
	c.Cache, err = cache.Open(cache.Config{Dir: filepath.Join(g.Dir, copies), Size: 1 << 40, Blobs: blobs})
	if err != nil {
		return nil, nil, err
	}
	return callindex.New(c), c.Cache.Close, nil
}

// deleteAtOnce deletes the blobs of replaced segments: nobody asks anything meanwhile.
func deleteAtOnce(ctx context.Context, blobs blob.Store) func(*store.Tx, []string, time.Time) error {
	return func(_ *store.Tx, keys []string, _ time.Time) (err error) {
		for _, key := range keys {
			err = errors.Join(err, blobs.Delete(ctx, key))
		}
		return err
	}
}

// Indexed is a database with the generated calls, which are in segments.
type Indexed struct {
	DB       *store.Store
	Codec    *codec.Codec
	Blobs    *disk.Store
	Segments *callindex.Index
	Calls    *corpus.Corpus
	Owner    account.ID

	Load, Index time.Duration // time to store the calls, and to write them into segments after that
	Work        time.Duration // CPU time of Index, which depends little on other programs on the machine

	closing []func() error
}

// Close closes the database.
func (x *Indexed) Close() (err error) {
	for _, f := range slices.Backward(x.closing) {
		err = errors.Join(err, f())
	}
	return err
}

// Index stores the calls as Store does, and writes them into segments. After an error, nothing is open.
func (g Generated) Index(ctx context.Context, calls *corpus.Corpus, publish func(*store.Tx, *media.Media) error,
	progress Progress) (x *Indexed, err error) {
	x = &Indexed{Calls: calls}
	defer func() {
		if err != nil {
			x.Close()
		}
	}()
	if x.DB, x.Codec, err = g.Open(ctx); err != nil {
		return nil, err
	}
	x.closing = append(x.closing, x.DB.Close)
	if x.Blobs, err = disk.Open(disk.Config{Dir: g.Dir}); err != nil {
		return nil, err
	}
	x.closing = append(x.closing, x.Blobs.Close)
	var closing func() error
	if x.Segments, closing, err = g.Segments(ctx, x.DB, x.Codec, x.Blobs, "index"); err != nil {
		return nil, err
	}
	x.closing = append(x.closing, closing)
	began := time.Now()
	if x.Owner, err = g.Store(ctx, x.DB, x.Codec, calls, publish, progress); err != nil {
		return nil, err
	}
	x.Load, began = time.Since(began), time.Now()
	before := ProcessorTime()
	err = x.Segments.CaughtUp(ctx, func(waiting int64) {
		progress("writing segments", int64(g.Calls)-waiting, int64(g.Calls))
	})
	x.Index, x.Work = time.Since(began), ProcessorTime()-before
	debug.FreeOSMemory() // exclude the memory of storing from measurements
	return x, err
}

// Columnar returns an index that answers questions.
func (x *Indexed) Columnar() *columnar.Index {
	return columnar.New(columnar.Config{Store: x.DB, Codec: x.Codec, Calls: x.Segments})
}

// Size returns the total size in bytes of the files whose names match a pattern.
func (g Generated) Size(pattern string) (sum int64) {
	filepath.WalkDir(g.Dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return nil
		}
		if matched, _ := filepath.Match(pattern, entry.Name()); !matched {
			return nil
		}
		if info, err := entry.Info(); err == nil {
			sum += info.Size()
		}
		return nil
	})
	return sum
}
