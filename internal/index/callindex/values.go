package callindex

import (
	"cmp"
	"iter"
	"slices"

	"parley/internal/index/segment"
	"parley/internal/query"
	"parley/internal/query/callset"
	"parley/internal/storage/store"
	"parley/internal/words/media"
)

// Values are values of some calls of a segment that are newer than those that the segment has. They are immutable.
type Values struct {
	calls     callset.Set
	places    map[int]spot       // of the calls, in segments
	segments  []*segment.Segment // without words
	revisions []store.Revision   // of the calls, in the order of the segment
}

// has reports whether a call has newer values.
func (v *Values) has(call int) bool { return v != nil && v.calls.Has(call) }

// column is a field with its columns in the segments of a part.
type column struct {
	field query.Field
	own   int   // in the part's segment, -1: it has none
	newer []int // in the segments of newer values
}

// revisionsOf returns the present revisions of touched calls.
func revisionsOf(touched []store.Touched) []store.Revision {
	all := make([]store.Revision, len(touched))
	for i, c := range touched {
		all[i] = c.Revision
	}
	return all
}

// renew returns parts with the values that the tail has of touched calls. Parts whose newer values stay the same are
// kept.
func (t *tail) renew(parts []*Part, touched []store.Touched) []*Part {
	t.keep(revisionsOf(touched))
	byID := slices.SortedFunc(slices.Values(touched), func(a, b store.Touched) int { return a.Compare(b.Revision) })
	renewed := make([]*Part, len(parts))
	for i, p := range parts {
		renewed[i] = p
		v := t.of(p, byID)
		if !v.equal(p.Newer) {
			renewed[i] = p.withValues(v)
		}
	}
	return renewed
}

// of returns the values that the tail has of a part's calls; nil if there are none.
func (t *tail) of(p *Part, touched []store.Touched) *Values {
	if len(touched) == 0 {
		return nil
	}
	v := &Values{calls: callset.New(p.Len()), places: map[int]spot{}, segments: t.segments}
	from, _ := slices.BinarySearchFunc(touched, p.ID(p.Len()-1), func(c store.Touched, id media.ID) int {
		return cmp.Compare(c.Media, id)
	})
	newest := p.ID(0)
	for _, c := range touched[from:] {
		if c.Media > newest {
			break
		}
		call := p.Place(c.Media)
		at, there := t.where[c.Revision]
		if call >= 0 && there && p.Change(call) == c.Kept {
			v.calls.Add(call)
			v.places[call] = at
			v.revisions = append(v.revisions, c.Revision)
		}
	}
	if len(v.revisions) == 0 {
		return nil
	}
	return v
}

// equal reports whether two are the same values of the same calls. The segments are the same, too, because those of a
// tail change only when it is tidied.
func (v *Values) equal(o *Values) bool {
	if v == nil || o == nil {
		return v == o
	}
	return slices.Equal(v.revisions, o.revisions) && slices.Equal(v.segments, o.segments)
}

// withValues returns the part with newer values of some calls.
func (p *Part) withValues(v *Values) *Part {
	q := *p
	q.Newer = v
	q.columns = nil
	if v == nil {
		return &q
	}
	at := map[string]int{}
	for i := range p.Segment.Columns() {
		at[p.Name(i)] = i
		q.columns = append(q.columns, column{field: p.Segment.Field(i), own: i})
	}
	for n, s := range v.segments {
		for i := range s.Columns() {
			place, there := at[s.Name(i)]
			if !there {
				place = len(q.columns)
				at[s.Name(i)] = place
				q.columns = append(q.columns, column{field: s.Field(i), own: -1})
			}
			c := &q.columns[place]
			if c.newer == nil {
				c.newer = slices.Repeat([]int{-1}, len(v.segments))
			}
			c.newer[n] = i
		}
	}
	return &q
}

// Columns returns the number of columns.
func (p *Part) Columns() int {
	if p.Newer == nil {
		return p.Segment.Columns()
	}
	return len(p.columns)
}

// Field returns the field of a column.
func (p *Part) Field(column int) query.Field {
	if p.Newer == nil {
		return p.Segment.Field(column)
	}
	return p.columns[column].field
}

// Fields are the fields of which some call has a value.
func (p *Part) Fields() []query.Field {
	fields := make([]query.Field, p.Columns())
	for i := range fields {
		fields[i] = p.Field(i)
	}
	return fields
}

// Revision returns the change number at which the values of a call were read.
func (p *Part) Revision(call int) int64 {
	if !p.Newer.has(call) {
		return p.Segment.Revision(call)
	}
	at := p.Newer.places[call]
	return p.Newer.segments[at.segment].Change(at.call)
}

// Value returns the value of a call in a column, missing if it has none. Read is faster for many calls.
func (p *Part) Value(column, call int) query.Value {
	switch {
	case p.Newer == nil:
		return p.Segment.Value(column, call)
	case p.Newer.has(call):
		at, in := p.Newer.places[call], p.columns[column].newer
		if in == nil || in[at.segment] < 0 {
			return query.Value{}
		}
		return p.Newer.segments[at.segment].Value(in[at.segment], at.call)
	case p.columns[column].own >= 0:
		return p.Segment.Value(p.columns[column].own, call)
	}
	return query.Value{}
}

// newer returns a function that returns the newer value of a call.
func (p *Part) newer(column int, cast func(query.Value) query.Value) func(call int) query.Value {
	all := make([][]query.Value, len(p.Newer.segments))
	for n, i := range p.columns[column].newer {
		if i >= 0 {
			all[n] = make([]query.Value, p.Newer.segments[n].Len())
			p.Newer.segments[n].Read(i, all[n], cast)
		}
	}
	return func(call int) query.Value {
		at := p.Newer.places[call]
		if all[at.segment] == nil {
			return query.Value{}
		}
		return all[at.segment][at.call]
	}
}

// Read fills a list, with one element per call, with the values of a column where the list has none yet. cast converts
// values; it may be nil.
func (p *Part) Read(column int, into []query.Value, cast func(query.Value) query.Value) {
	if p.Newer == nil {
		p.Segment.Read(column, into, cast)
		return
	}
	before := make(map[int]query.Value, len(p.Newer.places))
	for call := range p.Newer.places {
		before[call] = into[call]
	}
	if own := p.columns[column].own; own >= 0 {
		p.Segment.Read(own, into, cast)
	}
	newer := p.newer(column, cast)
	for call, v := range before {
		if into[call] = v; v.Missing() {
			into[call] = newer(call)
		}
	}
}

// Tally yields the values that some calls have in a column, each with the number of the calls that have it, and removes
// the calls that have one. A value may be yielded several times. cast converts values; it may be nil. A value that it
// makes missing counts as none.
func (p *Part) Tally(column int, calls callset.Set, cast func(query.Value) query.Value) iter.Seq2[query.Value, int] {
	if p.Newer == nil {
		return p.Segment.Tally(column, calls, cast)
	}
	return func(yield func(query.Value, int) bool) {
		some := slices.Clone(calls)
		some.And(p.Newer.calls)
		calls.And(p.Newer.calls.Others(p.Len()))
		if own := p.columns[column].own; own >= 0 {
			for v, n := range p.Segment.Tally(own, calls, cast) {
				if !yield(v, n) {
					return
				}
			}
		}
		newer := p.newer(column, cast)
		for call := range some.All {
			if v := newer(call); v.Missing() {
				calls.Add(call)
			} else if !yield(v, 1) {
				return
			}
		}
	}
}

// Err returns the first error of reading the part; see segment.Segment.
func (p *Part) Err() error {
	if err := p.Segment.Err(); err != nil || p.Newer == nil {
		return err
	}
	for _, s := range p.Newer.segments { // in memory
		if err := s.Err(); err != nil {
			return err
		}
	}
	return nil
}
