// Package search finds recordings by what was said in them: an index of the words of all published
// recordings, kept beside the database by an indexer, and queries over it.
//
// The index is a prefilter. It names candidates, by postings (package posting) in tables of SQLite or PostgreSQL; the
// query itself judges their token files. What the index has not taken over yet is judged from the database, so
// that a recording is found from the moment it is published and not any more from the moment it is deleted.
// The index can be built again from the database at any time. It holds nothing that is sealed or not to be searched.
//
// The package does not know what a query means (package fulltext does) and decides nothing about HTTP.
package search

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"sync"
	"time"

	"parley/internal/call/codec"
	"parley/internal/host/fair"
	"parley/internal/host/health"
	"parley/internal/storage/store"
	"parley/internal/words/fault"
)

// Config is what an Index is made of.
type Config struct {
	Store *store.Store
	Codec *codec.Codec
	URL   string // of the store's database; the index of a SQLite file is a file beside it
	Log   *slog.Logger

	Processors *fair.Processors // shared by the accounts; nil: nobody waits
}

// Index is an opened index. It may be used by many goroutines.
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

// engine is where generations of the index are kept. A generation is an index that was begun empty and has, once it is
// built, everything; a new one is built beside the one in use.
type engine interface {
	create(ctx context.Context, name string) error
	// errAbsent when it is not there as this program writes it
	connect(ctx context.Context, name string) (*generation, error)
	keep(ctx context.Context, names []string) error // removes all others
	lock(ctx context.Context) (*lease, error)       // nil when another process has it
	close() error
}

// lease is the right to write, which one process has at a time.
type lease struct {
	writer beginner // nil: a generation's own connection
	end    func()
}

// beginner is *sql.DB or *sql.Conn.
type beginner interface {
	BeginTx(ctx context.Context, o *sql.TxOptions) (*sql.Tx, error)
}

// errAbsent says that a generation is not there, or was written by another version of the program.
var errAbsent = errors.New("search: no such generation")

// Open opens the index of a database. It makes nothing; Run does.
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

// Close ends all connections. It is called when no Search and no Run is under way.
func (x *Index) Close() error {
	var errs []error
	for _, g := range x.open {
		errs = append(errs, g.close())
	}
	x.open = map[string]*generation{}
	return errors.Join(append(errs, x.engine.close())...)
}

// generation returns a connected generation; errAbsent when it is not there.
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

// discard disconnects all generations but some, and removes them.
func (x *Index) discard(ctx context.Context, keep ...string) error {
	x.mu.Lock()
	var old []*generation
	for name, g := range x.open {
		if !among(keep, name) {
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

func among(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

func wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("search index: %s: %w", what, err)
}
