package callindex

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"slices"
	"time"

	"parley/internal/storage/store"
	"parley/internal/words/account"
)

// letGoEvery is how long a server keeps what nobody asks for: calls that waited, and segments that are not in force any
// more, whose words may be those of deleted calls.
const letGoEvery = time.Minute

// openFor is how much longer it keeps segments open that are in force.
const openFor = 10 * time.Minute

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
			defer x.dropEmpty(a, d)
			used := time.Unix(0, d.used.Load())
			if used.After(since) {
				return nil
			}
			d.forget()
			version, there := versions[a]
			if !there && d.state.Version > 0 || used.Before(since.Add(-openFor)) {
				x.clear(d)
			} else if there && version != d.state.Version {
				return x.close(ctx, a, d)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// dropEmpty drops the desk of an account if it has no segments. Whoever calls it has the desk exclusively; a question that
// waits for it goes on with it.
func (x *Index) dropEmpty(a account.ID, d *desk) {
	if len(d.open) == 0 {
		x.mu.Lock()
		defer x.mu.Unlock()
		delete(x.desks, a)
	}
}

// mostOpened is how many segments a server keeps open, each with up to two files; the least recently used accounts lose
// theirs. Those that a question uses stay open until it ends.
const mostOpened = 8192

// shed lets go of the segments of accounts that nobody has asked about for the longest time.
func (x *Index) shed() {
	x.mu.Lock()
	desks := slices.Collect(maps.Values(x.desks))
	x.mu.Unlock()
	last := map[*desk]int64{}
	for _, d := range desks {
		last[d] = d.used.Load()
	}
	slices.SortFunc(desks, func(a, b *desk) int { return cmp.Compare(last[a], last[b]) })
	for _, d := range desks {
		if x.opened.Load() <= x.mostOpened*3/4 {
			return
		}
		select {
		case d.busy <- struct{}{}:
			x.clear(d)
			<-d.busy
		default: // it is in use
		}
	}
}

// clear lets go of everything that a desk has.
func (x *Index) clear(d *desk) {
	x.opened.Add(-int64(len(d.open)))
	d.state, d.dead, d.parts = store.CallIndex{}, dead{}, nil
	d.open = map[string]*opened{}
	d.forget()
}

// forget lets go of what was read from the database.
func (d *desk) forget() {
	d.tail, d.touched = tail{extent: whole}, tail{extent: values}
	d.parts = d.touched.renew(d.parts, nil)
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
	x.clear(d)
	for _, row := range now.Segments {
		if s := open[row.ID]; s != nil && s.row.Values == row.Values {
			d.open[row.ID] = s
		}
	}
	x.opened.Add(int64(len(d.open)))
	return nil
}
