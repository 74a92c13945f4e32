package search

import (
	"database/sql"
	"encoding/binary"
	"errors"
)

// countsAtOnce is the number of word counts stored together. A count is the number of calls with the word; words
// without calls are deleted.
const countsAtOnce = 512

// count stores the new words and the counts of words, and deletes words without calls.
func (w *writer) count() error {
	if err := w.introduce(); err != nil {
		return err
	}
	var unused []uint32
	var counts []byte
	first := int64(-1)
	for n, by := range w.tally.changes() {
		if at := int64(n) / countsAtOnce; at != first {
			if err := w.storeCounts(first, counts); err != nil {
				return err
			}
			var err error
			if counts, err = w.counts(at); err != nil {
				return err
			}
			first = at
		}
		one := counts[int64(n)%countsAtOnce*4:]
		now := int64(binary.LittleEndian.Uint32(one)) + by
		binary.LittleEndian.PutUint32(one, uint32(max(now, 0)))
		if now <= 0 {
			unused = append(unused, n)
		}
	}
	if err := w.storeCounts(first, counts); err != nil {
		return err
	}
	return w.unlearn(unused)
}

// counts reads the counts of the words from number at × countsAtOnce on.
func (w *writer) counts(at int64) (counts []byte, err error) {
	s, err := w.stmt(`SELECT calls FROM ` + w.g.table("count") + ` WHERE first = $1`)
	if err != nil {
		return nil, err
	}
	err = s.QueryRowContext(w.ctx, at).Scan(&counts)
	if errors.Is(err, sql.ErrNoRows) || err == nil && len(counts) != 4*countsAtOnce {
		return make([]byte, 4*countsAtOnce), nil
	}
	return counts, wrap("counts", err)
}

func (w *writer) storeCounts(at int64, counts []byte) error {
	if at < 0 {
		return nil
	}
	_, err := w.exec(`INSERT INTO `+w.g.table("count")+
		` (first, calls) VALUES ($1, $2) ON CONFLICT (first) DO UPDATE SET calls = excluded.calls`, at, counts)
	return err
}

// introduce stores the new words; on PostgreSQL in one statement, because each statement costs a round trip.
func (w *writer) introduce() error {
	first := int64(w.last) - int64(len(w.invented)) + 1
	insert := `INSERT INTO ` + w.g.table("term") + ` (id, text) `
	if w.g.postgres && len(w.invented) > 0 {
		_, err := w.exec(insert+`SELECT $1 + n - 1, text FROM unnest($2::text[]) WITH ORDINALITY AS new (text, n)`,
			first, w.invented)
		return err
	}
	for i, text := range w.invented {
		if _, err := w.exec(insert+`VALUES ($1, $2)`, first+int64(i), text); err != nil {
			return err
		}
	}
	return nil
}

// unlearn deletes words without calls.
func (w *writer) unlearn(unused []uint32) error {
	for _, n := range unused {
		s, err := w.stmt(`DELETE FROM ` + w.g.table("term") + ` WHERE id = $1 RETURNING text`)
		if err != nil {
			return err
		}
		var text string
		err = s.QueryRowContext(w.ctx, int64(n)).Scan(&text)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return wrap("forget words", err)
		}
		w.g.words.Lock()
		delete(w.g.known, text)
		w.g.words.Unlock()
	}
	return nil
}
