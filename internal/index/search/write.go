package search

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"parley/internal/index/tokenfile"
	"parley/internal/storage/sqldb"
	"parley/internal/storage/sqlrow"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// entry is a call to be indexed in place of its earlier version. Without words it is only removed.
type entry struct {
	media   media.ID
	account account.ID
	words   func() *tokenfile.Source
}

// mostKnown bounds the words in the writer's cache.
const mostKnown = 1_000_000

// put changes a generation in one transaction. Only the process with the lease may call it, and never concurrently.
func (g *generation) put(ctx context.Context, with database, entries []entry) error {
	g.using.RLock()
	defer g.using.RUnlock()
	err := g.update(ctx, with, func(w *writer) error { return w.all(entries) })
	if err != nil || len(g.known) > mostKnown {
		g.forget() // newly assigned numbers may not be stored
	}
	return err
}

// update runs f in a writing transaction on a database; nil means the generation's own connection.
func (g *generation) update(ctx context.Context, with database, f func(*writer) error) error {
	if with == nil {
		with = g.write
	}
	var failed error // of f, which is returned as it is
	err := with.Tx(sqldb.Patient(ctx, longestWrite), nil, func(ctx context.Context, tx *sql.Tx) error {
		failed = f(newWriter(ctx, g, tx))
		return failed
	})
	if failed != nil {
		return failed
	}
	return wrap("write", err)
}

// longestWrite is how long a transaction of the indexer may take: one may merge many segments.
const longestWrite = 10 * time.Minute

// forget clears the writer's cache of word numbers.
func (g *generation) forget() {
	g.words.Lock()
	defer g.words.Unlock()
	clear(g.known)
	g.complete = false
}

// writer is one transaction that changes a generation.
type writer struct {
	ctx      context.Context
	g        *generation
	tx       *sql.Tx
	accounts map[account.ID]int64
	prepared map[string]*sql.Stmt
	there    map[media.ID]bool        // those of the entries that are already in the index
	added    map[int64][]numberedCall // by account
	with     wordSet
	last     uint32   // the highest word number; 0: not known yet
	invented []string // new words, which have the highest numbers, in order
	tally    tally
}

func newWriter(ctx context.Context, g *generation, tx *sql.Tx) *writer {
	return &writer{ctx: ctx, g: g, tx: tx, accounts: map[account.ID]int64{}, prepared: map[string]*sql.Stmt{},
		added: map[int64][]numberedCall{}}
}

func (w *writer) all(entries []entry) error {
	// Ordered by number, so that neighbours are stored together.
	entries = slices.SortedFunc(slices.Values(entries), func(a, b entry) int {
		return cmp.Compare(number(a.media), number(b.media))
	})
	if err := w.survey(entries); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(w.ctx)
	ready, ended := w.ahead(ctx, entries)
	defer ended()
	defer stop()
	for i, e := range entries {
		if w.there[e.media] {
			if err := w.remove(e.media); err != nil {
				return err
			}
		}
		if e.words == nil {
			continue
		}
		select {
		case p := <-ready[i]:
			if err := w.add(e, p); err != nil {
				return err
			}
		case <-ctx.Done(): // no goroutine prepares it any more
			return context.Cause(ctx)
		}
	}
	if err := w.shelve(); err != nil {
		return err
	}
	return w.count()
}

// survey reads what the index has of the entries: their accounts, and which calls it contains.
func (w *writer) survey(entries []entry) (err error) {
	ids := make([]media.ID, len(entries))
	for i, e := range entries {
		ids[i] = e.media
		if e.words == nil {
			continue
		}
		if err := w.account(e.account); err != nil {
			return err
		}
	}
	w.there, err = w.g.among(w.ctx, w.tx, ids)
	return err
}

func (w *writer) query(query string, args ...any) sqlrow.Rows {
	return sqlrow.Of(w.tx.QueryContext(w.ctx, query, args...))
}

// stmt returns a statement that is prepared once per transaction.
func (w *writer) stmt(query string) (*sql.Stmt, error) {
	if s := w.prepared[query]; s != nil {
		return s, nil
	}
	s, err := w.tx.PrepareContext(w.ctx, query)
	w.prepared[query] = s
	return s, wrap("prepare", err)
}

func (w *writer) exec(query string, args ...any) (int64, error) {
	s, err := w.stmt(query)
	if err != nil {
		return 0, err
	}
	r, err := s.ExecContext(w.ctx, args...)
	if err != nil {
		return 0, wrap("write", err)
	}
	return r.RowsAffected()
}

// remove removes a call from the index.
func (w *writer) remove(id media.ID) error {
	s, err := w.stmt(`SELECT id, account, tokens FROM ` + w.g.table("call") + ` WHERE media = $1`)
	if err != nil {
		return err
	}
	var n, owner int64
	var tokens []byte
	if err := s.QueryRowContext(w.ctx, key(id)).Scan(&n, &owner, &tokens); errors.Is(err, sql.ErrNoRows) {
		return nil
	} else if err != nil {
		return wrap("look up a call", err)
	}
	var file tokenfile.File
	if err := file.Decode(tokens); err != nil {
		return err
	}
	w.g.clean = false
	w.tally.add(file.Words, -1)
	if err := w.bury(owner, n); err != nil {
		return err
	}
	_, err = w.exec(`DELETE FROM `+w.g.table("call")+` WHERE id = $1`, n)
	return err
}

// add adds a call that is not in the index.
func (w *writer) add(e entry, p *callData) error {
	if len(p.unknown) > 0 {
		if err := w.resolve(p); err != nil {
			return err
		}
		p.complete(&w.with)
	}
	w.tally.add(p.numbers, 1)
	w.there[e.media] = true
	owner := w.accounts[e.account]
	n, err := w.place(e.media, owner, p.tokens)
	w.added[owner] = append(w.added[owner], numberedCall{n, p.call})
	return err
}

// place inserts a call at its number, or at the next free one of its millisecond.
func (w *writer) place(id media.ID, owner int64, tokens []byte) (int64, error) {
	n := number(id)
	first, last := moment(n)
	for tries := first; tries <= last; tries++ {
		placed, err := w.exec(`INSERT INTO `+w.g.table("call")+
			` (id, account, media, tokens) VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO NOTHING`, n, owner, key(id),
			tokens)
		if err != nil || placed > 0 {
			return n, err
		}
		if n++; n > last {
			n = first
		}
	}
	return 0, fmt.Errorf("search index: a millisecond has more than %d calls", 1<<slotBits)
}

// account finds the number of an account, and assigns one to a new account.
func (w *writer) account(a account.ID) error {
	if w.accounts[a] != 0 {
		return nil
	}
	var n int64
	err := w.tx.QueryRowContext(w.ctx, `INSERT INTO `+w.g.table("account")+` (name) VALUES ($1)
		ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING id`, string(a)).Scan(&n)
	w.accounts[a] = n
	return wrap("account", err)
}
