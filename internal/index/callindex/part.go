package callindex

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"sort"
	"time"

	"github.com/google/uuid"

	"parley/internal/index/segment"
	"parley/internal/query/callset"
	"parley/internal/storage/store"
	"parley/internal/words/media"
)

// Part is a segment with the set of its current calls. It is immutable.
type Part struct {
	*segment.Segment
	Alive   callset.Set // current calls that have a result, without Bare
	Visible callset.Set // those of Alive that were posted for the analytic database
	Listed  callset.Set // current calls that the query of the media list finds, with or without a result
	Bare    callset.Set // current calls whose words and values are in the database only; see Index.Read
	Newer   *Values     // of some calls; nil: none
	row     string      // the id of the segment, if it is in force
	dead    callset.Set // calls that it was made without
	columns []column    // if there are newer values
}

// NewPart returns a part without some calls of its segment. The error is that of reading the segment.
func NewPart(s *segment.Segment, dead callset.Set) (*Part, error) {
	set := func() callset.Set { return callset.New(s.Len()) }
	p := &Part{Segment: s, Alive: set(), Visible: set(), Listed: set(), Bare: set(), dead: dead}
	for call := range s.Len() {
		if dead.Has(call) {
			continue
		}
		if s.Searchable(call) {
			p.Listed.Add(call)
		}
		if !s.Readable(call) {
			continue
		}
		if s.Bare(call) {
			p.Bare.Add(call)
			continue
		}
		p.Alive.Add(call)
		if s.Indexed(call) {
			p.Visible.Add(call)
		}
	}
	return p, s.Err()
}

// empty reports whether no question sees anything of a part.
func (p *Part) empty() bool {
	return p.Alive.Next(0) < 0 && p.Listed.Next(0) < 0 && p.Bare.Next(0) < 0
}

// Created returns the creation time of a call.
func (p *Part) Created(call int) time.Time {
	id := p.Key(call)
	return time.UnixMilli(int64(binary.BigEndian.Uint64(id[:8]) >> 16)).UTC()
}

// Place returns the number of a call, -1 if the part does not have it.
func (p *Part) Place(m media.ID) int { return placeOf(p.Segment, m) }

// placeOf returns the number of a call in a segment, -1 if the segment does not have it.
func placeOf(s *segment.Segment, m media.ID) int {
	id, err := uuid.Parse(string(m))
	if err != nil {
		return -1 // no segment has it
	}
	if at := notNewer(s, id); at < s.Len() && s.Key(at) == id {
		return at
	}
	return -1
}

// Between returns the calls with ids between two, both exclusive, as a half-open range; an empty id does not bound it.
func (p *Part) Between(after, before media.ID) (from, to int) {
	to = p.Len()
	if id, err := uuid.Parse(string(before)); err == nil {
		if from = notNewer(p.Segment, id); from < to && p.Key(from) == id {
			from++
		}
	}
	if id, err := uuid.Parse(string(after)); err == nil {
		to = notNewer(p.Segment, id)
	}
	return from, to
}

// notNewer returns the number of the first call of a segment whose id is not greater than the given one.
func notNewer(s *segment.Segment, id uuid.UUID) int {
	return sort.Search(s.Len(), func(call int) bool {
		k := s.Key(call)
		return bytes.Compare(k[:], id[:]) <= 0 // newest first
	})
}

// dead is what a snapshot does not show of segments.
type dead struct {
	revisions []store.Revision // sorted
	items     []media.ID       // of any revision
}

// deadOf returns what is dead in a state of the index: revisions with tombstones, and expired items.
func deadOf(x *store.CallIndex) dead { return dead{x.Tombstones, x.Expired} }

func (d dead) equal(o dead) bool {
	return slices.Equal(d.revisions, o.revisions) && slices.Equal(d.items, o.items)
}

// between returns the dead revisions of items with ids from oldest to newest.
func (d dead) between(oldest, newest media.ID) []store.Revision {
	before := func(r store.Revision, id media.ID) int { return cmp.Compare(r.Media, id) }
	from, _ := slices.BinarySearchFunc(d.revisions, oldest, before)
	to := from
	for to < len(d.revisions) && d.revisions[to].Media <= newest {
		to++
	}
	return d.revisions[from:to]
}

// in returns the calls of a segment that are dead. oldest and newest are the ids of the segment's first and last call.
func (d dead) in(s *segment.Segment, oldest, newest media.ID) callset.Set {
	set := callset.New(s.Len())
	for _, r := range d.between(oldest, newest) {
		if at := placeOf(s, r.Media); at >= 0 && s.Change(at) == r.Change {
			set.Add(at)
		}
	}
	for _, m := range d.items {
		if at := placeOf(s, m); at >= 0 {
			set.Add(at)
		}
	}
	return set
}
