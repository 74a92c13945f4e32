package search

import (
	"slices"
	"strings"
	"time"

	"parley/internal/media"
	"parley/internal/store"
)

// merged answers with the candidates of the index and, in their order, what the index does not have.
func (s *search) merged(f store.MediaFilter) ([]media.Media, error) {
	other := &stream{load: s.others(f)}
	var found []media.Media
	// take moves those of the others that come before an item, all when it is empty.
	take := func(id media.ID) error {
		for len(found) < f.Limit {
			m, err := other.head()
			if err != nil || m == nil || id != "" && !before(f, m.ID, id) {
				return err
			}
			found = append(found, *m)
			other.next()
		}
		return nil
	}
	var batch []media.ID
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		some := f
		some.IDs, some.Limit = batch, len(batch)
		items, err := s.tx.ListMedia(s.account, some)
		batch = nil
		for i := 0; i < len(items) && err == nil && len(found) < f.Limit; i++ {
			if err = take(items[i].ID); len(found) < f.Limit {
				found = append(found, items[i])
			}
		}
		return err
	}
	err := s.index.scan(s.query.Need(), bounds(f), f.Ascending, f.Limit+f.Limit/4, func(c candidate) (bool, error) {
		if !s.trusted(c.media) {
			return true, nil
		}
		if err := s.file.Decode(c.tokens); err != nil {
			return false, err
		}
		if !s.program.Match(&s.file) {
			return true, nil
		}
		if batch = append(batch, c.media); len(batch) < min(f.Limit, 500) {
			return true, nil
		}
		err := flush()
		return len(found) < f.Limit, err
	})
	if err == nil && len(found) < f.Limit {
		err = flush()
	}
	if err == nil {
		err = take("")
	}
	return found, err
}

// before reports whether an item comes before another in a filter's order.
func before(f store.MediaFilter, a, b media.ID) bool {
	if f.Ascending {
		return a < b
	}
	return a > b
}

// others loads, piece by piece and in order, what matches of the items that the index does not have: those that wait and
// those beyond its horizon, which are the oldest.
func (s *search) others(f store.MediaFilter) func() ([]media.Media, bool, error) {
	waiting := slices.Clone(s.waiting[firstFrom(s.waiting, s.horizon):])
	if !f.Ascending {
		slices.Reverse(waiting)
	}
	pieces := slices.Collect(slices.Chunk(waiting, 100))
	changed := func() ([]media.Media, bool, error) {
		if len(pieces) == 0 {
			return nil, false, nil
		}
		some := f
		some.IDs, some.Limit = pieces[0], len(pieces[0])
		pieces = pieces[1:]
		items, err := s.judgeListed(some)
		return items, true, err
	}
	old, done := f, s.horizon == ""
	if old.Before == "" || old.Before > s.horizon {
		old.Before = s.horizon
	}
	beyond := func() ([]media.Media, bool, error) {
		if done {
			return nil, false, nil
		}
		old.Limit = 100
		items, err := s.tx.ListMedia(s.account, old)
		if err != nil {
			return nil, false, err
		}
		if done = len(items) < old.Limit; !done {
			old = behind(old, items[len(items)-1].ID)
		}
		matching, err := s.judge(items)
		return matching, true, err
	}
	first, second := changed, beyond
	if f.Ascending {
		first, second = beyond, changed
	}
	return func() ([]media.Media, bool, error) {
		items, more, err := first()
		if err != nil || more {
			return items, more, err
		}
		return second()
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
