package query

import (
	"parley/internal/query/callset"
	"parley/internal/words/phrase"
)

// Index tells which calls of a segment have words.
type Index interface {
	// Having returns the calls that may have a run of words, and whether they are exactly those that have it.
	Having(run phrase.NeedRun) (calls callset.Set, exact bool)
	// Saying returns the calls in which a speaker that a name refers to certainly says a run of words, and those in
	// which one may, which include them. The name is not empty.
	Saying(run phrase.NeedRun, who Speaker) (sure, may callset.Set)
}

// Bounds returns the calls of a segment that certainly match, and those that may, which include them. The others do not
// match. So the words of calls need not be read where lists of calls suffice, as for "says refund and not order".
func (p *Program) Bounds(calls int, index Index) (sure, may callset.Set) {
	b := bounding{calls, index, p.who}
	s := b.of(p.root)
	return s.sure, s.may
}

// bounding finds the bounds of conditions.
type bounding struct {
	calls int
	index Index
	who   []Speaker
}

// limits are the calls that certainly fulfil a condition, and those that may.
type limits struct{ sure, may callset.Set }

func (b *bounding) none() callset.Set { return callset.New(b.calls) }
func (b *bounding) all() callset.Set  { return callset.New(b.calls).Fill(b.calls) }

// unknown are the limits of what lists of calls say nothing about.
func (b *bounding) unknown() limits { return limits{b.none(), b.all()} }

// of returns the limits of a condition on the whole call.
func (b *bounding) of(n node) limits {
	switch n := n.(type) {
	case everything:
		return limits{b.all(), b.all()}
	case allOf:
		return b.together(n, b.of)
	case someOf:
		return b.either(n, b.of)
	case noneOf:
		x := b.of(n.node)
		return limits{x.may.Others(b.calls), x.sure.Others(b.calls)}
	case *says:
		return b.inTurns(n.what, b.who[n.who])
	case *contains:
		return b.phrase(n.term, n.in, "")
	case *sequence:
		may := b.of(n.first).may
		for _, s := range n.steps {
			if !s.not {
				may.And(b.of(s.says).may)
			}
		}
		return limits{b.none(), may}
	}
	return b.unknown()
}

// inTurns returns the limits of words that a speaker says within one turn.
func (b *bounding) inTurns(n node, who Speaker) limits {
	part := func(n node) limits { return b.inTurns(n, who) }
	switch n := n.(type) {
	case someOf:
		return b.either(n, part)
	case allOf: // perhaps in different turns
		return limits{b.none(), b.together(n, part).may}
	case *inCall:
		return limits{b.none(), b.of(n.node).may}
	case *term:
		found := b.phrase(n, phrase.Only(phrase.Transcript), who)
		if len(n.windows) > 0 {
			found.sure = b.none()
		}
		return found
	}
	return b.unknown()
}

// phrase returns the limits of a phrase in some fields, or of a speaker unless who is empty.
func (b *bounding) phrase(t *term, in phrase.Fields, who Speaker) limits {
	found := limits{b.none(), b.all()}
	needs, _ := t.phrase.Need(in).(phrase.NeedAll)
	for _, need := range needs {
		sure, may := b.having(need.(phrase.NeedRun), who)
		if found.may.And(may); len(t.phrase.Places) == 1 {
			found.sure = sure
		}
	}
	return found
}

// having returns the calls that certainly have a run of words, and those that may.
func (b *bounding) having(run phrase.NeedRun, who Speaker) (sure, may callset.Set) {
	if who != "" {
		return b.index.Saying(run, who)
	}
	may, exact := b.index.Having(run)
	if !exact {
		return b.none(), may
	}
	return may, may
}

// together returns the limits of a condition that holds where all of its parts do.
func (b *bounding) together(parts []node, of func(node) limits) limits {
	return limitsOf(limits{b.all(), b.all()}, parts, of, callset.Set.And)
}

// either returns the limits of a condition that holds where one of its parts does.
func (b *bounding) either(parts []node, of func(node) limits) limits {
	return limitsOf(limits{b.none(), b.none()}, parts, of, callset.Set.Or)
}

func limitsOf(all limits, parts []node, of func(node) limits, join func(a, b callset.Set)) limits {
	for _, n := range parts {
		x := of(n)
		join(all.sure, x.sure)
		join(all.may, x.may)
	}
	return all
}
