package search

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"parley/internal/account"
	"parley/internal/media"
	"parley/internal/search/tokenfile"
)

// entry is a call to be put into an index in place of what is there of it. Without a source it is only removed.
type entry struct {
	media   media.ID
	account account.ID
	source  *tokenfile.Source
}

// mostKnown is how many words the writer remembers.
const mostKnown = 500_000

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
	w := &writer{ctx: ctx, g: g, tx: tx, accounts: map[account.ID]int64{}, counts: map[uint32]int64{}, prepared: map[string]*sql.Stmt{}}
	if err := w.all(entries); err != nil {
		clear(g.known) // numbers that were given are not stored
		return err
	}
	if err := tx.Commit(); err != nil {
		clear(g.known)
		return wrap("commit", err)
	}
	if len(g.known) > mostKnown {
		clear(g.known)
	}
	return nil
}

// writer is one transaction that changes a generation.
type writer struct {
	ctx      context.Context
	g        *generation
	tx       *sql.Tx
	accounts map[account.ID]int64
	counts   map[uint32]int64 // by how much the number of calls with a word changes
	prepared map[string]*sql.Stmt
}

func (w *writer) all(entries []entry) error {
	// In the order of their numbers, which FTS5 likes best.
	entries = slices.SortedFunc(slices.Values(entries), func(a, b entry) int { return cmp.Compare(number(a.media), number(b.media)) })
	if err := w.learn(entries); err != nil {
		return err
	}
	for _, e := range entries {
		if err := w.remove(e.media); err != nil {
			return err
		}
		if e.source == nil {
			continue
		}
		if err := w.add(e); err != nil {
			return err
		}
	}
	return w.count()
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
	w.note(file.Words, -1)
	if !w.g.postgres {
		if _, err := w.exec(`DELETE FROM posting WHERE rowid = $1`, n); err != nil {
			return err
		}
	}
	_, err = w.exec(`DELETE FROM `+w.g.table("call")+` WHERE id = $1`, n)
	return err
}

// note counts a call's different words.
func (w *writer) note(words []uint32, by int64) {
	for _, n := range slices.Compact(slices.Sorted(slices.Values(words))) {
		w.counts[n] += by
	}
}

// add puts a call in that is not there.
func (w *writer) add(e entry) error {
	owner, err := w.account(e.account)
	if err != nil {
		return err
	}
	words := make([]uint32, 0, len(e.source.Words))
	tokens := tokenfile.Encode(e.source, func(word string) uint32 {
		n := w.g.known[word]
		words = append(words, n)
		return n
	})
	w.note(words, 1)
	if w.g.postgres {
		lexemes := tsvector(owner, e.source)
		_, err := w.place(e.media, `INSERT INTO `+w.g.table("call")+` (id, account, media, tokens, words) VALUES ($1, $2, $3, $4, array_to_tsvector($5))
			ON CONFLICT (id) DO NOTHING`, owner, key(e.media), tokens, lexemes)
		return err
	}
	n, err := w.place(e.media, `INSERT INTO call (id, account, media, tokens) VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO NOTHING`, owner, key(e.media), tokens)
	if err != nil {
		return err
	}
	texts := texts(owner, e.source)
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

// learn gives a number to every word.
func (w *writer) learn(entries []entry) error {
	unknown := map[string]bool{}
	for _, e := range entries {
		if e.source == nil {
			continue
		}
		for _, word := range e.source.Words {
			if _, ok := w.g.known[word]; !ok {
				unknown[word] = true
			}
		}
	}
	words := make([]string, 0, len(unknown))
	for word := range unknown {
		words = append(words, word)
	}
	slices.Sort(words)
	for some := range slices.Chunk(words, 500) {
		if err := w.look(some); err != nil {
			return err
		}
	}
	return w.invent(words)
}

// look reads the numbers of words that have one.
func (w *writer) look(words []string) error {
	names, args := make([]string, len(words)), make([]any, len(words))
	for i, word := range words {
		names[i], args[i] = "$"+strconv.Itoa(i+1), word
	}
	rows, err := w.tx.QueryContext(w.ctx, `SELECT id, text FROM `+w.g.table("term")+` WHERE text IN (`+strings.Join(names, ", ")+`)`, args...)
	if err != nil {
		return wrap("words", err)
	}
	defer rows.Close()
	for rows.Next() {
		var n uint32
		var text string
		if err := rows.Scan(&n, &text); err != nil {
			return wrap("words", err)
		}
		w.g.known[text] = n
	}
	return wrap("words", rows.Err())
}

// invent gives numbers to the words that have none.
func (w *writer) invent(words []string) error {
	var last uint32
	if err := w.tx.QueryRowContext(w.ctx, `SELECT COALESCE(MAX(id), 0) FROM `+w.g.table("term")).Scan(&last); err != nil {
		return wrap("words", err)
	}
	for _, word := range words {
		if _, ok := w.g.known[word]; ok {
			continue
		}
		last++
		if _, err := w.exec(`INSERT INTO `+w.g.table("term")+` (id, text, calls) VALUES ($1, $2, 0)`, int64(last), word); err != nil {
			return err
		}
		w.g.known[word] = last
	}
	return nil
}

// count stores how many calls have each word, and forgets words that no call has any more.
func (w *writer) count() error {
	less := false
	for _, n := range slices.Sorted(maps.Keys(w.counts)) {
		by := w.counts[n]
		if by == 0 {
			continue
		}
		less = less || by < 0
		if _, err := w.exec(`UPDATE `+w.g.table("term")+` SET calls = calls + $2 WHERE id = $1`, int64(n), by); err != nil {
			return err
		}
	}
	if !less {
		return nil
	}
	forgotten, err := w.exec(`DELETE FROM ` + w.g.table("term") + ` WHERE calls <= 0`)
	if forgotten > 0 {
		clear(w.g.known)
	}
	return err
}

// texts are the words of each field as FTS5 takes them.
func texts(owner int64, s *tokenfile.Source) (texts [3]string) {
	prefix := word(owner, anywhere, "")
	var b [3]strings.Builder
	b[tokenfile.Transcript].Grow(len(s.Words) * (len(prefix) + 7))
	for _, p := range s.Parts {
		into := &b[p.Field]
		for _, text := range s.Words[p.From:p.To] {
			into.WriteString(prefix)
			into.WriteString(text)
			into.WriteByte(' ')
		}
	}
	for f := range b {
		texts[f] = b[f].String()
	}
	return texts
}

// tsvector is the different words of a call as PostgreSQL takes them.
func tsvector(owner int64, s *tokenfile.Source) []string {
	marks := map[tokenfile.Field]rune{tokenfile.Title: inTitle, tokenfile.Description: inDescription}
	different := map[string]bool{}
	for _, p := range s.Parts {
		for _, text := range s.Words[p.From:p.To] {
			different[word(owner, anywhere, text)] = true
			if mark, ok := marks[p.Field]; ok {
				different[word(owner, mark, text)] = true
			}
		}
	}
	return slices.AppendSeq([]string{}, maps.Keys(different)) // never nil, which would be NULL
}
