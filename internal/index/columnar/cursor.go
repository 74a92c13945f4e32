package columnar

import (
	"cmp"
	"time"

	"parley/internal/call/fact"
	"parley/internal/index/tokenfile"
	"parley/internal/query"
	"parley/internal/words/phrase"
)

// cursor reads the calls of one segment, one at a time. Fields must be declared before they are read.
type cursor struct {
	*part
	types   Types
	file    tokenfile.File
	subject query.Subject
	turns   []query.Turn
	parts   []query.Part
	values  map[*string][]query.Value // values of each field for all calls, by the address of the field's path
	named   map[string][]query.Value  // the same by name
	call    int
	opened  bool // the words of the call are in subject
	err     error
}

func newCursor(p *part, types Types, fields ...query.Field) *cursor {
	c := &cursor{part: p, types: types, values: map[*string][]query.Value{}, named: map[string][]query.Value{}}
	c.subject.Value = c.value
	c.subject.Open = c.open
	c.subject.Time = c.time
	c.subject.Read = func(until int) { c.err = cmp.Or(c.err, c.file.Until(until)) }
	for _, f := range fields {
		c.column(f)
	}
	return c
}

// column returns the values of a field for all calls.
func (c *cursor) column(f query.Field) []query.Value {
	if len(f.Path) == 0 || isID(f) {
		return nil
	}
	if all, ok := c.values[&f.Path[0]]; ok {
		return all
	}
	name := f.String()
	all, ok := c.named[name]
	if !ok {
		all = c.read(f)
		c.named[name] = all
	}
	c.values[&f.Path[0]] = all
	return all
}

// isID reports whether a field is the id, which calls have outside of columns as well.
func isID(f query.Field) bool {
	return f.Space == query.Media && len(f.Path) == 1 && f.Path[0] == "mediaId"
}

func (c *cursor) read(f query.Field) []query.Value {
	all := make([]query.Value, c.Len())
	cast := c.types.cast(f)
	for _, column := range fact.Resolve(c.Columns(), c.Field, f) {
		c.Read(column, all, cast)
	}
	return all
}

// value returns the value of a field for the current call.
func (c *cursor) value(f query.Field) query.Value {
	if isID(f) {
		return query.Text(string(c.ID(c.call)))
	}
	all := c.column(f)
	if all == nil {
		return query.Value{}
	}
	return all[c.call]
}

// look moves to a call without reading its words.
func (c *cursor) look(call int) *query.Subject {
	c.call, c.opened = call, false
	c.subject.Words, c.subject.Turns, c.subject.Parts, c.subject.Speakers, c.subject.Length = nil, nil, nil, nil, 0
	return &c.subject
}

// open opens the words of the current call, which are read as far as a condition looks at them. It stores errors in
// err, unless the segment has them.
func (c *cursor) open() {
	if c.opened {
		return
	}
	c.opened = true
	if err := c.file.Open(c.Tokens(c.call)); err != nil {
		c.err = err
		return
	}
	c.turns, c.parts = c.turns[:0], c.parts[:0]
	for _, p := range c.file.Parts {
		c.parts = append(c.parts, query.Part{Field: p.Field, From: p.From, To: p.To})
		if p.Field == phrase.Transcript {
			c.turns = append(c.turns, query.Turn{Speaker: p.Speaker, From: p.From, To: p.To})
		}
	}
	c.subject.Words, c.subject.Turns, c.subject.Parts, c.subject.Speakers, c.subject.Length = c.file.Words, c.turns,
		c.parts, c.file.Speakers, c.file.Length
	c.subject.CutTurns(query.LeastTurn, query.MostTurn)
}

func (c *cursor) time(word int) (start, end time.Duration) {
	times, err := c.file.Times()
	if err != nil || word >= len(times) {
		c.err = err
		return 0, 0
	}
	return time.Duration(times[word].Start) * time.Millisecond, time.Duration(times[word].End) * time.Millisecond
}
