package search

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"parley/internal/account"
	"parley/internal/media"
	"parley/internal/search/tokenfile"
)

// entry is a call to be put into an index in place of what is there of it. Without words it is only removed.
type entry struct {
	media   media.ID
	account account.ID
	words   func() *tokenfile.Source
}

// mostKnown is how many words the writer remembers.
const mostKnown = 1_000_000

// put changes a generation in one transaction. Only the process with the lease calls it, one at a time.
func (g *generation) put(ctx context.Context, with beginner, entries []entry) error {
	g.using.RLock()
	defer g.using.RUnlock()
	if with == nil {
		with = g.write
	}
	tx, err := with.BeginTx(ctx, nil)
	if err != nil {
		return wrap("begin", err)
	}
	defer tx.Rollback()
	w := &writer{ctx: ctx, g: g, tx: tx, accounts: map[account.ID]int64{}, prepared: map[string]*sql.Stmt{}}
	if err := w.all(entries); err != nil {
		g.forget() // numbers that were given are not stored
		return err
	}
	if err := tx.Commit(); err != nil {
		g.forget()
		return wrap("commit", err)
	}
	if len(g.known) > mostKnown {
		g.forget()
	}
	return nil
}

// forget makes the writer read the numbers of words again.
func (g *generation) forget() {
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
	last     uint32 // the highest number of a word; 0: not known yet
	tally    tally
}

func (w *writer) all(entries []entry) error {
	// In the order of their numbers, which FTS5 likes best.
	entries = slices.SortedFunc(slices.Values(entries), func(a, b entry) int { return cmp.Compare(number(a.media), number(b.media)) })
	ctx, stop := context.WithCancel(w.ctx)
	sources, ended := ahead(ctx, entries)
	defer ended()
	defer stop()
	for i, e := range entries {
		if err := w.remove(e.media); err != nil {
			return err
		}
		if e.words == nil {
			continue
		}
		if err := w.add(e, <-sources[i]); err != nil {
			return err
		}
	}
	if err := w.tidy(); err != nil {
		return err
	}
	return w.count()
}

// tidy has PostgreSQL sort into its index what it has only collected, which every query would have to look through.
func (w *writer) tidy() error {
	if !w.g.postgres {
		return nil
	}
	_, err := w.tx.ExecContext(w.ctx, `SELECT gin_clean_pending_list(to_regclass($1))`, w.g.table("call_words"))
	return wrap("tidy", err)
}

// ahead reads the words of entries on other processors, a few ahead of where they are used. ended waits for what is under way;
// it is called when ctx has ended or everything was used.
func ahead(ctx context.Context, entries []entry) (sources []chan *tokenfile.Source, ended func()) {
	sources = make([]chan *tokenfile.Source, len(entries))
	for i := range sources {
		sources[i] = make(chan *tokenfile.Source) // unbuffered: what nobody takes is not made far ahead
	}
	var group sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for first := range workers {
		group.Go(func() {
			for i := first; i < len(entries); i += workers {
				if entries[i].words == nil {
					continue
				}
				select {
				case sources[i] <- entries[i].words():
				case <-ctx.Done():
					return
				}
			}
		})
	}
	return sources, group.Wait
}

// stmt is a statement, prepared once a transaction.
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

// remove takes a call out, if it is there.
func (w *writer) remove(id media.ID) error {
	s, err := w.stmt(`SELECT id, tokens FROM ` + w.g.table("call") + ` WHERE media = $1`)
	if err != nil {
		return err
	}
	var n int64
	var tokens []byte
	if err := s.QueryRowContext(w.ctx, key(id)).Scan(&n, &tokens); errors.Is(err, sql.ErrNoRows) {
		return nil
	} else if err != nil {
		return wrap("look up a call", err)
	}
	var file tokenfile.File
	if err := file.Decode(tokens); err != nil {
		return err
	}
	w.tally.add(file.Words, -1)
	if !w.g.postgres {
		if _, err := w.exec(`DELETE FROM posting WHERE rowid = $1`, n); err != nil {
			return err
		}
	}
	_, err = w.exec(`DELETE FROM `+w.g.table("call")+` WHERE id = $1`, n)
	return err
}

// add puts a call in that is not there.
func (w *writer) add(e entry, source *tokenfile.Source) error {
	owner, err := w.account(e.account)
	if err != nil {
		return err
	}
	numbers, err := w.numbers(source.Words)
	if err != nil {
		return err
	}
	tokens := tokenfile.Encode(source, func(word string) uint32 { return w.g.known[word] })
	w.tally.add(numbers, 1)
	if w.g.postgres {
		lexemes := tsvector(owner, source)
		_, err := w.place(e.media, `INSERT INTO `+w.g.table("call")+` (id, account, media, tokens, words) VALUES ($1, $2, $3, $4, array_to_tsvector($5))
			ON CONFLICT (id) DO NOTHING`, owner, key(e.media), tokens, lexemes)
		return err
	}
	n, err := w.place(e.media, `INSERT INTO call (id, account, media, tokens) VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO NOTHING`, owner, key(e.media), tokens)
	if err != nil {
		return err
	}
	texts := texts(owner, source)
	_, err = w.exec(`INSERT INTO posting (rowid, transcript, title, description) VALUES ($1, $2, $3, $4)`, n, texts[0], texts[1], texts[2])
	return err
}

// place inserts a call at its number, or the next of its millisecond that is free.
func (w *writer) place(id media.ID, query string, args ...any) (int64, error) {
	n := number(id)
	first, last := moment(n)
	for tries := first; tries <= last; tries++ {
		placed, err := w.exec(query, append([]any{n}, args...)...)
		if err != nil || placed > 0 {
			return n, err
		}
		if n++; n > last {
			n = first
		}
	}
	return 0, fmt.Errorf("search index: a millisecond has more than %d calls", 1<<slotBits)
}

// account returns the number of an account, a new one for a new account.
func (w *writer) account(a account.ID) (int64, error) {
	if n := w.accounts[a]; n != 0 {
		return n, nil
	}
	var n int64
	err := w.tx.QueryRowContext(w.ctx, `INSERT INTO `+w.g.table("account")+` (name) VALUES ($1)
		ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING id`, string(a)).Scan(&n)
	w.accounts[a] = n
	return n, wrap("account", err)
}

// count stores how many calls have each word, and forgets words that no call has any more.
func (w *writer) count() error {
	var ids, changes []int64
	less := false
	for n, by := range w.tally.changes() {
		ids, changes = append(ids, int64(n)), append(changes, by)
		less = less || by < 0
	}
	if err := w.recount(ids, changes); err != nil {
		return err
	}
	if !less {
		return nil
	}
	rows, err := w.tx.QueryContext(w.ctx, `DELETE FROM `+w.g.table("term")+` WHERE calls <= 0 RETURNING text`)
	if err != nil {
		return wrap("forget words", err)
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return wrap("forget words", err)
		}
		delete(w.g.known, text)
	}
	return wrap("forget words", rows.Err())
}

// recount changes the counts of words.
func (w *writer) recount(ids, changes []int64) error {
	if len(ids) == 0 {
		return nil
	}
	if w.g.postgres { // at once: there every statement is a way there and back
		_, err := w.exec(`UPDATE `+w.g.table("term")+` AS term SET calls = term.calls + change.by
			FROM unnest($1::bigint[], $2::bigint[]) AS change (id, by) WHERE term.id = change.id`, ids, changes)
		return err
	}
	for i, id := range ids {
		if _, err := w.exec(`UPDATE `+w.g.table("term")+` SET calls = calls + $2 WHERE id = $1`, id, changes[i]); err != nil {
			return err
		}
	}
	return nil
}
