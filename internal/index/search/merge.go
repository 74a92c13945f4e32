package search

import (
	"slices"
	"time"

	"parley/internal/storage/store"
	"parley/internal/words/media"
)

// merged returns the matching candidates of the index, merged in order with the matching items that the index lacks.
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
	others stream     // items that the index lacks
	batch  []media.ID // matching items of the index; the filter is applied next
	found  []media.Media
}

func (m *merger) full() bool { return len(m.found) >= m.filter.Limit }

// candidate evaluates a candidate of the index, and reports whether more are needed.
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

// flush appends the items of the batch that pass the filter, and the others that sort before them.
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

// take appends those of the others that sort before an item; all of them if it is empty.
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

// others loads, batch by batch and in order, the matching items that the index lacks: those with pending changes, and
// those beyond its horizon, which are the oldest.
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

// changed loads the items with pending changes within the horizon.
func (s *search) changed(f store.MediaFilter) func() ([]media.Media, bool, error) {
	first, _ := slices.BinarySearch(s.waiting, s.horizon)
	waiting := slices.Clone(s.waiting[first:])
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

// stream is a lazily loaded list.
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

// bounds returns the range of call numbers for a filter, possibly slightly too wide.
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
