package search

import (
	"database/sql"
	"slices"
	"strconv"
	"strings"

	"parley/internal/search/tokenfile"
)

// numbers returns the number of each word that the lexicon has to know, a new one for a new word; 0 for the others.
func (w *writer) numbers(words []string) ([]uint32, error) {
	numbers := make([]uint32, len(words))
	var unknown []string
	for i, word := range words {
		if numbers[i] = w.g.known[word]; numbers[i] != 0 {
			continue
		}
		if _, plain := tokenfile.Plain(word); !plain {
			unknown = append(unknown, word)
		}
	}
	if len(unknown) == 0 {
		return numbers, nil
	}
	slices.Sort(unknown)
	unknown = slices.Compact(unknown)
	if !w.g.complete {
		if err := w.learn(); err != nil {
			return nil, err
		}
	}
	if !w.g.complete {
		for some := range slices.Chunk(unknown, 500) {
			if err := w.look(some); err != nil {
				return nil, err
			}
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

// learn remembers all words, so that others are known to be new, unless they are too many.
func (w *writer) learn() error {
	last, err := w.highest()
	if err != nil || last > mostKnown/2 {
		return err
	}
	rows, err := w.tx.QueryContext(w.ctx, `SELECT id, text FROM `+w.g.table("term"))
	if err == nil {
		err = w.remember(rows)
	}
	w.g.complete = err == nil
	return wrap("words", err)
}

func (w *writer) remember(rows *sql.Rows) error {
	defer rows.Close()
	for rows.Next() {
		var n uint32
		var text string
		if err := rows.Scan(&n, &text); err != nil {
			return err
		}
		w.g.known[text] = n
	}
	return rows.Err()
}

// look reads the numbers of words that have one.
func (w *writer) look(words []string) error {
	names, args := make([]string, len(words)), make([]any, len(words))
	for i, word := range words {
		names[i], args[i] = "$"+strconv.Itoa(i+1), word
	}
	rows, err := w.tx.QueryContext(w.ctx, `SELECT id, text FROM `+w.g.table("term")+` WHERE text IN (`+strings.Join(names, ", ")+`)`, args...)
	if err == nil {
		err = w.remember(rows)
	}
	return wrap("words", err)
}

// invent gives numbers to the words that have none.
func (w *writer) invent(words []string) error {
	if _, err := w.highest(); err != nil {
		return err
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

// highest returns the highest number of a word.
func (w *writer) highest() (uint32, error) {
	if w.last > 0 {
		return w.last, nil
	}
	err := w.tx.QueryRowContext(w.ctx, `SELECT COALESCE(MAX(id), 0) FROM `+w.g.table("term")).Scan(&w.last)
	return w.last, wrap("words", err)
}
