package bench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"

	"parley/internal/account"
	"parley/internal/corpus"
	"parley/internal/media"
	"parley/internal/record"
	"parley/internal/result"
	"parley/internal/search"
	"parley/internal/search/fulltext"
	"parley/internal/store"
)

// Search says how to measure the search: over generated calls in a database that has nothing else.
type Search struct {
	URL     string // of the database, for store.Open
	Dir     string // where its files are, for their size; empty: not known
	Calls   int
	Words   int // a call
	Queries int // of each kind
}

// SearchFound is what came of it.
type SearchFound struct {
	Load, Index   time.Duration // until the calls were in the database, and from then until all were in the index
	Work          time.Duration // processor time of Index, which other programs on the machine do not change much
	Database, Own int64         // bytes on the disk of the database's files and of the index's
	Kinds         []QueryFound
}

// QueryFound is what came of one kind of query.
type QueryFound struct {
	Kind, Example string
	Found         int // on the first page of the example
	Median, P95   time.Duration
	Work          time.Duration // processor time of one, on average
}

// page is what a first page asks for: one more than the default, to know whether there is a next.
const page = 101

// Run stores the calls, indexes them as a rebuild does, and asks for first pages, the newest first. progress is told what is
// done from time to time.
func (b Search) Run(ctx context.Context, progress func(what string, done, total int64)) (f SearchFound, err error) {
	db, codec, err := openDatabase(ctx, b.URL)
	if err != nil {
		return f, err
	}
	defer db.Close()
	index, err := search.Open(ctx, search.Config{Store: db, Codec: codec, URL: b.URL, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return f, err
	}
	defer index.Close()
	calls := corpus.New(corpus.Config{Words: b.Words})
	began := time.Now()
	owner, err := b.load(ctx, db, codec, calls, progress)
	if err != nil {
		return f, err
	}
	f.Load = time.Since(began)
	before := processorTime()
	if f.Index, err = b.index(ctx, index, progress); err != nil {
		return f, err
	}
	f.Work = processorTime() - before
	f.Database, f.Own = b.sizes()
	for _, k := range b.kinds(calls) {
		found, err := b.ask(ctx, index, owner, k)
		if err != nil {
			return f, err
		}
		f.Kinds = append(f.Kinds, found)
	}
	return f, nil
}

// openDatabase opens a database with all tables, and what reads its records.
func openDatabase(ctx context.Context, url string) (*store.Store, *record.Codec, error) {
	codec, err := record.New()
	if err != nil {
		return nil, nil, err
	}
	db, err := store.Open(ctx, store.Config{URL: url})
	if err != nil {
		return nil, nil, err
	}
	if err := db.Migrate(ctx); err != nil {
		db.Close()
		return nil, nil, err
	}
	return db, codec, nil
}

// load stores the calls as finished recordings of a new account.
func (b Search) load(ctx context.Context, db *store.Store, codec *record.Codec, calls *corpus.Corpus, progress func(string, int64, int64)) (owner account.ID, err error) {
	err = db.Update(ctx, func(tx *store.Tx) error {
		there, err := tx.Accounts()
		if err == nil && len(there) > 0 {
			err = errors.New("the database is in use; name one that is empty")
		}
		if err != nil {
			return err
		}
		a, err := tx.CreateAccount(account.DefaultName)
		owner = a.ID
		return err
	})
	const batch = 250
	for first := 0; first < b.Calls && err == nil; first += batch {
		made := make([]corpus.Call, min(batch, b.Calls-first))
		results := make([][]byte, len(made))
		var group errgroup.Group
		group.SetLimit(runtime.GOMAXPROCS(0))
		for i := range made {
			group.Go(func() error {
				made[i] = calls.Call(first + i)
				results[i] = codec.EncodeResult(&result.Open{Transcript: made[i].Transcript})
				return ctx.Err()
			})
		}
		if err = group.Wait(); err == nil {
			err = db.Update(ctx, func(tx *store.Tx) error { return insert(tx, owner, made, results) })
		}
		progress("storing calls", int64(first+len(made)), int64(b.Calls))
	}
	return owner, err
}

func insert(tx *store.Tx, owner account.ID, calls []corpus.Call, results [][]byte) error {
	for i, c := range calls {
		metadata, err := media.ParseMetadata(c.Metadata)
		if err != nil {
			return err
		}
		m, err := tx.InsertMedia(media.Media{ID: c.ID, Account: owner, Status: media.Finished, Metadata: metadata, Length: c.Transcript.Length}, nil, nil)
		if err != nil {
			return err
		}
		if err := tx.PutResult(m.ID, store.Result{Version: 1, Result: results[i]}); err != nil {
			return err
		}
		if err := tx.SetSearchable(m.ID, true); err != nil {
			return err
		}
	}
	return nil
}

// index runs the indexer until it has everything.
func (b Search) index(ctx context.Context, index *search.Index, progress func(string, int64, int64)) (time.Duration, error) {
	running, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	began := time.Now()
	go func() {
		index.Run(running)
		close(ended)
	}()
	err := index.CaughtUp(ctx, func(s search.Status) { progress("indexing", s.Recordings-s.Waiting, s.Recordings) })
	took := time.Since(began)
	stop()
	<-ended
	return took, err
}

// sizes are the bytes of the database's and the index's files.
func (b Search) sizes() (database, index int64) {
	if b.Dir == "" {
		return 0, 0
	}
	filepath.WalkDir(b.Dir, func(path string, entry fs.DirEntry, err error) error {
		info, err := entry.Info()
		if err != nil || info.IsDir() {
			return nil
		}
		if matched, _ := filepath.Match("*-search-*", entry.Name()); matched {
			index += info.Size()
		} else {
			database += info.Size()
		}
		return nil
	})
	return database, index
}

// processorTime is what this process has used so far, on all processors.
func processorTime() time.Duration {
	var used unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// kind is a kind of query: its name and its n-th text.
type kind struct {
	name string
	text func(n int) string
}

func (b Search) kinds(c *corpus.Corpus) []kind {
	rare := func(n int) string { return c.Word(corpus.Vocabulary/4 + n*97%(corpus.Vocabulary/2)) }
	return []kind{
		{"common word", func(n int) string { return c.Word(n % 150) }},
		{"rare word", rare},
		{"common and rare word", func(n int) string { return c.Word(n%150) + " " + rare(n) }},
		{"common phrase", func(n int) string {
			return `"` + []string{"thank you for calling", "may I have your order number", "cancel my account"}[n%3] + `"`
		}},
		{"rare phrase", func(n int) string { return `"` + c.Word(300+n) + " " + c.Word(200+7*n%300) + `"` }},
		{"phrase of common words", func(n int) string {
			return fmt.Sprintf(`"%s %s %s"`, c.Word(n%40), c.Word((n*7+3)%40), c.Word((n*13+5)%40))
		}},
		{"beginning of words", func(n int) string { return rare(n)[:4] + "*" }},
		{"title", func(n int) string {
			return []string{`title:"billing dispute"`, "title:warranty", "title:praise order"}[n%3]
		}},
		{"one title", func(n int) string { return fmt.Sprint("title:", 100_000+n*7919%b.Calls) }},
		{"nothing", func(n int) string { return c.Word(n%50) + " notaword" + fmt.Sprint(n) }},
	}
}

func (b Search) ask(ctx context.Context, index *search.Index, owner account.ID, k kind) (QueryFound, error) {
	f := QueryFound{Kind: k.name, Example: k.text(0)}
	times := make([]time.Duration, b.Queries)
	before := processorTime()
	for n := range times {
		q, err := fulltext.Parse(k.text(n))
		if err != nil {
			return f, err
		}
		began := time.Now()
		found, err := index.Search(ctx, owner, q, store.MediaFilter{Limit: page})
		if err != nil {
			return f, err
		}
		if times[n] = time.Since(began); n == 0 {
			f.Found = len(found)
		}
	}
	f.Work = (processorTime() - before) / time.Duration(b.Queries)
	slices.Sort(times)
	f.Median, f.P95 = times[len(times)/2], times[len(times)*95/100]
	return f, nil
}
