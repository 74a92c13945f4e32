package callindex

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"time"

	"parley/internal/index/segment"
	"parley/internal/storage/store"
	"parley/internal/words/account"
)

// letGoEvery is how long a server keeps what nobody asks for: calls that waited, and segments that are not in force any
// more, whose words may be those of deleted calls.
const letGoEvery = time.Minute

// Run lets go of what is not needed any more, until ctx ends. Every server that answers questions runs it.
func (x *Index) Run(ctx context.Context) {
	tick := time.NewTicker(letGoEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			if err := x.LetGo(ctx, now.Add(-letGoEvery)); err != nil && ctx.Err() == nil {
				x.Log.LogAttrs(ctx, slog.LevelWarn, "segments that were replaced cannot be closed", slog.Any("error", err))
			}
		}
	}
}

// LetGo does immediately what Run does, for accounts that nobody has asked about since a time.
func (x *Index) LetGo(ctx context.Context, since time.Time) error {
	versions, err := store.Read(ctx, x.Store, (*store.Tx).IndexVersions)
	if err != nil {
		return err
	}
	x.mu.Lock()
	desks := maps.Clone(x.desks)
	x.mu.Unlock()
	for a, d := range desks {
		err := d.exclusively(ctx, func() error {
			if d.used.After(since) {
				return nil
			}
			d.tail = tail{}
			if version, there := versions[a]; !there && d.state.Version > 0 {
				d.clear()
			} else if there && version != d.state.Version {
				return x.close(ctx, a, d)
			}
			return nil
		})
		if err != nil {
			return err
		}
		if len(d.open) == 0 {
			x.mu.Lock()
			delete(x.desks, a) // a question that holds it goes on with it
			x.mu.Unlock()
		}
	}
	return nil
}

// clear lets go of everything.
func (d *desk) clear() {
	d.state, d.dead, d.parts = store.CallIndex{}, dead{}, nil
	d.open = map[string]*segment.Segment{}
}

// close lets go of the segments that are not in force any more.
func (x *Index) close(ctx context.Context, a account.ID, d *desk) error {
	now, err := store.Read(ctx, x.Store, func(tx *store.Tx) (store.CallIndex, error) {
		return tx.CallIndex(a, store.CallIndex{Version: -1}, 1)
	})
	if err != nil {
		return err
	}
	open := d.open
	d.clear()
	for id, s := range open {
		if slices.ContainsFunc(now.Segments, func(row store.Segment) bool { return row.ID == id }) {
			d.open[id] = s
		}
	}
	return nil
}
