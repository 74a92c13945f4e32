package callindex

import (
	"cmp"
	"context"
	"slices"

	"parley/internal/index/segment"
	"parley/internal/storage/store"
	"parley/internal/words/media"
)

// renew replaces the values of a segment, if the values of many calls have changed, or some of them long ago.
func (w *work) renew(ctx context.Context) (done bool, err error) {
	old := w.purge || w.state.Stale >= purgeAfter
	if len(w.state.Touched) == 0 || !old && len(w.state.Touched) < w.leastTouched {
		return false, nil
	}
	for _, row := range stalest(w.state.Segments, w.state.Touched, old) {
		s, err := w.open(ctx, row, w.jobBlocks)
		if err != nil {
			return true, w.lose(ctx, *row, err)
		}
		calls := touchedIn(s, w.state.Touched)
		if s.Err() != nil {
			return true, w.lose(ctx, *row, s.Err())
		}
		if len(calls) > 0 {
			return true, w.renewSome(ctx, row, s, calls)
		}
	}
	return false, nil
}

// renewSome replaces the values of a segment, of which some calls have newer ones.
func (w *work) renewSome(ctx context.Context, row *store.Segment, s *segment.Segment, calls []media.ID) error {
	var drafts []*segment.Draft
	r := store.Renewal{Segment: row.ID}
	for some := range slices.Chunk(calls, batch) {
		items, err := store.Read(ctx, w.Store, func(tx *store.Tx) ([]store.Analytic, error) {
			return tx.AnalyticOf(w.account, some)
		})
		if err != nil {
			return err
		}
		more, err := w.drafts(ctx, w.account, items, values)
		if err != nil {
			return err
		}
		for _, d := range more {
			r.Calls = append(r.Calls, store.Revision{Media: d.ID, Change: d.Change})
		}
		drafts = append(drafts, more...)
	}
	var data []byte
	err := w.Work(ctx, w.account, func(func() error) (err error) {
		data, err = s.Renewed(drafts)
		return err
	})
	if s.Err() != nil {
		return w.lose(ctx, *row, s.Err())
	}
	if err == nil {
		r.Values, err = w.putFile(ctx, data)
	}
	if err != nil {
		return err
	}
	return w.change(ctx, store.SegmentChange{Renewed: []store.Renewal{r}})
}

// stalest returns the segments that may have touched calls, those with the most first. If old is set, those that may
// have the call that was touched first come before them.
func stalest(segments []store.Segment, touched []store.Touched, old bool) (rows []*store.Segment) {
	count := map[*store.Segment]int{}
	for i := range segments {
		s := &segments[i]
		for n, c := range touched {
			if s.Oldest <= c.Media && c.Media <= s.Newest {
				if count[s]++; old && n == 0 {
					count[s] += len(touched)
				}
			}
		}
		if count[s] > 0 {
			rows = append(rows, s)
		}
	}
	slices.SortStableFunc(rows, func(a, b *store.Segment) int { return cmp.Compare(count[b], count[a]) })
	return rows
}

// touchedIn returns those of the touched calls whose words a segment has.
func touchedIn(s *segment.Segment, touched []store.Touched) (calls []media.ID) {
	for _, c := range touched {
		if at := placeOf(s, c.Media); at >= 0 && s.Change(at) == c.Kept {
			calls = append(calls, c.Media)
		}
	}
	return calls
}
