package search

import (
	"context"
	"database/sql"
	"encoding/hex"
	"slices"
	"sync"

	"github.com/google/uuid"

	"parley/internal/storage/sqldb"
	"parley/internal/storage/sqlrow"
	"parley/internal/words/media"
)

// generation is one index: numbered accounts and words, and for each call its postings and its token file. Call numbers
// rise with creation time.
type generation struct {
	postgres    bool
	prefix      string // of the table names
	read, write *sqldb.DB
	own         bool // whether the generation owns the connections
	blockSize   int  // of postings, in bytes

	clean    bool              // whether the writer knows that nothing needs purging
	using    sync.RWMutex      // held by readers; close waits for them
	words    sync.RWMutex      // held to change known, and by goroutines other than the writer to read it
	known    map[string]uint32 // word numbers cached by the writer
	complete bool              // whether known holds all words
}

func (g *generation) close() error {
	g.using.Lock()
	defer g.using.Unlock()
	if !g.own {
		return nil
	}
	g.read.Close()
	return g.write.Close()
}

// slotBits is the number of bits of a call's number below the milliseconds: the next bits of its id or, if that number
// is taken, the next free one.
const slotBits = 15

// number returns the preferred number of a call, ignoring collisions.
func number(id media.ID) int64 {
	u, err := uuid.Parse(string(id))
	if err != nil {
		return 0
	}
	ms, slot := int64(0), int64(u[6]&0x0f)<<11|int64(u[7])<<3|int64(u[8]&0x3f)>>3
	for _, b := range u[:6] {
		ms = ms<<8 | int64(b)
	}
	return ms<<slotBits | slot
}

// moment returns the range of numbers of calls created in the same millisecond.
func moment(n int64) (first, last int64) {
	return n >> slotBits << slotBits, n | (1<<slotBits - 1)
}

// key returns the stored form of a media id.
func key(id media.ID) []byte {
	u, err := uuid.Parse(string(id))
	if err != nil {
		return nil
	}
	return u[:]
}

func idOf(key []byte) media.ID {
	u, err := uuid.FromBytes(key)
	if err != nil {
		return media.ID(hex.EncodeToString(key))
	}
	return media.ID(u.String())
}

// table returns the full name of one of the generation's tables.
func (g *generation) table(name string) string { return g.prefix + name }

// snapshot is a consistent view of a generation for a query of one account.
type snapshot struct {
	ctx     context.Context
	g       *generation
	tx      *sql.Tx
	account int64 // 0: the account has no calls in the index
}

func (s *snapshot) query(query string, args ...any) sqlrow.Rows {
	return sqlrow.Of(s.tx.QueryContext(s.ctx, query, args...))
}

// view runs f on a snapshot.
func (g *generation) view(ctx context.Context, account string, f func(*snapshot) error) error {
	g.using.RLock()
	defer g.using.RUnlock()
	options := &sql.TxOptions{ReadOnly: true}
	if g.postgres {
		options.Isolation = sql.LevelRepeatableRead
	}
	var failed error // of f, which is returned as it is
	err := g.read.Tx(sqldb.Patient(ctx, longest), options, func(ctx context.Context, tx *sql.Tx) error {
		if g.postgres { // PostgreSQL does not know the decompression cost, and would prefer a full scan to the index
			if _, err := tx.ExecContext(ctx, `SET LOCAL enable_seqscan = off`); err != nil {
				return err
			}
		}
		s := &snapshot{ctx: ctx, g: g, tx: tx}
		err := tx.QueryRowContext(ctx, `SELECT id FROM `+g.table("account")+` WHERE name = $1`, account).Scan(&s.account)
		if err != nil && err != sql.ErrNoRows {
			return err
		}
		failed = f(s)
		return failed
	})
	if failed != nil {
		return failed
	}
	return wrap("begin", err)
}

// count returns the number of calls.
func (g *generation) count(ctx context.Context) (n int64, err error) {
	g.using.RLock()
	defer g.using.RUnlock()
	err = g.read.Row(ctx, `SELECT COUNT(*) FROM `+g.table("call"), nil, &n)
	return n, wrap("count", err)
}

// there returns which of the given calls are in the index.
func (g *generation) there(ctx context.Context, ids []media.ID) (map[media.ID]bool, error) {
	g.using.RLock()
	defer g.using.RUnlock()
	var found map[media.ID]bool
	err := g.read.Tx(ctx, nil, func(ctx context.Context, tx *sql.Tx) (err error) {
		found, err = g.among(ctx, tx, ids)
		return err
	})
	return found, err
}

// among returns which of the given calls are in the generation.
func (g *generation) among(ctx context.Context, in *sql.Tx, ids []media.ID) (map[media.ID]bool, error) {
	found := map[media.ID]bool{}
	for some := range slices.Chunk(ids, 100) { // with more parameters, SQLite's cost per parameter rises
		names, args := list(some, nil)
		rows, err := in.QueryContext(ctx, `SELECT media FROM `+g.table("call")+` WHERE media IN (`+names+`)`, args...)
		for row := range sqlrow.Of(rows, err).Each {
			id, err := sqlrow.Cell[[]byte](row)
			if err != nil {
				return nil, wrap("look up calls", err)
			}
			found[idOf(id)] = true
		}
	}
	return found, nil
}
