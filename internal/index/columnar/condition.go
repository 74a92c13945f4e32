package columnar

import (
	"cmp"
	"iter"
	"slices"

	"parley/internal/query"
	"parley/internal/query/callset"
	"parley/internal/words/phrase"
)

// condition is a condition split into steps: word lookup, then fields, then evaluation word by word.
type condition struct {
	whole  *query.Program
	need   phrase.Need
	fields *query.Program // nil: no conditions on fields alone
	words  *query.Program // the remaining condition; nil: none
	among  func(*part) callset.Set
}

// newCondition prepares a condition on the calls that were posted for the analytic database; nil matches every one.
func newCondition(c query.Condition) *condition {
	if c == nil {
		c = query.Everything{}
	}
	n := &condition{whole: query.Compile(c), among: func(p *part) callset.Set { return p.Visible }}
	n.need = n.whole.Need()
	fields, words := split(c)
	if len(fields) > 0 {
		n.fields = query.Compile(joined(fields))
	}
	if len(words) > 0 {
		n.words = query.Compile(joined(words))
	}
	return n
}

// split divides a conjunction into conditions on fields alone, and others.
func split(c query.Condition) (fields, others []query.Condition) {
	parts := []query.Condition{c}
	if and, ok := c.(query.And); ok {
		parts = and
	}
	for _, p := range parts {
		if _, everything := p.(query.Everything); everything {
			continue
		}
		if aboutFields(p) {
			fields = append(fields, p)
		} else {
			others = append(others, p)
		}
	}
	return fields, others
}

func joined(parts []query.Condition) query.Condition {
	if len(parts) == 1 {
		return parts[0]
	}
	return query.And(parts)
}

// aboutFields reports whether a condition depends on fields alone.
func aboutFields(c query.Condition) bool {
	aboutWords := func(c query.Condition) bool { return !aboutFields(c) }
	switch c := c.(type) {
	case query.And:
		return !slices.ContainsFunc(c, aboutWords)
	case query.Or:
		return !slices.ContainsFunc(c, aboutWords)
	case query.Not:
		return aboutFields(c.X)
	case query.Contains, query.Says, query.Followed, query.Interval:
		return false
	}
	return true
}

// judge evaluates a condition on the calls of one segment.
type judge struct {
	*cursor
	condition *condition
	left      callset.Set       // calls for which only words remain to be evaluated
	sure      callset.Set       // calls that match if they are left
	words     *query.Evaluation // nil: left is the answer
	stop      stop              // of the present call of matchesCall

	candidates, checked int
}

// over starts a segment: it looks up words and evaluates fields. It calls stop frequently. The error is unloaded if the
// words of the segment have to be opened first. They need not if the fields leave no calls.
func (n *condition) over(p *part, types Types, stop stop, further ...query.Field) (*judge, error) {
	j := &judge{cursor: newCursor(p, types, append(n.whole.Fields(), further...)...), condition: n}
	j.left = slices.Clone(n.among(p))
	if n.words != nil && !p.Loaded() {
		if err := j.byFields(stop); err != nil {
			return nil, err
		}
		if j.left.Next(0) >= 0 {
			return nil, &unloaded{p}
		}
		return j, p.Err()
	}
	if n.words != nil {
		var may callset.Set
		j.sure, may = n.words.Bounds(p.Len(), p.Lists())
		j.left.And(may)
	}
	if err := p.Err(); err != nil {
		return nil, err
	}
	j.candidates = j.left.Len()
	if err := j.byFields(stop); err != nil {
		return nil, err
	}
	if n.words == nil || j.candidates == 0 {
		return j, p.Err()
	}
	m, err := n.words.Over(p)
	if err != nil {
		return nil, err
	}
	j.subject.Search = newSearch(j.cursor, n.words, m)
	j.subject.Stopped = func() bool { return j.stop() != nil }
	j.words = m.On(&j.subject)
	return j, p.Err()
}

// byFields leaves the calls whose fields match. It calls stop frequently.
func (j *judge) byFields(stop stop) error {
	if j.condition.fields == nil || j.left.Next(0) < 0 {
		return nil
	}
	m, err := j.condition.fields.Over(j.part)
	if err != nil {
		return err
	}
	for call := range j.left.All {
		if !m.Match(j.look(call)) {
			j.left.Remove(call)
		}
		if err := stop(); err != nil {
			return err
		}
	}
	return nil
}

// next returns the first matching call at or after from, -1 if there is none. It calls stop frequently.
func (j *judge) next(from int, stop stop) (int, error) {
	return j.search(j.left.Next(from), func(call int) int { return j.left.Next(call + 1) }, stop)
}

// previous returns the last matching call at or before from, -1 if there is none. It calls stop frequently.
func (j *judge) previous(from int, stop stop) (int, error) {
	return j.search(j.left.Previous(from), func(call int) int { return j.left.Previous(call - 1) }, stop)
}

// search returns the first matching call of a sequence that ends with -1.
func (j *judge) search(call int, following func(int) int, stop stop) (int, error) {
	for ; call >= 0; call = following(call) {
		if matched, err := j.matchesCall(call, stop); matched || err != nil {
			return call, err
		}
	}
	return -1, nil
}

// matchesCall reports whether a call matches.
func (j *judge) matchesCall(call int, stop stop) (bool, error) {
	if !j.left.Has(call) || j.words == nil || j.sure.Has(call) {
		return j.left.Has(call), nil
	}
	j.checked++
	j.stop = stop
	j.look(call)
	matched := j.words.Match()
	return matched, cmp.Or(stop(), j.Err(), j.err)
}

// matches yields the matching calls at or after from; an error ends them. It calls stop frequently.
func (j *judge) matches(from int, stop stop) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		for {
			call, err := j.next(from, stop)
			if err == nil && call < 0 || !yield(call, err) || err != nil {
				return
			}
			from = call + 1
		}
	}
}
