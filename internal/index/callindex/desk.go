package callindex

import (
	"context"
	"errors"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"parley/internal/host/memory"
	"parley/internal/index/segment"
	"parley/internal/storage/blob/cache"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/fault"
)

const (
	few      = 2000            // waiting calls that a question reads from the database, at most
	patience = 5 * time.Second // maximum wait for another question that reads the state of the account
)

// desk is what a server has at hand of an account's index: its state when it was last read, and its open segments.
type desk struct {
	busy chan struct{} // holds a token while a goroutine brings the desk up to date

	// of the goroutine that holds the token
	state store.CallIndex
	open  map[string]*segment.Segment // by id
	dead  dead
	parts []*Part // of the segments in force
	tail  tail
	used  time.Time // the last question
}

func (x *Index) desk(a account.ID) *desk {
	x.mu.Lock()
	defer x.mu.Unlock()
	d := x.desks[a]
	if d == nil {
		d = &desk{busy: make(chan struct{}, 1), open: map[string]*segment.Segment{}}
		x.desks[a] = d
	}
	return d
}

// exclusively runs f while no other goroutine brings the desk up to date.
func (d *desk) exclusively(ctx context.Context, f func() error) error {
	select {
	case d.busy <- struct{}{}:
		defer func() { <-d.busy }()
		return f()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// errBusy means that other questions of the account took too long to read its state.
var errBusy = fault.New(fault.Unavailable, fault.CodeAnalyticIndex,
	"the index of calls is being read for other questions of this account; try again in a few seconds")

// Snapshot returns all calls of an account as of now, newest segment first. Unavailable while too many calls wait for a
// segment, or a segment has to be built again.
func (x *Index) Snapshot(ctx context.Context, a account.ID) (parts []*Part, err error) {
	d := x.desk(a)
	limited, cancel := context.WithTimeoutCause(ctx, patience, errBusy)
	defer cancel()
	err = d.exclusively(limited, func() error {
		d.used = time.Now()
		parts, err = x.update(memory.Uncounted(ctx), a, d) // the desk is shared, so no question is charged
		return err
	})
	return parts, err
}

// update brings a desk up to date, and returns its parts.
func (x *Index) update(ctx context.Context, a account.ID, d *desk) ([]*Part, error) {
	var now store.CallIndex
	var read []store.Analytic
	err := x.Store.View(ctx, func(tx *store.Tx) (err error) {
		if now, err = tx.CallIndex(a, d.state, x.few+1); err != nil {
			return err
		}
		if err := x.ready(&now); err != nil {
			return err
		}
		read, err = d.tail.missing(tx, a, now.Waiting)
		return err
	})
	if err != nil {
		return nil, err
	}
	same := now.Version == d.state.Version && now.Incarnation == d.state.Incarnation
	if same {
		now.Segments = d.state.Segments
	}
	again, err := x.openAll(ctx, a, d, now.Segments)
	if err != nil {
		return nil, err
	}
	if dead := deadOf(&now); !same || again || !dead.equal(d.dead) {
		if d.parts, err = d.assemble(now.Segments, dead); err != nil {
			return nil, err
		}
		d.dead = dead
	}
	d.state = now
	if err := d.tail.add(ctx, x, a, read); err != nil {
		return nil, err
	}
	waiting, err := d.tail.parts(now.Waiting, now.Expired)
	return sorted(append(slices.Clone(d.parts), waiting...)), err
}

// ready returns an error if questions cannot be answered from a state.
func (x *Index) ready(now *store.CallIndex) error {
	switch {
	case len(now.Waiting) > x.few:
		return fault.New(fault.Unavailable, fault.CodeAnalyticIndex,
			"the index of calls is being built: more than %d recordings are not in it yet; try again later", x.few)
	case now.Unaccounted != 0:
		return fault.New(fault.Unavailable, fault.CodeAnalyticIndex,
			"the index of calls is being compared with the recordings, because a server of an earlier version has "+
				"deleted some; try again in a few seconds")
	}
	return nil
}

// assemble makes the parts of open segments. It keeps those that are as they were.
func (d *desk) assemble(rows []store.Segment, dead dead) (parts []*Part, err error) {
	before := map[*segment.Segment]*Part{}
	for _, p := range d.parts {
		before[p.Segment] = p
	}
	for _, row := range rows {
		s := d.open[row.ID]
		gone := dead.in(s, row.Oldest, row.Newest)
		p := before[s]
		if p == nil || !slices.Equal(p.dead, gone) {
			if p, err = NewPart(s, gone); err != nil {
				return nil, err
			}
		}
		if !p.empty() {
			parts = append(parts, p)
		}
	}
	return parts, nil
}

// sorted orders parts by their newest call.
func sorted(parts []*Part) []*Part {
	slices.SortFunc(parts, func(a, b *Part) int {
		x, y := a.Key(0), b.Key(0)
		return -slices.Compare(x[:], y[:])
	})
	return parts
}

// opened is how many segments are opened at once, each perhaps with a download.
const opened = 8

// openAll opens the segments that are in force, and lets go of others. A segment whose blob is gone or corrupt is noted
// as lost. again reports that one was opened again, because what this server had of it was corrupt.
func (x *Index) openAll(ctx context.Context, a account.ID, d *desk, rows []store.Segment) (again bool, err error) {
	found := make([]*segment.Segment, len(rows))
	group, limited := errgroup.WithContext(ctx)
	group.SetLimit(opened)
	for i, row := range rows {
		if found[i] = d.open[row.ID]; found[i] != nil {
			if found[i].Err() == nil {
				continue
			}
			x.forget(&row)
			again = true
		}
		group.Go(func() (err error) {
			if row.Lost {
				return errLost
			}
			found[i], err = x.open(limited, &row, x.Blocks)
			if errors.Is(err, segment.ErrVersion) {
				return fault.New(fault.Unavailable, fault.CodeAnalyticIndex, "a server of a later version has written a part of "+
					"the index of calls; ask that one, or update this server")
			}
			if lost(err) {
				return errors.Join(errLost, x.markLost(ctx, a, row.ID))
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return false, err
	}
	clear(d.open)
	for i, row := range rows {
		d.open[row.ID] = found[i]
	}
	return again, nil
}

// errLost means that a segment is being built again.
var errLost = fault.New(fault.Unavailable, fault.CodeAnalyticIndex,
	"a part of the index of calls is missing in the storage, or corrupt, and is being built again; try again later")

// lost reports whether an error of open means that the blob is gone or corrupt.
func lost(err error) bool {
	return fault.Is(err, fault.NotFound) || errors.Is(err, segment.ErrDamaged) || errors.Is(err, cache.ErrCorrupt)
}

// markLost notes that a segment is lost, so that a job builds its calls again.
func (x *Index) markLost(ctx context.Context, a account.ID, id string) error {
	return x.Store.Update(ctx, func(tx *store.Tx) error { return tx.SetSegmentLost(a, id, true) })
}
