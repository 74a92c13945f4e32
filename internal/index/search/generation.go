package search

import (
	"context"
	"database/sql"
	"encoding/hex"
	"slices"
	"sync"

	"github.com/google/uuid"

	"parley/internal/words/media"
)

// generation is one index: numbered accounts and words, and for each call its postings and its token file.
// The number of a call rises with the time at which it was created.
type generation struct {
	postgres    bool
	prefix      string // of the names of tables
	read, write *sql.DB
	own         bool // whether the connections are the generation's own
	blockSize   int  // of postings, in bytes

	clean    bool              // whether nothing is to be purged, as far as the writer knows
	using    sync.RWMutex      // held by readers, so that close waits for them
	words    sync.RWMutex      // held to change known, and by others than the writer to read it
	known    map[string]uint32 // words whose numbers the writer remembers
	complete bool              // whether these are all that there are
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

// Bits of a call's number: milliseconds, and within one of them the further bits of its id, or where those are taken
// the next that are free.
const slotBits = 15

// number returns where the number of a call lies, or would lie if nothing else lay there.
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

// moment returns the range of numbers of the calls that were created in the same millisecond.
func moment(n int64) (first, last int64) {
	return n >> slotBits << slotBits, n | (1<<slotBits - 1)
}

// key is a media id as it is stored.
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

// table is the name of one of the generation's tables.
func (g *generation) table(name string) string { return g.prefix + name }

// snapshot is a consistent view of a generation for one account's query.
type snapshot struct {
	ctx     context.Context
	g       *generation
	tx      *sql.Tx
	account int64 // 0: nothing of the account is there
}

// view runs f on a snapshot.
func (g *generation) view(ctx context.Context, account string, f func(*snapshot) error) error {
	g.using.RLock()
	defer g.using.RUnlock()
	options := &sql.TxOptions{ReadOnly: true}
	if g.postgres {
		options.Isolation = sql.LevelRepeatableRead
	}
	tx, err := g.read.BeginTx(ctx, options)
	if err != nil {
		return wrap("begin", err)
	}
	defer tx.Rollback()
	if g.postgres { // it does not know what unpacking words costs, and would rather read all of them than the index
		if _, err := tx.ExecContext(ctx, `SET LOCAL enable_seqscan = off`); err != nil {
			return wrap("begin", err)
		}
	}
	s := &snapshot{ctx: ctx, g: g, tx: tx}
	err = tx.QueryRowContext(ctx, `SELECT id FROM `+g.table("account")+` WHERE name = $1`, account).Scan(&s.account)
	if err != nil && err != sql.ErrNoRows {
		return wrap("account", err)
	}
	return f(s)
}

// count returns how many calls there are.
func (g *generation) count(ctx context.Context) (n int64, err error) {
	g.using.RLock()
	defer g.using.RUnlock()
	err = g.read.QueryRowContext(ctx, `SELECT COUNT(*) FROM `+g.table("call")).Scan(&n)
	return n, wrap("count", err)
}

// there reports which of some calls there are.
func (g *generation) there(ctx context.Context, ids []media.ID) (map[media.ID]bool, error) {
	g.using.RLock()
	defer g.using.RUnlock()
	return g.among(ctx, g.read, ids)
}

// querier is a database or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// among reports which of some calls a database has.
func (g *generation) among(ctx context.Context, in querier, ids []media.ID) (map[media.ID]bool, error) {
	found := map[media.ID]bool{}
	for some := range slices.Chunk(ids, 100) { // of more parameters each costs SQLite more
		names, args := list(some, nil)
		rows, err := in.QueryContext(ctx, `SELECT media FROM `+g.table("call")+` WHERE media IN (`+names+`)`, args...)
		if err == nil {
			err = collect(rows, found)
		}
		if err != nil {
			return nil, wrap("look up calls", err)
		}
	}
	return found, nil
}

func collect(rows *sql.Rows, found map[media.ID]bool) error {
	defer rows.Close()
	for rows.Next() {
		var id []byte
		if err := rows.Scan(&id); err != nil {
			return err
		}
		found[idOf(id)] = true
	}
	return rows.Err()
}
