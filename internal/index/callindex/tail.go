package callindex

import (
	"context"
	"slices"

	"parley/internal/index/segment"
	"parley/internal/query/callset"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// tail is calls that were read from the database, in segments in memory: calls that wait for a segment, or values that
// do. It may have others, too, until it is tidied.
type tail struct {
	extent   extent
	segments []*segment.Segment
	where    map[store.Revision]spot
}

// spot is the place of a call in a tail.
type spot struct{ segment, call int }

// missing reads the calls that the tail does not have.
func (t *tail) missing(tx *store.Tx, a account.ID, wanted []store.Revision) (read []store.Analytic, err error) {
	var ids []media.ID
	for _, r := range wanted {
		if _, there := t.where[r]; !there {
			ids = append(ids, r.Media)
		}
	}
	for some := range slices.Chunk(ids, batch) {
		more, err := tx.AnalyticOf(a, some)
		if err != nil {
			return nil, err
		}
		read = append(read, more...)
	}
	return read, nil
}

// mostPieces is how many segments a tail has, at most.
const mostPieces = 8

// add adds calls to the tail.
func (t *tail) add(ctx context.Context, x *Index, a account.ID, items []store.Analytic) error {
	var b segment.Builder
	if err := x.fill(ctx, a, &b, items, t.extent); err != nil || b.Len() == 0 {
		return err
	}
	piece, err := inMemory(&b)
	if err != nil {
		return err
	}
	t.segments = append(t.segments, piece)
	t.note()
	return nil
}

// inMemory returns the segment of a builder.
func inMemory(b *segment.Builder) (*segment.Segment, error) {
	data, err := b.Build()
	if err != nil {
		return nil, err
	}
	return segment.Open(segment.Plain(data))
}

// note writes down where the calls are.
func (t *tail) note() {
	t.where = map[store.Revision]spot{}
	for n, s := range t.segments {
		for call := range s.Len() {
			t.where[store.Revision{Media: s.ID(call), Change: s.Change(call)}] = spot{n, call}
		}
	}
}

// keep lets go of all calls but these, which may be missing, and returns which calls of its segments they are.
func (t *tail) keep(wanted []store.Revision) []callset.Set {
	there := make([]callset.Set, len(t.segments))
	for n, s := range t.segments {
		there[n] = callset.New(s.Len())
	}
	for _, r := range wanted {
		if at, ok := t.where[r]; ok {
			there[at.segment].Add(at.call)
		}
	}
	if !t.tidy(there) {
		return there
	}
	return t.keep(wanted)
}

// parts returns the waiting calls that the tail has, without expired ones.
func (t *tail) parts(waiting []store.Revision, expired []media.ID) (parts []*Part, err error) {
	there := t.keep(waiting)
	for n, s := range t.segments {
		for _, m := range expired {
			if at := placeOf(s, m); at >= 0 {
				there[n].Remove(at)
			}
		}
		p, err := NewPart(s, there[n].Others(s.Len()))
		if err != nil {
			return nil, err
		}
		if !p.empty() {
			parts = append(parts, p)
		}
	}
	return parts, nil
}

// tidy lets go of segments without calls that are wanted, and joins the others if they are many. It reports whether it
// has changed anything.
func (t *tail) tidy(there []callset.Set) bool {
	var left []*segment.Segment
	for n, s := range t.segments {
		if there[n].Next(0) >= 0 {
			left = append(left, s)
		}
	}
	if len(left) == len(t.segments) && len(left) <= mostPieces {
		return false
	}
	if len(left) > mostPieces {
		var b segment.Builder
		for n, s := range t.segments {
			if there[n].Next(0) >= 0 && b.Take(s, there[n]) != nil {
				left = nil // not reached: the segments are this process's own; the calls are read again
			}
		}
		if joined, err := inMemory(&b); err == nil && left != nil {
			left = []*segment.Segment{joined}
		}
	}
	t.segments = left
	t.note()
	return true
}
