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

// tail is calls that wait for a segment, in segments in memory. It may have others, too, until it is tidied.
type tail struct {
	segments []*segment.Segment
	where    map[store.Revision]spot
}

// spot is the place of a call in a tail.
type spot struct{ segment, call int }

// missing reads the waiting calls that the tail does not have.
func (t *tail) missing(tx *store.Tx, a account.ID, waiting []store.WaitingCall) (read []store.Analytic, err error) {
	var ids []media.ID
	for _, w := range waiting {
		if _, there := t.where[w.Revision]; !there {
			ids = append(ids, w.Media)
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
	if err := x.fill(ctx, a, &b, items, whole); err != nil || b.Len() == 0 {
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

// parts returns the waiting calls that the tail has, without expired ones, and tidies the tail.
func (t *tail) parts(waiting []store.WaitingCall, expired []media.ID) (parts []*Part, err error) {
	there := make([]callset.Set, len(t.segments))
	for n, s := range t.segments {
		there[n] = callset.New(s.Len())
	}
	for _, w := range waiting {
		if at, ok := t.where[w.Revision]; ok && !slices.Contains(expired, w.Media) {
			there[at.segment].Add(at.call)
		}
	}
	var left []*segment.Segment
	for n, s := range t.segments {
		if there[n].Next(0) < 0 {
			continue
		}
		left = append(left, s)
		p, err := NewPart(s, there[n].Others(s.Len()))
		if err != nil {
			return nil, err
		}
		if !p.empty() {
			parts = append(parts, p)
		}
	}
	t.tidy(left, there)
	return parts, nil
}

// tidy lets go of segments without waiting calls, and joins the others if they are many.
func (t *tail) tidy(left []*segment.Segment, there []callset.Set) {
	if len(left) == len(t.segments) && len(left) <= mostPieces {
		return
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
}
