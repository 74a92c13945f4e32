package callindex

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync/atomic"
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
	state   store.CallIndex
	open    map[string]*opened // by id
	dead    dead
	parts   []*Part // of the segments in force, with the values that these have
	tail    tail
	touched tail // values of calls whose words are in segments

	used atomic.Int64 // the time of the last question, in nanoseconds since 1970
}

// opened is an open segment in force.
type opened struct {
	*segment.Segment
	row store.Segment
}

func (x *Index) desk(a account.ID) *desk {
	x.mu.Lock()
	defer x.mu.Unlock()
	d := x.desks[a]
	if d == nil {
		d = &desk{busy: make(chan struct{}, 1)}
		x.clear(d)
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
		d.used.Store(time.Now().UnixNano())
		parts, err = x.update(memory.Uncounted(ctx), a, d) // the desk is shared, so no question is charged
		return err
	})
	if x.opened.Load() > x.mostOpened {
		x.shed()
	}
	return parts, err
}

// update brings a desk up to date, and returns its parts.
func (x *Index) update(ctx context.Context, a account.ID, d *desk) ([]*Part, error) {
	var now store.CallIndex
	var read, values []store.Analytic
	err := x.Store.View(ctx, func(tx *store.Tx) (err error) {
		if now, err = tx.CallIndex(a, d.state, x.few+1); err != nil {
			return err
		}
		if err := x.ready(&now); err != nil {
			return err
		}
		if read, err = d.tail.missing(tx, a, now.Waiting); err != nil {
			return err
		}
		values, err = d.touched.missing(tx, a, revisionsOf(now.Touched))
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
	if err := cmp.Or(d.tail.add(ctx, x, a, read), d.touched.add(ctx, x, a, values)); err != nil {
		return nil, err
	}
	waiting, err := d.tail.parts(now.Waiting, now.Expired)
	if err != nil {
		return nil, err
	}
	d.parts = d.touched.renew(d.parts, now.Touched)
	return sorted(append(slices.Clone(d.parts), waiting...)), nil
}

// ready returns an error if questions cannot be answered from a state.
func (x *Index) ready(now *store.CallIndex) error {
	if len(now.Waiting) > x.few || len(now.Touched) > x.few {
		return fault.New(fault.Unavailable, fault.CodeAnalyticIndex,
			"the index of calls is being built: more than %d recordings are not in it yet; try again later", x.few)
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
		s := d.open[row.ID].Segment
		gone := dead.in(s, row.Oldest, row.Newest)
		p := before[s]
		if p == nil || !slices.Equal(p.dead, gone) {
			if p, err = NewPart(s, gone); err != nil {
				return nil, err
			}
			p.row = row.ID
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

// openedAtOnce is how many segments are opened at once, each perhaps with a download.
const openedAtOnce = 8

// openAll opens the segments that are in force, and lets go of others. A segment whose blob is gone or corrupt is noted
// as lost. again reports that one was opened again, because what this server had of it was corrupt.
func (x *Index) openAll(ctx context.Context, a account.ID, d *desk, rows []store.Segment) (again bool, err error) {
	found := make([]*opened, len(rows))
	group, limited := errgroup.WithContext(ctx)
	group.SetLimit(openedAtOnce)
	for i, row := range rows {
		before := d.open[row.ID]
		if before != nil && before.Err() != nil {
			x.forget(&row)
			before, again = nil, true
		}
		if before != nil && before.row.Values == row.Values {
			found[i] = before
			continue
		}
		group.Go(func() (err error) {
			if row.Lost {
				return errLost
			}
			found[i], err = x.reopen(limited, before, &row)
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
	x.opened.Add(int64(len(rows) - len(d.open)))
	clear(d.open)
	for i, row := range rows {
		d.open[row.ID] = found[i]
	}
	return again, nil
}

// reopen opens a segment. If it was opened before with other values, its words stay open.
func (x *Index) reopen(ctx context.Context, before *opened, row *store.Segment) (*opened, error) {
	if before == nil || row.Values.Blob == "" {
		s, err := x.open(ctx, row, x.Blocks)
		return &opened{s, *row}, err
	}
	values, err := x.openFile(ctx, &row.Values, x.Blocks)
	if err != nil {
		return nil, err
	}
	return &opened{before.WithValues(values), *row}, nil
}

// Load opens the words of parts, which may need downloads. Functions of segments that read words need not wait then.
func (x *Index) Load(ctx context.Context, a account.ID, parts ...*Part) error {
	group, limited := errgroup.WithContext(ctx)
	group.SetLimit(openedAtOnce)
	for _, p := range parts {
		if p.Loaded() {
			continue
		}
		group.Go(func() error {
			err := p.Segment.Load(limited)
			if lost(err) {
				err = errors.Join(errLost, x.markLost(ctx, a, p.row))
			}
			return err
		})
	}
	return group.Wait()
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
