// Package columnar answers questions about many calls: statements of the query language, and conditions that are tried
// on stored calls. It stores the calls of each account in segments (package segment): files that can be rebuilt from
// the database at any time. They follow the database by the account's clock, so that an answer includes everything
// published before the question was asked and nothing that was deleted.
//
// Evaluation goes in steps, cheapest first: required words are looked up, conditions on fields are evaluated on
// columns, and only the remaining calls are read and evaluated word by word. It does not use SQL.
//
// The package does not know HTTP, and does not write results.
package columnar

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"parley/internal/call/codec"
	"parley/internal/call/fact"
	"parley/internal/host/fair"
	"parley/internal/host/filelock"
	"parley/internal/host/health"
	"parley/internal/host/memory"
	"parley/internal/index/segment"
	"parley/internal/index/tokenfile"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// Config configures an Index.
type Config struct {
	Store   *store.Store
	Codec   *codec.Codec
	Dir     string // of the segments; exclusive to this process
	Log     *slog.Logger
	Timeout time.Duration // per statement; 0: 30 s
	Count   time.Duration // for counting the total beyond a page; 0: 1 s

	Processors *fair.Processors // shared by the accounts; nil: the index creates its own
}

// Index is an open index. It is safe for concurrent use.
type Index struct {
	Config
	Pulse              health.Pulse              // of Run
	backlogs           atomic.Pointer[[]backlog] // as last read by Run
	questions, exports *fair.Room
	lock               *filelock.Lock

	mu      sync.Mutex
	shelves map[account.ID]*shelf
}

const (
	few      = 2000                   // maximum changes that a question applies itself
	patience = 5 * time.Second        // maximum wait for another goroutine that applies changes
	idle     = 500 * time.Millisecond // polling interval for changes
	batch    = 256                    // items per read
)

// Open returns an index in a folder, which is created if it does not exist.
func Open(c Config) (*Index, error) {
	if c.Timeout == 0 {
		c.Timeout = 30 * time.Second
	}
	if c.Count == 0 {
		c.Count = time.Second
	}
	if c.Processors == nil {
		c.Processors = fair.NewProcessors(runtime.GOMAXPROCS(0))
	}
	x := &Index{Config: c, questions: fair.NewRoom(questions), exports: fair.NewRoom(exports),
		shelves: map[account.ID]*shelf{}}
	for n := 1; ; n++ { // another process with the same data directory uses its own folder
		if n > 1 {
			x.Dir = c.Dir + "-" + strconv.Itoa(n)
		}
		if err := os.MkdirAll(x.Dir, 0o700); err != nil {
			return nil, fmt.Errorf("analytic index: %w", err)
		}
		lock, err := filelock.Try(filepath.Join(x.Dir, "lock"))
		if errors.Is(err, filelock.ErrBusy) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("analytic index: %w", err)
		}
		x.lock = lock
		return x, nil
	}
}

// Close releases the folder. Call it when no question and no Run is in progress.
func (x *Index) Close() error { return x.lock.Close() }

// Run applies published, changed and deleted items until ctx ends, so that questions need not.
func (x *Index) Run(ctx context.Context) {
	tick := time.NewTicker(idle)
	defer tick.Stop()
	for ctx.Err() == nil {
		switch err := x.follow(ctx); {
		case err == nil:
			x.Pulse.Beat()
		case ctx.Err() == nil:
			x.Pulse.Fail(err)
			x.Log.LogAttrs(ctx, slog.LevelWarn, "the analytic index cannot be updated",
				slog.Any("error", err))
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

// follow brings all shelves up to date and merges their segments.
func (x *Index) follow(ctx context.Context) error {
	var clocks []store.AnalyticClock
	var lacking []backlog
	err := x.Store.View(ctx, func(tx *store.Tx) (err error) {
		if clocks, err = tx.AnalyticClocks(); err != nil {
			return err
		}
		lacking, err = x.lacking(tx, clocks)
		return err
	})
	if err != nil {
		return err
	}
	x.backlogs.Store(&lacking)
	for _, c := range clocks {
		err = errors.Join(err, x.takeOver(ctx, x.shelf(c.Account)))
	}
	return errors.Join(err, x.abandon(clocks))
}

// abandon removes the shelves of deleted accounts.
func (x *Index) abandon(clocks []store.AnalyticClock) error {
	there := map[string]bool{}
	for _, c := range clocks {
		there[string(c.Account)] = true
	}
	entries, err := os.ReadDir(x.Dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() && !there[e.Name()] {
			x.mu.Lock()
			delete(x.shelves, account.ID(e.Name()))
			x.mu.Unlock()
			err = errors.Join(err, os.RemoveAll(filepath.Join(x.Dir, e.Name())))
		}
	}
	return err
}

func (x *Index) tidy(ctx context.Context, s *shelf) error {
	for {
		more, err := s.merge(ctx)
		if err != nil || !more {
			return err
		}
	}
}

func (x *Index) shelf(a account.ID) *shelf {
	x.mu.Lock()
	defer x.mu.Unlock()
	s := x.shelves[a]
	if s == nil {
		s = newShelf(a, filepath.Join(x.Dir, string(a)))
		x.shelves[a] = s
	}
	return s
}

// exclusively runs f while no other goroutine updates the shelf.
func (s *shelf) exclusively(ctx context.Context, f func() error) error {
	select {
	case s.busy <- struct{}{}:
		defer func() { <-s.busy }()
		return f()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// errBuilding means that too many changes must be applied first.
var errBuilding = errors.New("analytic index: being built")

// current returns the segments of an account, including everything published up to now. Unavailable while the index is
// being built.
func (x *Index) current(ctx context.Context, a account.ID) ([]*part, error) {
	s := x.shelf(a)
	limited, cancel := context.WithTimeoutCause(ctx, patience, errBuilding)
	defer cancel()
	everybodys := memory.Uncounted(ctx) // the index is shared, so no account is charged
	err := s.exclusively(limited, func() error { return x.update(everybodys, s, few) })
	if errors.Is(err, errBuilding) {
		done, of := s.progress()
		return nil, fault.New(fault.Unavailable, fault.CodeAnalyticIndex,
			"the analytic index is being built: %d of %d recordings are in it; try again later", done, of)
	}
	return s.snapshot(), err
}

// update brings a shelf up to date; if more than `most` items have changed it returns errBuilding, unless most is
// negative.
func (x *Index) update(ctx context.Context, s *shelf, most int64) error {
	if !s.loaded {
		err := s.load(func(path string, err error) {
			x.Log.LogAttrs(ctx, slog.LevelWarn, "a segment of the analytic index is rebuilt",
				slog.String("file", filepath.Base(path)), slog.Any("error", err))
		})
		if err != nil {
			return err
		}
		s.loaded, s.seen = true, store.AnalyticClock{Removals: -1}
	}
	var clock store.AnalyticClock
	var missing []media.ID
	var gone []uuid.UUID
	var expired []media.ID
	var waiting int64
	err := x.Store.View(ctx, func(tx *store.Tx) (err error) {
		if expired, err = tx.ExpiredAnalytic(s.account); err != nil {
			return err
		}
		if clock, err = tx.AnalyticClock(s.account); err != nil {
			return err
		}
		removed, known, err := tx.AnalyticRemovals(s.seen, clock)
		if err != nil {
			return err
		}
		if !known || clock.Change < s.seen.Change { // after a start, a long time, or another state of the database
			x.Log.LogAttrs(ctx, slog.LevelDebug, "comparing the analytic index with all recordings of the account",
				slog.String("account", string(s.account)))
			missing, gone, err = s.compare(tx)
			waiting = int64(len(missing))
			return err
		}
		expired = append(expired, removed...)
		if clock.Change != s.seen.Change {
			waiting, err = tx.CountAnalytic(s.account, s.seen.Change)
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, m := range expired {
		if id, err := uuid.Parse(string(m)); err == nil {
			gone = append(gone, id)
		}
	}
	s.forget(gone)
	s.begin(waiting)
	if most >= 0 && waiting > most {
		return errBuilding
	}
	if missing != nil {
		err = x.fetch(ctx, s, missing)
	} else if waiting > 0 {
		err = x.catchUp(ctx, s)
	}
	if err == nil {
		s.seen = clock
		s.taken.Store(&clock)
	}
	return err
}

// backlog is how many changes of an account were not on its shelf at a clock.
type backlog struct {
	clock store.AnalyticClock
	items int64
}

// lacking counts the changes that are not on the shelves.
func (x *Index) lacking(tx *store.Tx, clocks []store.AnalyticClock) (all []backlog, err error) {
	for _, c := range clocks {
		b := backlog{clock: c}
		if taken := x.shelf(c.Account).taken.Load(); taken != nil && taken.Change < c.Change {
			if b.items, err = tx.CountAnalytic(c.Account, taken.Change); err != nil {
				return nil, err
			}
		}
		all = append(all, b)
	}
	return all, nil
}

// Waiting returns the number of changes that were not on the shelves when Run last checked, without those that are by
// now; for shelves that are being loaded, the number of missing items.
func (x *Index) Waiting() (waiting int64) {
	backlogs := x.backlogs.Load()
	if backlogs == nil {
		return 0
	}
	for _, b := range *backlogs {
		s := x.shelf(b.clock.Account)
		switch taken := s.taken.Load(); {
		case taken == nil:
			done, of := s.progress()
			waiting += of - done
		case taken.Change < b.clock.Change:
			waiting += b.items
		}
	}
	return waiting
}

func (s *shelf) begin(waiting int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done = int64(len(s.where))
	s.of = s.done + waiting
}

// fetch applies items by id.
func (x *Index) fetch(ctx context.Context, s *shelf, ids []media.ID) error {
	var b segment.Builder
	for some := range slices.Chunk(ids, batch) {
		items, err := store.Read(ctx, x.Store, func(tx *store.Tx) ([]store.Analytic, error) {
			return tx.AnalyticOf(s.account, some)
		})
		if err != nil {
			return err
		}
		if err := x.take(ctx, s, &b, items); err != nil {
			return err
		}
	}
	return x.flush(s, &b)
}

// catchUp applies items in the order of their changes.
func (x *Index) catchUp(ctx context.Context, s *shelf) error {
	var b segment.Builder
	for after := s.seen.Change; ; {
		items, err := store.Read(ctx, x.Store, func(tx *store.Tx) ([]store.Analytic, error) {
			return tx.AnalyticChanges(s.account, after, batch)
		})
		if err != nil {
			return err
		}
		if err := x.take(ctx, s, &b, items); err != nil {
			return err
		}
		if len(items) < batch {
			return x.flush(s, &b)
		}
		after = items[len(items)-1].Change
	}
}

// take adds items to a builder, and flushes it when it is full.
func (x *Index) take(ctx context.Context, s *shelf, b *segment.Builder, items []store.Analytic) error {
	drafts := make([]*segment.Draft, len(items))
	group, limited := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range items {
		group.Go(func() error {
			return x.work(limited, s.account, func(stop) error {
				d, err := Draft(x.Codec, &items[i])
				if err != nil { // an unreadable item has no words; it must not block the others
					x.Log.LogAttrs(ctx, slog.LevelError, "a recording cannot be analysed",
						slog.String("media", string(items[i].Media.ID)), slog.Any("error", err))
				}
				drafts[i] = d
				return nil
			})
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for _, d := range drafts {
		if d == nil {
			continue
		}
		if err := b.Add(d); err != nil {
			continue // an invalid id
		}
		if b.Len() == segment.MaxCalls {
			if err := x.flush(s, b); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush adds the segment of a builder to the shelf, and empties the builder.
func (x *Index) flush(s *shelf, b *segment.Builder) error {
	if b.Len() == 0 {
		return nil
	}
	p, err := s.build(b)
	if err != nil {
		return err
	}
	s.add(p)
	x.Pulse.Beat()
	s.mu.Lock()
	s.done += int64(b.Len())
	s.mu.Unlock()
	*b = segment.Builder{}
	return nil
}

// Draft converts an item to the form that a segment stores.
func Draft(codec *codec.Codec, item *store.Analytic) (*segment.Draft, error) {
	open, err := codec.DecodeResult(item.Result)
	if err != nil {
		return nil, err
	}
	call := fact.Call{Media: &item.Media, Transcript: open.Transcript, Findings: open.Findings}
	return &segment.Draft{
		ID: item.Media.ID, Change: item.Change, Indexed: item.Indexed,
		Words: tokenfile.Of(open.Transcript, "", ""), Values: fact.Of(&call),
	}, nil
}
