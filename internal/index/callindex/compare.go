package callindex

import (
	"bytes"
	"context"
	"runtime"
	"slices"

	"github.com/google/uuid"

	"parley/internal/index/segment"
	"parley/internal/storage/store"
	"parley/internal/words/media"
)

// compare compares the segments with the database if one is lost. Calls that no segment has wait for one again; what
// segments have beyond the database gets tombstones. It needs 24 bytes of memory for each call of the account.
func (w *work) compare(ctx context.Context) (done bool, err error) {
	if !slices.ContainsFunc(w.state.Segments, func(s store.Segment) bool { return s.Lost }) {
		return false, nil
	}
	there := map[uuid.UUID]int64{} // the revisions in segments
	var c store.SegmentChange
	for _, row := range w.state.Segments {
		s, err := w.openWhole(ctx, &row, w.jobBlocks)
		if err == nil {
			err = note(there, s, &dead{revisions: w.state.Tombstones}, row)
		}
		switch {
		case lost(err):
			c.Removed = append(c.Removed, row.ID)
		case err != nil:
			return false, err
		case row.Lost:
			if err := w.restore(ctx, row); err != nil {
				return false, err
			}
			c.Found = append(c.Found, row.ID)
		}
	}
	if err := w.reconcile(ctx, there); err != nil {
		return false, err
	}
	return true, w.change(ctx, c)
}

// restore stores the blobs of a segment again, of which this server has copies: another one has found that one is gone
// or corrupt.
func (w *work) restore(ctx context.Context, row store.Segment) error {
	for _, f := range row.Files() {
		if f.Key == "" {
			continue // the blob itself was opened
		}
		file, err := w.Cache.Get(ctx, f.Blob, f.Key.Size(f.Size), f.Sum)
		if err != nil {
			return err
		}
		_, err = w.Blobs.Put(ctx, f.Blob, bytes.NewReader(file.Data()))
		runtime.KeepAlive(file)
		if err != nil {
			return err
		}
	}
	return nil
}

// note writes down the revisions of a segment, without those that have tombstones.
func note(there map[uuid.UUID]int64, s *segment.Segment, d *dead, row store.Segment) error {
	buried := d.in(s, row.Oldest, row.Newest)
	for call := range s.Len() {
		if !buried.Has(call) {
			there[s.Key(call)] = s.Change(call)
		}
	}
	return s.Err()
}

// reconcile makes the calls wait that should be there, and buries what is there beyond the calls of the account. It
// takes from there what is as it should be.
func (w *work) reconcile(ctx context.Context, there map[uuid.UUID]int64) error {
	for after := media.ID(""); ; {
		some, err := store.Read(ctx, w.Store, func(tx *store.Tx) ([]store.Revision, error) {
			return tx.KeptCalls(w.account, after, batch)
		})
		if err != nil {
			return err
		}
		var missing []store.Revision
		for _, r := range some {
			key, err := uuid.Parse(string(r.Media))
			if change, ok := there[key]; err == nil && ok && change == r.Change {
				delete(there, key)
			} else {
				missing = append(missing, r)
			}
		}
		if err := w.holding(ctx, func(tx *store.Tx) error { return tx.Unkeep(w.account, missing) }); err != nil {
			return err
		}
		if len(some) < batch {
			break
		}
		after = some[len(some)-1].Media
	}
	var dead []store.Revision
	for key, change := range there {
		dead = append(dead, store.Revision{Media: media.ID(key.String()), Change: change})
	}
	return w.holding(ctx, func(tx *store.Tx) error { return tx.Bury(w.account, dead) })
}

// holding runs a transaction during which the segments are those that the job has read.
func (w *work) holding(ctx context.Context, f func(*store.Tx) error) error {
	return w.Store.Update(ctx, func(tx *store.Tx) error {
		if err := tx.FenceJob(w.job); err != nil {
			return err
		}
		if err := tx.HoldSegments(w.account, w.state.Version); err != nil {
			return err
		}
		return f(tx)
	})
}
