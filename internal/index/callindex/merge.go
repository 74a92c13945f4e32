package callindex

import (
	"cmp"
	"context"
	"slices"

	"parley/internal/index/segment"
	"parley/internal/query/callset"
	"parley/internal/storage/store"
)

const (
	fewToMerge = 8  // segments of similar size that are merged into one
	muchGone   = 20 // a segment is written again at once if one in so many of its calls has a tombstone
)

// source is a segment in force with its calls that have tombstones.
type source struct {
	store.Segment
	open *segment.Segment
	dead callset.Set
}

// merge replaces small segments by a larger one, or a segment with deleted calls by one without them.
func (w *work) merge(ctx context.Context) (done bool, err error) {
	all, err := w.sources(ctx)
	if all == nil || err != nil {
		return len(w.state.Segments) > 0, err
	}
	w.purge = w.purge || w.state.Age >= purgeAfter
	chosen := choose(all, w.together, w.purge)
	if len(chosen) == 0 {
		return false, nil
	}
	var c store.SegmentChange
	for _, s := range chosen {
		if s.open == nil {
			s.open, err = w.open(ctx, &s.Segment, w.jobBlocks)
		}
		if err == nil {
			err = s.open.Load(ctx)
		}
		if err != nil {
			return true, w.lose(ctx, s.Segment, err)
		}
		c.Removed = append(c.Removed, s.ID)
		for call := range s.dead.All {
			c.Dropped = append(c.Dropped, store.Revision{Media: s.open.ID(call), Change: s.open.Change(call)})
		}
	}
	files, err := w.merged(ctx, chosen)
	for _, s := range chosen {
		if err := s.open.Err(); err != nil {
			return true, w.lose(ctx, s.Segment, err)
		}
	}
	if err != nil {
		return false, err
	}
	if files.Words != nil {
		row, err := w.put(ctx, w.account, files)
		if err != nil {
			return false, err
		}
		c.Added = []store.Segment{row}
	}
	return true, w.change(ctx, c)
}

// merged returns a segment of the calls of open segments that have no tombstones, without files if there are none.
func (w *work) merged(ctx context.Context, chosen []*source) (f segment.Files, err error) {
	err = w.Work(ctx, w.account, func(stop func() error) (err error) {
		if len(chosen) == 1 {
			if s := chosen[0]; s.dead.Len() < s.open.Len() {
				f, err = s.open.Only(s.left())
			}
			return err
		}
		var b segment.Builder
		for _, s := range chosen {
			if err := cmp.Or(b.Take(s.open, s.left()), stop()); err != nil {
				return err
			}
		}
		if b.Len() > 0 {
			f, err = b.Apart()
		}
		return err
	})
	return f, err
}

// left returns the calls without tombstones.
func (s *source) left() callset.Set { return s.dead.Others(s.open.Len()) }

// lose returns an error; if it means that a segment is lost, that is noted first, so that its calls are built again.
func (w *work) lose(ctx context.Context, s store.Segment, err error) error {
	if !lost(err) {
		return err
	}
	return w.markLost(ctx, w.account, s.ID)
}

// sources returns the segments in force; nil if one is lost. It opens those that tombstones may concern.
func (w *work) sources(ctx context.Context) ([]*source, error) {
	all := make([]*source, len(w.state.Segments))
	d := dead{revisions: w.state.Tombstones}
	for i, row := range w.state.Segments {
		all[i] = &source{Segment: row, dead: callset.New(row.Calls)}
		if len(d.between(row.Oldest, row.Newest)) == 0 {
			continue
		}
		s, err := w.open(ctx, &row, w.jobBlocks)
		if err == nil {
			all[i].open, all[i].dead = s, d.in(s, row.Oldest, row.Newest)
			err = s.Err()
		}
		if err != nil {
			return nil, w.lose(ctx, row, err)
		}
	}
	return all, nil
}

// choose selects segments to replace by one: at least few of similar size, or one with calls that have tombstones, if
// they are many or purge is set.
func choose(all []*source, few int, purge bool) []*source {
	tiers := map[int][]*source{}
	var stale *source
	for _, s := range all {
		gone := s.dead.Len()
		if gone > 0 && (stale == nil || gone > stale.dead.Len()) {
			stale = s
		}
		if left := s.Calls - gone; left <= segment.MaxCalls/2 {
			tiers[tier(left)] = append(tiers[tier(left)], s)
		}
	}
	for _, some := range tiers {
		if len(some) >= few {
			return fitting(some)
		}
	}
	if stale != nil && (purge || stale.dead.Len()*muchGone >= stale.Calls) {
		return []*source{stale}
	}
	return nil
}

// fitting returns as many segments, smallest first, as fit into one.
func fitting(some []*source) (fit []*source) {
	slices.SortFunc(some, func(a, b *source) int { return cmp.Compare(a.Calls, b.Calls) })
	total := 0
	for _, s := range some {
		if total += s.Calls; total > segment.MaxCalls {
			break
		}
		fit = append(fit, s)
	}
	return fit
}

// tier returns how often a size can be divided by fewToMerge.
func tier(calls int) (n int) {
	for ; calls >= fewToMerge; calls /= fewToMerge {
		n++
	}
	return n
}
