package columnar

import (
	"cmp"
	"context"
	"runtime"
	"slices"

	"parley/internal/host/memory"
	"parley/internal/query"
	"parley/internal/query/callset"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

const (
	// listedFirst is how many recordings that pass a filter are evaluated before the index is used: a filter such as
	// externalId leaves few.
	listedFirst = 1000
	listPage    = 250 // recordings that are read together
	leastRead   = 64  // matches that are looked for before their recordings are read
)

// List returns the recordings of an account that the query of the media list finds: that meet a condition (of package
// fulltext) and pass a filter, in the filter's order, up to its limit (0: 100). Unavailable while the index is being
// built, unless the filter leaves few recordings; Exhausted if too many questions of the account wait.
func (x *Index) List(ctx context.Context, a account.ID, c query.Condition, f store.MediaFilter) ([]media.Media, error) {
	limited, end, err := x.enter(ctx, a)
	if err != nil {
		return nil, err
	}
	defer end()
	f.Searchable, f.Limit = true, cmp.Or(max(f.Limit, 0), 100)
	l := &list{question: question{x: x, ctx: limited, owner: a}, filter: f, judges: map[*part]*judge{}}
	found, err := l.answer(c)
	return found, x.ended(limited, err, "search for rarer words, or restrict the dates")
}

// list is a query of the media list in progress.
type list struct {
	question
	filter store.MediaFilter
	judges map[*part]*judge // of parts that recordings of the filter are in
	last   media.ID         // see listed
}

func (l *list) answer(c query.Condition) (found []media.Media, err error) {
	err = l.work(l.ctx, func(stop) error {
		l.cond = newCondition(c)
		l.cond.among = func(p *part) callset.Set { return p.Listed }
		return nil
	})
	if err != nil {
		return nil, err
	}
	var notReady error
	if l.parts, err = l.x.Calls.Snapshot(l.ctx, l.owner); fault.Is(err, fault.Unavailable) {
		notReady, err = err, nil
	}
	if err != nil {
		return nil, err
	}
	defer runtime.KeepAlive(l.parts) // keeps their mapped memory alive as well
	f := l.filter
	if notReady != nil || f.Status != "" || f.ExternalID != "" || len(f.Fields) > 0 {
		if found, err = l.listed(f); err != nil || l.last == "" || len(found) == f.Limit {
			return found, err
		}
		f = behind(f, l.last)
	}
	if notReady != nil {
		return nil, notReady
	}
	f.Limit -= len(found)
	rest, err := l.indexed(f)
	return append(found, rest...), err
}

// behind restricts a filter to recordings after the given one in its order.
func behind(f store.MediaFilter, id media.ID) store.MediaFilter {
	if f.Ascending {
		f.After = id
	} else {
		f.Before = id
	}
	return f
}

// listed lists recordings that pass the filter and evaluates them one by one: so many as a page needs, or listedFirst.
// l.last is then the last one evaluated; it is empty if there are no further ones.
func (l *list) listed(f store.MediaFilter) (found []media.Media, err error) {
	limit := f.Limit
	f.Limit = listPage
	for judged := 0; judged < l.x.listedFirst; judged += f.Limit {
		items, err := l.read(f)
		if err != nil {
			return nil, err
		}
		matching, err := l.judged(items)
		if err != nil {
			return nil, err
		}
		found = append(found, matching...)
		if len(found) >= limit {
			return found[:limit], nil
		}
		if l.last = ""; len(items) < f.Limit {
			return found, nil
		}
		l.last = items[len(items)-1].ID
		f = behind(f, l.last)
	}
	return found, nil
}

// revised is a recording with the number of its last change, as one transaction has read both.
type revised struct {
	media.Media
	change int64
}

// read lists recordings that pass a filter. They count as memory of the request, their numbers of changes do not.
func (l *list) read(f store.MediaFilter) (items []revised, err error) {
	counted, end := memory.Part(l.ctx)
	defer end()
	err = l.x.Store.View(l.ctx, func(tx *store.Tx) error {
		all, err := tx.ListMedia(l.owner, f)
		if err != nil {
			return err
		}
		ids := make([]media.ID, len(all))
		for i := range all {
			ids[i] = all[i].ID
		}
		changes, err := tx.Within(counted).Revisions(l.owner, ids)
		items = make([]revised, len(all))
		for i := range all {
			items[i] = revised{all[i], changes[all[i].ID]}
		}
		return err
	})
	return items, err
}

// judged returns those of some recordings that match, in their order. Those that have changed since the snapshot, or are
// not in it, are evaluated as they are in the database now.
func (l *list) judged(items []revised) ([]media.Media, error) {
	matches := map[media.ID]bool{}
	var changed []media.ID
	err := l.loading(l.ctx, func(stop stop) error {
		changed = nil
		for _, item := range items {
			p, call := l.place(item.ID)
			if p == nil || p.Revision(call) != item.change {
				changed = append(changed, item.ID)
				continue
			}
			j := l.judges[p]
			if j == nil {
				var err error
				if j, err = l.cond.over(p, nil, stop); err != nil {
					return err
				}
				l.judges[p] = j
			}
			match, err := j.matchesCall(call, stop)
			if err != nil {
				return err
			}
			matches[item.ID] = match
		}
		return nil
	}, nil)
	if err != nil {
		return nil, err
	}
	if err := l.judgeChanged(changed, matches); err != nil {
		return nil, err
	}
	return l.only(items, matches), nil
}

// place returns where the snapshot has a recording; nil if it does not.
func (l *list) place(id media.ID) (*part, int) {
	for _, p := range l.parts {
		if id > p.ID(0) || id < p.ID(p.Len()-1) {
			continue
		}
		if call := p.Place(id); call >= 0 && p.Listed.Has(call) {
			return p, call
		}
	}
	return nil, 0
}

// judgeChanged evaluates recordings as they are in the database.
func (l *list) judgeChanged(ids []media.ID, matches map[media.ID]bool) error {
	for some := range slices.Chunk(ids, readAtOnce) {
		counted, end := memory.Part(l.ctx)
		err := l.fromDatabase(counted, some, func(p *part, stop stop) error {
			j, err := l.cond.over(p, nil, stop)
			if err != nil {
				return err
			}
			for call, err := range j.matches(0, stop) {
				if err != nil {
					return err
				}
				matches[p.ID(call)] = true
			}
			return nil
		})
		end()
		if err != nil {
			return err
		}
	}
	return nil
}

// only returns the recordings that match, and gives back the memory of the others.
func (l *list) only(items []revised, matches map[media.ID]bool) (found []media.Media) {
	for i := range items {
		if matches[items[i].ID] {
			found = append(found, items[i].Media)
		} else {
			memory.Give(l.ctx, store.Memory(&items[i].Media))
		}
	}
	return found
}

// indexed returns the recordings that match and pass the filter, from the newest part of the index to the oldest, or the
// other way round.
func (l *list) indexed(f store.MediaFilter) (found []media.Media, err error) {
	s := newStream(l, f)
	limit := f.Limit
	for {
		var refs []ref
		err := l.loading(l.ctx, func(stop stop) (err error) {
			refs, err = s.next(max(limit-len(found), leastRead), stop)
			return err
		}, func() []*part { return s.waiting[1:] })
		if err != nil || len(refs) == 0 {
			return found, err
		}
		for some := range slices.Chunk(refs, listPage) {
			matching, err := l.passing(f, some)
			if err != nil {
				return nil, err
			}
			if found = append(found, matching...); len(found) >= limit {
				return found[:limit], nil
			}
		}
	}
}

// passing reads the recordings of matches that pass the filter. Those that have changed since are evaluated again.
func (l *list) passing(f store.MediaFilter, refs []ref) ([]media.Media, error) {
	revisions := map[media.ID]int64{}
	f.IDs, f.Limit = make([]media.ID, len(refs)), len(refs)
	for i, r := range refs {
		f.IDs[i] = r.part.ID(r.call)
		revisions[f.IDs[i]] = r.part.Revision(r.call)
	}
	if err := l.readError(); err != nil {
		return nil, err
	}
	items, err := l.read(f)
	if err != nil {
		return nil, err
	}
	matches := map[media.ID]bool{}
	var changed []media.ID
	for _, item := range items {
		if revisions[item.ID] == item.change {
			matches[item.ID] = true
		} else {
			changed = append(changed, item.ID)
		}
	}
	if err := l.judgeChanged(changed, matches); err != nil {
		return nil, err
	}
	return l.only(items, matches), nil
}

// stream is the matches of all parts within the ids of a filter, in its order.
type stream struct {
	*list
	ascending     bool
	after, before media.ID
	waiting       []*part // not begun, in the order of their first calls
	begun         []*head
	found         []ref // that next has found and not returned
}

// head is a part with its next match.
type head struct {
	*judge
	from, to int // the calls that are left, to exclusive
	call     int // the match
}

func (h *head) ref() ref { return ref{part: h.part, call: h.call} }

func newStream(l *list, f store.MediaFilter) *stream {
	s := &stream{list: l, ascending: f.Ascending, waiting: slices.Clone(l.parts)}
	s.after, s.before = f.Bounds()
	slices.SortFunc(s.waiting, func(a, b *part) int { return s.order(s.first(a), s.first(b)) })
	return s
}

// first returns the first call of a part in the order of the stream.
func (s *stream) first(p *part) ref {
	if s.ascending {
		return ref{part: p, call: p.Len() - 1}
	}
	return ref{part: p}
}

func (s *stream) order(a, b ref) int {
	if s.ascending {
		return newer(b, a)
	}
	return newer(a, b)
}

// next returns up to n further matches. After the error unloaded it goes on where it was.
func (s *stream) next(n int, stop stop) ([]ref, error) {
	for len(s.found) < n {
		h, err := s.best(stop)
		if err != nil {
			return nil, err
		}
		if h == nil {
			break
		}
		s.found = append(s.found, h.ref())
		if err := s.advance(h, stop); err != nil {
			return nil, err
		}
	}
	found := s.found
	s.found = nil
	return found, nil
}

// best returns the head with the next match of the stream, nil at the end. It begins the parts that may have it.
func (s *stream) best(stop stop) (best *head, err error) {
	for {
		for _, h := range s.begun {
			if best == nil || s.order(h.ref(), best.ref()) < 0 {
				best = h
			}
		}
		if len(s.waiting) == 0 {
			return best, nil
		}
		p := s.waiting[0]
		if best != nil && s.order(best.ref(), s.first(p)) < 0 {
			return best, nil
		}
		if err := s.begin(p, stop); err != nil {
			return nil, err
		}
		s.waiting, best = s.waiting[1:], nil
	}
}

func (s *stream) begin(p *part, stop stop) error {
	h := &head{}
	if h.from, h.to = p.Between(s.after, s.before); h.from >= h.to {
		return p.Err()
	}
	var err error
	if h.judge, err = s.cond.over(p, nil, stop); err != nil {
		return err
	}
	s.begun = append(s.begun, h)
	return s.advance(h, stop)
}

// advance goes to the next match of a part, or drops it at its end.
func (s *stream) advance(h *head, stop stop) (err error) {
	if s.ascending {
		h.call, err = h.previous(h.to-1, stop)
		h.to = h.call
	} else {
		h.call, err = h.next(h.from, stop)
		h.from = h.call + 1
	}
	if s.ascending && h.call < h.from || !s.ascending && h.call >= h.to {
		h.call = -1
	}
	if err == nil && h.call < 0 {
		s.begun = slices.DeleteFunc(s.begun, func(o *head) bool { return o == h })
	}
	return err
}
