package search

import (
	"slices"
	"strings"
	"time"

	"parley/internal/storage/store"
	"parley/internal/words/media"
)

// merged answers with the candidates of the index and, in their order, what the index does not have.
func (s *search) merged(f store.MediaFilter) ([]media.Media, error) {
	m := &merger{search: s, filter: f, others: stream{load: s.others(f)}}
	err := s.index.scan(s.query.Need(), bounds(f), f.Ascending, f.Limit+f.Limit/4, m.candidate)
	if err == nil {
		err = m.flush()
	}
	if err == nil {
		err = m.take("")
	}
	return m.found, err
}

// merger fills a page in the order of its filter.
type merger struct {
	*search
	filter store.MediaFilter
	others stream     // what the index does not have
	batch  []media.ID // what the index has and the query lets through; the filter is next
	found  []media.Media
}

func (m *merger) full() bool { return len(m.found) >= m.filter.Limit }

// candidate judges a candidate of the index, and reports whether further ones are wanted.
func (m *merger) candidate(c candidate) (bool, error) {
	if err := m.yield(); err != nil {
		return false, err
	}
	if !m.trusted(c.media) {
		return true, nil
	}
	if err := m.file.Decode(c.tokens); err != nil {
		return false, err
	}
	if !m.program.Match(&m.file) {
		return true, nil
	}
	if m.batch = append(m.batch, c.media); len(m.batch) < min(m.filter.Limit, 500) {
		return true, nil
	}
	err := m.flush()
	return !m.full(), err
}

// flush takes what the filter lets through of the batch, with the others that come before.
func (m *merger) flush() error {
	if len(m.batch) == 0 || m.full() {
		return nil
	}
	f := m.filter
	f.IDs, f.Limit = m.batch, len(m.batch)
	items, err := m.tx.ListMedia(m.account, f)
	if err != nil {
		return err
	}
	m.batch = nil
	for _, item := range items {
		if err := m.take(item.ID); err != nil {
			return err
		}
		if m.full() {
			return nil
		}
		m.found = append(m.found, item)
	}
	return nil
}

// take takes those of the others that come before an item, all when it is empty.
func (m *merger) take(id media.ID) error {
	for !m.full() {
		other, err := m.others.head()
		if err != nil || other == nil || id != "" && !before(m.filter, other.ID, id) {
			return err
		}
		m.found = append(m.found, *other)
		m.others.next()
	}
	return nil
}

// before reports whether an item comes before another in a filter's order.
func before(f store.MediaFilter, a, b media.ID) bool {
	if f.Ascending {
		return a < b
	}
	return a > b
}

// others loads, piece by piece and in order, what matches of the items that the index does not have: those that wait
// and those beyond its horizon, which are the oldest.
func (s *search) others(f store.MediaFilter) func() ([]media.Media, bool, error) {
	first, second := s.changed(f), s.beyond(f)
	if f.Ascending {
		first, second = second, first
	}
	return func() ([]media.Media, bool, error) {
		items, more, err := first()
		if err != nil || more {
			return items, more, err
		}
		return second()
	}
}

// changed loads the items that wait, within the horizon.
func (s *search) changed(f store.MediaFilter) func() ([]media.Media, bool, error) {
	waiting := slices.Clone(s.waiting[firstFrom(s.waiting, s.horizon):])
	if !f.Ascending {
		slices.Reverse(waiting)
	}
	pieces := slices.Collect(slices.Chunk(waiting, 100))
	return func() ([]media.Media, bool, error) {
		if len(pieces) == 0 {
			return nil, false, nil
		}
		f.IDs, f.Limit = pieces[0], len(pieces[0])
		pieces = pieces[1:]
		items, err := s.judgeListed(f)
		return items, true, err
	}
}

// beyond loads the items beyond the horizon.
func (s *search) beyond(f store.MediaFilter) func() ([]media.Media, bool, error) {
	done := s.horizon == ""
	if f.Before == "" || f.Before > s.horizon {
		f.Before = s.horizon
	}
	f.Limit = 100
	return func() ([]media.Media, bool, error) {
		if done {
			return nil, false, nil
		}
		items, err := s.tx.ListMedia(s.account, f)
		if err != nil {
			return nil, false, err
		}
		if done = len(items) < f.Limit; !done {
			f = behind(f, items[len(items)-1].ID)
		}
		matching, err := s.judge(items)
		return matching, true, err
	}
}

func (s *search) judgeListed(f store.MediaFilter) ([]media.Media, error) {
	items, err := s.tx.ListMedia(s.account, f)
	if err != nil {
		return nil, err
	}
	return s.judge(items)
}

// firstFrom returns the index of the first id that is not less than one.
func firstFrom(ids []media.ID, id media.ID) int {
	i, _ := slices.BinarySearchFunc(ids, id, func(a, b media.ID) int { return strings.Compare(string(a), string(b)) })
	return i
}

// stream is a list that is loaded as it is read.
type stream struct {
	load   func() (items []media.Media, more bool, err error)
	loaded []media.Media
	ended  bool
}

// head returns the next item, nil at the end.
func (s *stream) head() (*media.Media, error) {
	for len(s.loaded) == 0 {
		if s.ended {
			return nil, nil
		}
		items, more, err := s.load()
		if err != nil {
			return nil, err
		}
		s.loaded, s.ended = items, !more
	}
	return &s.loaded[0], nil
}

func (s *stream) next() { s.loaded = s.loaded[1:] }

// bounds is where the calls of a filter lie, and maybe a few more.
func bounds(f store.MediaFilter) span {
	in := span{0, 1<<63 - 1}
	at := func(t time.Time) int64 { return max(t.UnixMilli(), 0) << slotBits }
	if !f.From.IsZero() {
		in.from = at(f.From)
	}
	if !f.Until.IsZero() {
		_, in.to = moment(at(f.Until))
	}
	if f.After != "" {
		first, _ := moment(number(f.After))
		in.from = max(in.from, first)
	}
	if f.Before != "" {
		_, last := moment(number(f.Before))
		in.to = min(in.to, last)
	}
	return in
}
