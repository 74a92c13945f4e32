package callindex

import (
	"context"
	"slices"

	"parley/internal/index/segment"
	"parley/internal/storage/store"
	"parley/internal/words/media"
)

// mostRead is how many waiting calls are built into one segment.
const mostRead = segment.MaxCalls

// build builds a segment of the calls that wait. A call waits on while its present revision has a tombstone, because a
// segment that is still in force has it, too.
func (w *work) build(ctx context.Context) (done bool, err error) {
	var ids []media.ID
	for _, r := range w.state.Waiting {
		if _, dead := slices.BinarySearchFunc(w.state.Tombstones, r, store.Revision.Compare); !dead {
			ids = append(ids, r.Media)
		}
	}
	if len(ids) < w.least {
		return false, nil
	}
	var b segment.Builder
	var indexed []store.Revision
	for some := range slices.Chunk(ids, batch) {
		items, err := store.Read(ctx, w.Store, func(tx *store.Tx) ([]store.Analytic, error) {
			return tx.AnalyticOf(w.account, some)
		})
		if err != nil {
			return false, err
		}
		if err := w.fill(ctx, w.account, &b, items, stored); err != nil {
			return false, err
		}
		for _, i := range items {
			indexed = append(indexed, store.Revision{Media: i.Media.ID, Change: i.Change})
		}
	}
	if b.Len() == 0 {
		return false, nil // they are about to be deleted
	}
	files, err := b.Apart()
	if err != nil {
		return false, err
	}
	row, err := w.put(ctx, w.account, files)
	if err != nil {
		return false, err
	}
	return true, w.change(ctx, store.SegmentChange{Added: []store.Segment{row}, Indexed: indexed})
}
