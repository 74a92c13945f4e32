package search

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
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
	w := &writer{ctx: ctx, g: g, tx: tx, accounts: map[account.ID]int64{}, prepared: map[string]*sql.Stmt{}}
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
	return w.count()
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
	next := 0
	tokens := tokenfile.Encode(source, func(string) uint32 {
		next++
		return numbers[next-1]
	})
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

// numbers returns the number of each word, a new one for a new word.
func (w *writer) numbers(words []string) ([]uint32, error) {
	numbers := make([]uint32, len(words))
	var unknown []string
	for i, word := range words {
		if numbers[i] = w.g.known[word]; numbers[i] == 0 {
			unknown = append(unknown, word)
		}
	}
	if len(unknown) == 0 {
		return numbers, nil
	}
	slices.Sort(unknown)
	unknown = slices.Compact(unknown)
	for some := range slices.Chunk(unknown, 500) {
		if err := w.look(some); err != nil {
			return nil, err
		}
	}
	if err := w.invent(unknown); err != nil {
		return nil, err
	}
	for i, word := range words {
		numbers[i] = w.g.known[word]
	}
	return numbers, nil
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
	if w.last == 0 {
		if err := w.tx.QueryRowContext(w.ctx, `SELECT COALESCE(MAX(id), 0) FROM `+w.g.table("term")).Scan(&w.last); err != nil {
			return wrap("words", err)
		}
	}
	for _, word := range words {
		if _, ok := w.g.known[word]; ok {
			continue
		}
		w.last++
		if _, err := w.exec(`INSERT INTO `+w.g.table("term")+` (id, text, calls) VALUES ($1, $2, 0)`, int64(w.last), word); err != nil {
			return err
		}
		w.g.known[word] = w.last
	}
	return nil
}

// count stores how many calls have each word, and forgets words that no call has any more.
func (w *writer) count() error {
	less := false
	for n, by := range w.tally.changes() {
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

// tally counts by how much the number of calls with each word changes.
type tally struct {
	by      []int64  // of each number
	seen    []uint32 // the call, counted from 1, that last had it
	call    uint32
	touched []uint32
}

// add counts the different words of one call.
func (t *tally) add(numbers []uint32, by int64) {
	t.call++
	for _, n := range numbers {
		if int(n) >= len(t.by) {
			more := int(n) + 1 + len(t.by)/2 - len(t.by)
			t.by, t.seen = append(t.by, make([]int64, more)...), append(t.seen, make([]uint32, more)...)
		}
		if t.seen[n] == t.call {
			continue
		}
		if t.seen[n] == 0 {
			t.touched = append(t.touched, n)
		}
		t.seen[n] = t.call
		t.by[n] += by
	}
}

// changes yields the numbers whose count changes, ascending.
func (t *tally) changes() iter.Seq2[uint32, int64] {
	slices.Sort(t.touched)
	return func(yield func(uint32, int64) bool) {
		for _, n := range t.touched {
			if t.by[n] != 0 && !yield(n, t.by[n]) {
				return
			}
		}
	}
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
