package search

import (
	"slices"
	"strconv"
	"strings"

	"parley/internal/storage/sqlrow"
)

// resolve assigns lexicon numbers to the words of a prepared call that had none, and adds new words to the lexicon.
func (w *writer) resolve(p *callData) error {
	var unknown []string
	for _, i := range p.unknown {
		if word := p.source.Words[i]; w.g.known[word] == 0 {
			unknown = append(unknown, word)
		}
	}
	slices.Sort(unknown)
	if err := w.number(slices.Compact(unknown)); err != nil {
		return err
	}
	for _, i := range p.unknown {
		p.numbers[i] = w.g.known[p.source.Words[i]]
	}
	return nil
}

// number finds or creates the numbers of distinct words that are not in the cache.
func (w *writer) number(unknown []string) error {
	if len(unknown) == 0 {
		return nil
	}
	if !w.g.complete {
		if err := w.learn(); err != nil {
			return err
		}
	}
	if !w.g.complete {
		for some := range slices.Chunk(unknown, 500) {
			if err := w.look(some); err != nil {
				return err
			}
		}
	}
	return w.invent(unknown)
}

// learn caches all words, so that a word outside the cache is known to be new, unless there are too many.
func (w *writer) learn() error {
	last, err := w.highest()
	if err != nil || last > mostKnown/2 {
		return err
	}
	err = w.remember(w.query(`SELECT id, text FROM ` + w.g.table("term")))
	w.g.complete = err == nil
	return err
}

func (w *writer) remember(rows sqlrow.Rows) error {
	w.g.words.Lock()
	defer w.g.words.Unlock()
	for row := range rows.Each {
		var n uint32
		var text string
		if err := row.Scan(&n, &text); err != nil {
			return wrap("words", err)
		}
		w.g.known[text] = n
	}
	return nil
}

// look reads the numbers of existing words.
func (w *writer) look(words []string) error {
	names, args := make([]string, len(words)), make([]any, len(words))
	for i, word := range words {
		names[i], args[i] = "$"+strconv.Itoa(i+1), word
	}
	return w.remember(w.query(
		`SELECT id, text FROM `+w.g.table("term")+` WHERE text IN (`+strings.Join(names, ", ")+`)`, args...))
}

// invent assigns numbers to words that have none. The method count stores them with their counts.
func (w *writer) invent(words []string) error {
	if _, err := w.highest(); err != nil {
		return err
	}
	w.g.words.Lock()
	defer w.g.words.Unlock()
	for _, word := range words {
		if _, ok := w.g.known[word]; ok {
			continue
		}
		w.last++
		w.invented = append(w.invented, word)
		w.g.known[word] = w.last
	}
	return nil
}

// highest returns the highest word number, including newly assigned ones.
func (w *writer) highest() (uint32, error) {
	if w.last > 0 {
		return w.last, nil
	}
	err := w.tx.QueryRowContext(w.ctx, `SELECT COALESCE(MAX(id), 0) FROM `+w.g.table("term")).Scan(&w.last)
	return w.last, wrap("words", err)
}
