// Package search finds recordings by spoken words: an index of the words of all published recordings, maintained beside
// the database by an indexer, and queries over it.
//
// The index is a prefilter. It yields candidates from postings (package posting) in tables of SQLite or PostgreSQL, and
// the query then evaluates their token files. Recordings whose changes are not in the index yet are evaluated from the
// database, so that a recording can be found as soon as it is published, and cannot be found any more as soon as it is
// deleted. The index can be rebuilt from the database at any time. It contains nothing that is sealed or excluded from
// search.
//
// The package does not interpret queries (package fulltext does) and does not know HTTP.
package search

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"sync"
	"time"

	"parley/internal/call/codec"
	"parley/internal/host/fair"
	"parley/internal/host/health"
	"parley/internal/storage/store"
	"parley/internal/words/fault"
)

// Config configures an Index.
type Config struct {
	Store *store.Store
	Codec *codec.Codec
	URL   string // of the store's database; the index of a SQLite file is a separate file beside it
	Log   *slog.Logger

	Processors *fair.Processors // shared by the accounts; nil: no sharing
}

// Index is an open index. It is safe for concurrent use.
type Index struct {
	Config
	Pulse       health.Pulse // of Run
	engine      engine
	room        *fair.Room    // for queries
	patience    time.Duration // see the constants
	listedFirst int

	mu   sync.Mutex
	open map[string]*generation
}

// engine stores the generations of the index. A generation starts empty and is complete once it is built; a new one is
// built beside the one in use.
type engine interface {
	create(ctx context.Context, name string) error
	// errAbsent if it does not exist in this program's format
	connect(ctx context.Context, name string) (*generation, error)
	keep(ctx context.Context, names []string) error // removes all other generations
	lock(ctx context.Context) (*lease, error)       // nil if another process holds it
	close() error
}

// lease is the right to write, held by one process at a time.
type lease struct {
	writer database                    // nil: a generation's own connection
	renew  func(context.Context) error // shows that the process works; nil: nobody needs to know
	end    func()
}

// database is a pool or one of its connections.
type database interface {
	Tx(ctx context.Context, o *sql.TxOptions, f func(context.Context, *sql.Tx) error) error
}

// errAbsent means that a generation does not exist, or was written by another version of the program.
var errAbsent = errors.New("search: no such generation")

// Open opens the index of a database. It creates nothing; Run does.
func Open(ctx context.Context, c Config) (*Index, error) {
	x := &Index{Config: c, room: fair.NewRoom(queries), patience: patience, listedFirst: listedFirst,
		open: map[string]*generation{}}
	u, err := url.Parse(c.URL)
	if err != nil {
		return nil, fault.New(fault.Invalid, fault.CodeInternal, "the database URL cannot be parsed")
	}
	if u.Scheme == "sqlite" {
		x.engine = newSQLite(u.Path)
		return x, nil
	}
	x.engine, err = newPostgres(c.URL)
	return x, err
}

// Close closes all connections. Call it when no Search and no Run is in progress.
func (x *Index) Close() error {
	var errs []error
	for _, g := range x.open {
		errs = append(errs, g.close())
	}
	x.open = map[string]*generation{}
	return errors.Join(append(errs, x.engine.close())...)
}

// generation returns a connected generation; errAbsent if it does not exist.
func (x *Index) generation(ctx context.Context, name string) (*generation, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if g := x.open[name]; g != nil {
		return g, nil
	}
	g, err := x.engine.connect(ctx, name)
	if err == nil {
		x.open[name] = g
	}
	return g, err
}

// discard disconnects and removes all generations except some.
func (x *Index) discard(ctx context.Context, keep ...string) error {
	x.mu.Lock()
	var old []*generation
	for name, g := range x.open {
		if !slices.Contains(keep, name) {
			old = append(old, g)
			delete(x.open, name)
		}
	}
	x.mu.Unlock()
	var errs []error
	for _, g := range old {
		errs = append(errs, g.close())
	}
	return errors.Join(append(errs, x.engine.keep(ctx, keep))...)
}

func wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("search index: %s: %w", what, err)
}
