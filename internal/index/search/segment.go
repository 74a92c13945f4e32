package search

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"math/bits"
	"slices"
	"strconv"

	"parley/internal/index/search/posting"
	"parley/internal/storage/sqlrow"
)

// segment is a set of calls of one account with their postings. The set is stored as an ascending list of call numbers.
type segment struct {
	id        int64
	low, high int64 // lowest and highest number of its calls
	calls     int   // how many
}

// Segments are merged by size, so that there are few and each call is rewritten only a few times: as soon as an account
// has mergeAt segments of a level, they become one segment of the next level. Segments above mergeLevels are not
// merged, which bounds the cost of removing a deleted call.
const (
	mergeAt     = 8 // also the factor between levels
	mergeLevels = 4
	someBlocks  = 256 // read or written together
)

func (s segment) level() int { return (bits.Len(uint(s.calls)) - 1) / 3 }

// numberedCall is a call with its number.
type numberedCall struct {
	number int64
	call   posting.Call
}

// shelve writes the segments of the added calls, one per account, and merges levels that are full.
func (w *writer) shelve() error {
	for account, calls := range w.added {
		slices.SortFunc(calls, func(a, b numberedCall) int { return cmp.Compare(a.number, b.number) })
		numbers, contents := make([]int64, len(calls)), make([]posting.Call, len(calls))
		for i, c := range calls {
			numbers[i], contents[i] = c.number, c.call
		}
		err := w.segment(account, numbers, func(size int, emit posting.Emit) error {
			return posting.Build(contents, size, emit)
		})
		if err != nil {
			return err
		}
		if err := w.merge(account); err != nil {
			return err
		}
	}
	return nil
}

// segment creates a segment of an account; write receives the block size and the function that stores blocks.
func (w *writer) segment(account int64, numbers []int64, write func(size int, emit posting.Emit) error) error {
	var id int64
	err := w.tx.QueryRowContext(w.ctx,
		`INSERT INTO `+w.g.table("segment")+
			` (account, low, high, size, calls) VALUES ($1, $2, $3, $4, $5) RETURNING id`,
		account, numbers[0], numbers[len(numbers)-1], len(numbers), encodeNumbers(numbers)).Scan(&id)
	if err != nil {
		return wrap("segment", err)
	}
	b := &blocks{writer: w, segment: id}
	if err := write(w.g.blockSize, b.add); err != nil {
		return wrap("segment", err)
	}
	return b.flush()
}

// blocks stores the blocks of a segment, several per statement.
type blocks struct {
	*writer
	segment      int64
	firsts, data [][]byte
}

func (b *blocks) add(first, data []byte) error {
	b.firsts, b.data = append(b.firsts, slices.Clone(first)), append(b.data, slices.Clone(data))
	if len(b.data) < someBlocks {
		return nil
	}
	return b.flush()
}

func (b *blocks) flush() error {
	insert := `INSERT INTO ` + b.g.table("posting") + ` (segment, first, data) `
	if b.g.postgres && len(b.data) > 0 {
		if _, err := b.exec(insert+`SELECT $1, first, data FROM unnest($2::bytea[], $3::bytea[]) AS new (first, data)`,
			b.segment, b.firsts, b.data); err != nil {
			return err
		}
	} else {
		for i := range b.data {
			if _, err := b.exec(insert+`VALUES ($1, $2, $3)`, b.segment, b.firsts[i], b.data[i]); err != nil {
				return err
			}
		}
	}
	b.firsts, b.data = b.firsts[:0], b.data[:0]
	return nil
}

// merge merges the segments of an account, level by level.
func (w *writer) merge(account int64) error {
	all, err := w.segments(`account = $1`, account)
	if err != nil {
		return err
	}
	levels := make([][]segment, mergeLevels)
	for _, s := range all {
		if l := s.level(); l < mergeLevels {
			levels[l] = append(levels[l], s)
		}
	}
	for _, some := range levels {
		if len(some) < mergeAt {
			continue
		}
		if err := w.rewrite(account, some); err != nil {
			return err
		}
		return w.merge(account)
	}
	return nil
}

func (w *writer) segments(where string, args ...any) ([]segment, error) {
	return segments(w.ctx, w.tx, w.g, where, args...)
}

func segments(ctx context.Context, in *sql.Tx, g *generation, where string, args ...any) (all []segment, err error) {
	rows, err := in.QueryContext(ctx, `SELECT id, low, high, size FROM `+g.table("segment")+` WHERE `+where, args...)
	all, err = sqlrow.All(sqlrow.Of(rows, err), func(row sqlrow.Row) (s segment, err error) {
		err = row.Scan(&s.id, &s.low, &s.high, &s.calls)
		return s, err
	})
	return all, wrap("segments", err)
}

// rewrite merges some segments into one, without their dead calls.
func (w *writer) rewrite(account int64, some []segment) error {
	lists := make([][]int64, len(some))
	var live []int64
	for i, s := range some {
		numbers, err := numbersOf(w.ctx, w.tx, w.g, s.id)
		if err != nil {
			return err
		}
		dead, err := w.dead(s.id)
		if err != nil {
			return err
		}
		lists[i] = numbers
		for at, n := range numbers {
			if dead[n] {
				numbers[at] = gone
			} else {
				live = append(live, n)
			}
		}
	}
	slices.Sort(live)
	if len(live) > 0 {
		sources := make([]posting.Source, len(some))
		for i, s := range some {
			sources[i] = posting.Source{Next: w.blocks(s.id), Moved: moved(lists[i], live)}
		}
		err := w.segment(account, live, func(size int, emit posting.Emit) error {
			return posting.Merge(sources, len(live), size, emit)
		})
		if err != nil {
			return err
		}
	}
	for _, s := range some {
		for _, statement := range []string{`posting WHERE segment`, `dead WHERE segment`, `segment WHERE id`} {
			if _, err := w.exec(`DELETE FROM `+w.g.prefix+statement+` = $1`, s.id); err != nil {
				return err
			}
		}
	}
	return nil
}

// gone replaces the number of a dead call.
const gone = -1

// moved returns the index of each number in list, which contains all of them except those that are gone.
func moved(numbers, list []int64) []int {
	to := make([]int, len(numbers))
	for i, n := range numbers {
		at, ok := slices.BinarySearch(list, n)
		if to[i] = at; !ok {
			to[i] = -1
		}
	}
	return to
}

// dead returns the calls of a segment that are not in the index any more, or have moved to another segment.
func (w *writer) dead(segment int64) (map[int64]bool, error) {
	dead := map[int64]bool{}
	for row := range w.query(`SELECT call FROM `+w.g.table("dead")+` WHERE segment = $1`, segment).Each {
		n, err := sqlrow.Cell[int64](row)
		if err != nil {
			return nil, wrap("dead calls", err)
		}
		dead[n] = true
	}
	return dead, nil
}

// blocks reads the blocks of a segment, several per query.
func (w *writer) blocks(segment int64) func() ([]byte, error) {
	var some [][]byte
	after, ended := []byte{}, false
	return func() ([]byte, error) {
		if len(some) == 0 && !ended {
			var err error
			if some, after, err = w.blocksBehind(segment, after); err != nil {
				return nil, err
			}
			ended = len(some) < someBlocks
		}
		if len(some) == 0 {
			return nil, nil
		}
		block := some[0]
		some = some[1:]
		return block, nil
	}
}

func (w *writer) blocksBehind(segment int64, after []byte) (some [][]byte, last []byte, err error) {
	rows := w.query(`SELECT first, data FROM `+w.g.table("posting")+
		` WHERE segment = $1 AND first > $2 ORDER BY first LIMIT `+strconv.Itoa(someBlocks), segment, after)
	some, err = sqlrow.All(rows, func(row sqlrow.Row) (block []byte, err error) {
		err = row.Scan(&last, &block)
		return block, err
	})
	return some, last, wrap("blocks", err)
}

// bury records that a call of an account has been removed from its segments.
func (w *writer) bury(account, number int64) error {
	in, err := w.segments(`account = $1 AND low <= $2 AND high >= $2`, account, number)
	if err != nil {
		return err
	}
	for _, s := range in {
		numbers, err := numbersOf(w.ctx, w.tx, w.g, s.id)
		if err != nil {
			return err
		}
		if _, ok := slices.BinarySearch(numbers, number); !ok {
			continue
		}
		_, err = w.exec(`INSERT INTO `+w.g.table("dead")+` (segment, call) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
			s.id, number)
		if err != nil {
			return err
		}
	}
	return nil
}

// numbersOf returns the call numbers of a segment.
func numbersOf(ctx context.Context, in rowQuerier, g *generation, segment int64) ([]int64, error) {
	var data []byte
	err := in.QueryRowContext(ctx, `SELECT calls FROM `+g.table("segment")+` WHERE id = $1`, segment).Scan(&data)
	return decodeNumbers(data), wrap("segment", err)
}

// rowQuerier is a database or a transaction.
type rowQuerier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func encodeNumbers(numbers []int64) []byte {
	b := make([]byte, 0, 8*len(numbers))
	for _, n := range numbers {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	return b
}

func decodeNumbers(b []byte) []int64 {
	numbers := make([]int64, len(b)/8)
	for i := range numbers {
		numbers[i] = int64(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return numbers
}
