package query

import (
	"time"

	"parley/internal/phrase"
)

// run is the judging of one call.
type run struct {
	*Subject
	matcher             *Matcher
	want                bool // hits are collected
	hits                []Hit
	turn                int // the turn that is judged
	meant               [][]bool
	facts               []fact // of each inCall
	swept               bool
	silences, overtalks []stretch
}

// fact is what is known of an inCall.
type fact uint8

const (
	unknown fact = iota
	holds
	fails
)

func (m *Matcher) run(s *Subject) *run { return &run{Subject: s, matcher: m} }

// who returns which speakers are meant, nil for all.
func (r *run) who(n int) []bool {
	p := r.matcher.program
	if p.who[n] == "" {
		return nil
	}
	if r.meant == nil {
		r.meant = make([][]bool, len(p.who))
	}
	if r.meant[n] == nil {
		r.meant[n] = r.speaking(p.who[n])
	}
	return r.meant[n]
}

// quietly evaluates something without its hits.
func (r *run) quietly(eval func() bool) bool {
	want := r.want
	r.want = false
	ok := eval()
	r.want = want
	return ok
}

func (n allOf) eval(r *run) bool {
	before := len(r.hits)
	for _, one := range n {
		if !one.eval(r) {
			r.hits = r.hits[:before]
			return false
		}
	}
	return true
}

func (n someOf) eval(r *run) (ok bool) {
	for _, one := range n {
		if ok = one.eval(r) || ok; ok && !r.want {
			return true
		}
	}
	return ok
}

func (n noneOf) eval(r *run) bool {
	return !r.quietly(func() bool { return n.node.eval(r) })
}

func (everything) eval(*run) bool { return true }

func (n *asked) eval(r *run) bool {
	if r.Value == nil {
		return n.holds(Value{})
	}
	return n.holds(r.Value(n.field))
}

func (n *says) eval(r *run) (ok bool) {
	who := r.who(n.who)
	for i, t := range r.Turns {
		if who != nil && !who[t.Speaker] {
			continue
		}
		r.turn = i
		if n.what.inTurn(r, t) {
			if ok = true; !r.want {
				return true
			}
		}
	}
	for i := 0; ok && r.want && i < len(n.facts); i++ {
		n.facts[i].eval(r)
	}
	return ok
}

func (n turnAll) inTurn(r *run, t Turn) bool {
	before := len(r.hits)
	for _, one := range n {
		if !one.inTurn(r, t) {
			r.hits = r.hits[:before]
			return false
		}
	}
	return true
}

func (n turnSome) inTurn(r *run, t Turn) (ok bool) {
	for _, one := range n {
		if ok = one.inTurn(r, t) || ok; ok && !r.want {
			return true
		}
	}
	return ok
}

func (n turnNone) inTurn(r *run, t Turn) bool {
	return !r.quietly(func() bool { return n.turnNode.inTurn(r, t) })
}

// inTurn judges the whole call once; the hits are given by the says around it.
func (n *inCall) inTurn(r *run, _ Turn) bool {
	if r.facts == nil {
		r.facts = make([]fact, r.matcher.program.facts)
	}
	if r.facts[n.number] == unknown {
		turn := r.turn
		r.facts[n.number] = fails
		if r.quietly(func() bool { return n.eval(r) }) {
			r.facts[n.number] = holds
		}
		r.turn = turn
	}
	return r.facts[n.number] == holds
}

func (n *term) inTurn(r *run, t Turn) (ok bool) {
	fit := r.matcher.terms[n.number]
	if fit == nil {
		return false
	}
	words := r.Words[t.From:t.To]
	for from := 0; ; {
		start, end, found := fit.find(words, from, n.phrase.Slop)
		if !found {
			return ok
		}
		if h, inside := r.hit(n, t, t.From+start, t.From+end); inside {
			if ok = true; !r.want {
				return true
			}
			r.hits = append(r.hits, h)
		}
		from = end
	}
}

// hit makes a hit of words, and reports whether it begins inside the windows of its term.
func (r *run) hit(n *term, t Turn, from, to int) (h Hit, inside bool) {
	if !r.want && len(n.windows) == 0 {
		return h, true
	}
	h = Hit{Speaker: t.Speaker, Turn: r.turn, From: from, To: to, Condition: n.condition}
	h.Start, h.End = r.Time(from)
	if to > from+1 {
		_, h.End = r.Time(to - 1)
	}
	h.End = max(h.End, h.Start+time.Millisecond)
	for _, w := range n.windows {
		if begin, end := w.of(r.Length); h.Start < begin || h.Start >= end {
			return h, false
		}
	}
	return h, true
}

// find returns where a phrase stands first in words[from:], as phrase.Find does.
func (fit places) find(words []uint32, from, slop int) (start, end int, ok bool) {
	for {
		if start = fit[0].first(words, from); start == len(words) {
			return 0, 0, false
		}
		if len(fit) == 1 {
			return start, start + 1, true
		}
		if end, ok = phrase.End(words, start, len(fit), slop, func(place int, w uint32) bool { return fit[place].has(w) }); ok {
			return start, end, true
		}
		from = start + 1
	}
}
