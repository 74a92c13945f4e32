package search

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parley/internal/host/memory"
	"parley/internal/storage/sqlrow"
	"parley/internal/words/media"
	"parley/internal/words/phrase"
)

// span is a range of call numbers, both ends inclusive.
type span struct{ from, to int64 }

// candidate is a call whose token file is to be evaluated.
type candidate struct {
	number int64
	media  media.ID
	tokens []byte
}

// mostLoaded is the number of token files read together, and of numbers read together if all calls are candidates.
const mostLoaded = 512

// scan yields the candidates of a need in the order of their ids until yield returns false. size is the number of
// candidates that the caller expects to need.
func (s *snapshot) scan(n phrase.Need, in span, ascending bool, size int, yield func(candidate) (bool, error)) error {
	if s.account == 0 {
		return nil
	}
	size = min(max(size, 64), mostLoaded)
	var some []int64
	more := true
	var failed error
	next := func(number int64) bool {
		// Numbers order calls by millisecond; the calls of one millisecond are loaded together and then sorted by id.
		if first, last := moment(number); len(some) >= size && (some[len(some)-1] < first || some[len(some)-1] > last) {
			if more, failed = s.emit(some, ascending, yield); failed != nil || !more {
				return false
			}
			some, size = some[:0], min(2*size, mostLoaded)
		}
		some = append(some, number)
		return true
	}
	var err error
	if phrase.Nothing(n) {
		err = s.allNumbers(in, ascending, next)
	} else {
		err = s.numbers(n, in, ascending, next)
	}
	if err == nil && failed == nil && more && len(some) > 0 {
		_, failed = s.emit(some, ascending, yield)
	}
	if err == nil {
		err = failed
	}
	return err
}

// emit loads some candidates and yields them in the order of their ids.
func (s *snapshot) emit(numbers []int64, ascending bool, yield func(candidate) (bool, error)) (bool, error) {
	texts := make([]string, len(numbers))
	for i, n := range numbers {
		texts[i] = strconv.FormatInt(n, 10)
	}
	some, err := s.candidates(`id IN (`+strings.Join(texts, ",")+`)`, s.account)
	if err != nil {
		return false, err
	}
	part, end := memory.Part(s.ctx)
	defer end()
	for _, c := range some {
		if err := memory.Take(part, int64(len(c.tokens))); err != nil {
			return false, err
		}
	}
	slices.SortFunc(some, func(a, b candidate) int {
		return ordered(ascending, strings.Compare(string(a.media), string(b.media)))
	})
	for _, c := range some {
		if more, err := yield(c); err != nil || !more {
			return false, err
		}
	}
	return true, nil
}

// ordered negates a comparison result unless the order is ascending.
func ordered(ascending bool, order int) int {
	if ascending {
		return order
	}
	return -order
}

// candidates returns the calls of the account, which is args[0], that match a condition.
func (s *snapshot) candidates(where string, args ...any) ([]candidate, error) {
	rows := s.query(`SELECT id, media, tokens FROM `+s.g.table("call")+` WHERE account = $1 AND `+where, args...)
	all, err := sqlrow.All(rows, func(row sqlrow.Row) (c candidate, err error) {
		var id []byte
		err = row.Scan(&c.number, &id, &c.tokens)
		c.media = idOf(id)
		return c, err
	})
	return all, wrap("candidates", err)
}

// allNumbers yields the numbers of all calls of the account in a range, in order.
func (s *snapshot) allNumbers(in span, ascending bool, yield func(int64) bool) error {
	order := "DESC"
	if ascending {
		order = "ASC"
	}
	query := fmt.Sprintf(`SELECT id FROM %s WHERE account = $1 AND id >= $2 AND id <= $3 ORDER BY id %s LIMIT %d`,
		s.g.table("call"), order, mostLoaded)
	for in.from <= in.to {
		some, err := sqlrow.All(s.query(query, s.account, in.from, in.to), sqlrow.Cell[int64])
		if err != nil {
			return wrap("calls", err)
		}
		for _, n := range some {
			if !yield(n) {
				return nil
			}
		}
		if len(some) < mostLoaded {
			return nil
		}
		if ascending {
			in.from = some[len(some)-1] + 1
		} else {
			in.to = some[len(some)-1] - 1
		}
	}
	return nil
}

// numbers yields the numbers of the calls that may satisfy a need, in order, without duplicates. A number may belong to
// a call that has been deleted. It reads one segment after another, and only as far as the caller needs.
func (s *snapshot) numbers(n phrase.Need, in span, ascending bool, yield func(int64) bool) error {
	p, err := s.probe(n)
	if err != nil {
		return err
	}
	all, err := segments(s.ctx, s.tx, s.g, `account = $1 AND high >= $2 AND low <= $3`, s.account, in.from, in.to)
	if err != nil {
		return err
	}
	begin := func(x segment) int64 {
		if ascending {
			return x.low
		}
		return x.high
	}
	slices.SortFunc(all, func(a, b segment) int { return ordered(ascending, cmp.Compare(begin(a), begin(b))) })
	var waiting []int64
	for i, one := range all {
		found, err := s.look(p, one, in)
		if err != nil {
			return err
		}
		waiting = append(waiting, found...)
		slices.SortFunc(waiting, func(a, b int64) int { return ordered(ascending, cmp.Compare(a, b)) })
		waiting = slices.Compact(waiting)
		sure := len(waiting)
		if i+1 < len(all) { // calls beyond the start of the next segment have to wait for it
			next := begin(all[i+1])
			if at := slices.IndexFunc(waiting, func(n int64) bool {
				return ordered(ascending, cmp.Compare(n, next)) >= 0
			}); at >= 0 {
				sure = at
			}
		}
		for _, n := range waiting[:sure] {
			if !yield(n) {
				return nil
			}
		}
		waiting = waiting[sure:]
	}
	return nil
}

// look returns the calls of a segment, within a range, that may satisfy a probe.
func (s *snapshot) look(p probe, one segment, in span) (found []int64, err error) {
	set, err := p.look(&segmentLookup{s, one})
	if err != nil || set.Len() == 0 {
		return nil, err
	}
	numbers, err := numbersOf(s.ctx, s.tx, s.g, one.id)
	if err != nil {
		return nil, err
	}
	for at := range set.All {
		if at < len(numbers) && numbers[at] >= in.from && numbers[at] <= in.to {
			found = append(found, numbers[at])
		}
	}
	return found, nil
}
