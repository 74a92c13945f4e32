package search

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"

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
	there    map[media.ID]bool // the calls that are in, of those that are to be put
	last     uint32            // the highest number of a word; 0: not known yet
	invented []string          // new words, those with the highest numbers, in their order
	tally    tally
}

func (w *writer) all(entries []entry) error {
	// In the order of their numbers, which FTS5 likes best.
	entries = slices.SortedFunc(slices.Values(entries), func(a, b entry) int { return cmp.Compare(number(a.media), number(b.media)) })
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
		if err := w.add(e, <-ready[i]); err != nil {
			return err
		}
	}
	if err := w.tidy(); err != nil {
		return err
	}
	return w.count()
}

// survey finds out what is there of entries: their accounts, and which calls are in.
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

// tidy has PostgreSQL sort into its index what it has only collected, which every query would have to look through.
func (w *writer) tidy() error {
	if !w.g.postgres {
		return nil
	}
	_, err := w.tx.ExecContext(w.ctx, `SELECT gin_clean_pending_list(to_regclass($1))`, w.g.table("call_words"))
	return wrap("tidy", err)
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

// remove takes a call out.
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
func (w *writer) add(e entry, p *prepared) error {
	if len(p.unknown) > 0 {
		if err := w.resolve(p); err != nil {
			return err
		}
		p.tokens = tokenfile.EncodeNumbers(p.source, p.numbers)
	}
	w.tally.add(p.numbers, 1)
	w.there[e.media] = true
	if w.g.postgres {
		_, err := w.place(e.media, `INSERT INTO `+w.g.table("call")+` (id, account, media, tokens, words) VALUES ($1, $2, $3, $4, array_to_tsvector($5))
			ON CONFLICT (id) DO NOTHING`, p.owner, key(e.media), p.tokens, p.lexemes)
		return err
	}
	n, err := w.place(e.media, `INSERT INTO call (id, account, media, tokens) VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO NOTHING`, p.owner, key(e.media), p.tokens)
	if err != nil {
		return err
	}
	_, err = w.exec(`INSERT INTO posting (rowid, transcript, title, description) VALUES ($1, $2, $3, $4)`, n, p.texts[0], p.texts[1], p.texts[2])
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

// account finds the number of an account, a new one for a new account.
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

// count stores how many calls have each word, the new words among them, and forgets words that no call has any more.
func (w *writer) count() error {
	first := w.last - uint32(len(w.invented)) + 1 // of the new words
	calls := make([]int64, len(w.invented))
	var ids, changes []int64
	less := false
	for n, by := range w.tally.changes() {
		if less = less || by < 0; len(calls) > 0 && n >= first {
			calls[n-first] = by
			continue
		}
		ids, changes = append(ids, int64(n)), append(changes, by)
	}
	if err := w.introduce(first, calls); err != nil {
		return err
	}
	if err := w.recount(ids, changes); err != nil {
		return err
	}
	if less || slices.Contains(calls, 0) {
		return w.unlearn()
	}
	return nil
}

// introduce stores the new words, on PostgreSQL at once: there every statement is a way there and back.
func (w *writer) introduce(first uint32, calls []int64) error {
	insert := `INSERT INTO ` + w.g.table("term") + ` (id, text, calls) `
	if w.g.postgres && len(calls) > 0 {
		_, err := w.exec(insert+`SELECT $1 + n - 1, text, calls FROM unnest($2::text[], $3::bigint[]) WITH ORDINALITY AS new (text, calls, n)`,
			int64(first), w.invented, calls)
		return err
	}
	for i, n := range calls {
		if _, err := w.exec(insert+`VALUES ($1, $2, $3)`, int64(first)+int64(i), w.invented[i], n); err != nil {
			return err
		}
	}
	return nil
}

// unlearn forgets words that no call has any more.
func (w *writer) unlearn() error {
	rows, err := w.tx.QueryContext(w.ctx, `DELETE FROM `+w.g.table("term")+` WHERE calls <= 0 RETURNING text`)
	if err != nil {
		return wrap("forget words", err)
	}
	defer rows.Close()
	w.g.words.Lock()
	defer w.g.words.Unlock()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return wrap("forget words", err)
		}
		delete(w.g.known, text)
	}
	return wrap("forget words", rows.Err())
}

// recount changes the counts of words, all at once: one statement a word takes longer than its change.
func (w *writer) recount(ids, changes []int64) error {
	if len(ids) == 0 {
		return nil
	}
	if w.g.postgres {
		_, err := w.exec(`UPDATE `+w.g.table("term")+` AS term SET calls = term.calls + change.by
			FROM unnest($1::bigint[], $2::bigint[]) AS change (id, by) WHERE term.id = change.id`, ids, changes)
		return err
	}
	b := []byte{'{'}
	for i, id := range ids {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(append(b, '"'), id, 10)
		b = strconv.AppendInt(append(b, '"', ':'), changes[i], 10)
	}
	_, err := w.exec(`UPDATE term SET calls = calls + change.value FROM json_each($1) AS change
		WHERE term.id = CAST(change.key AS INTEGER)`, string(append(b, '}')))
	return err
}
