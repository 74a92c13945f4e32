package query

import (
	"cmp"
	"slices"
	"time"

	"parley/internal/words/phrase"
)

// run is the state of the evaluation of one call.
type run struct {
	*Subject
	matcher             *Matcher
	want                detail
	hits                []Hit
	many                int       // number of hits at which thin discards duplicates
	only                []stretch // collect only hits with exactly these times, in order; nil: all
	turn                int       // index of the turn being evaluated
	bounds              []bounds  // by term number
	work                int       // done since the last call of Stopped
	stopped             bool
	meant               [][]bool
	facts               []fact // by inCall number
	swept               bool
	silences, overtalks []stretch
}

// detail is the part of each hit that is collected.
type detail uint8

const (
	nothing detail = iota
	times          // start and end only
	wholeHits
)

// bounds caches the intersection of a term's windows.
type bounds struct {
	known bool
	stretch
}

// fact is the cached result of an inCall.
type fact uint8

const (
	unknown fact = iota
	holds
	fails
)

func (m *Matcher) run(s *Subject) *run { return &run{Subject: s, matcher: m, many: manyHits} }

// often is the amount of work between two calls of Stopped: a few milliseconds.
const often = 1 << 20

// workOfHit is the cost of storing, sorting and following one hit.
const workOfHit = 100

// workOfTime is the cost of sorting one word by its time.
const workOfTime = 10

// does charges work before it is done, and reports whether to proceed.
func (r *run) does(work int) bool {
	r.stopped = r.stopped || !r.Budget.Spend(work)
	for r.work += work; r.work > often && !r.stopped; r.work -= often {
		r.stopped = r.Stopped != nil && r.Stopped()
	}
	return !r.stopped
}

// open makes the contents of the subject available.
func (r *run) open() {
	if r.Open != nil {
		r.Open()
	}
}

// words returns some of the words of the call.
func (r *run) words(from, to int) []uint32 {
	if r.Read != nil {
		r.Read(to)
	}
	return r.Words[from:to]
}

// who returns by speaker index whether the speaker is meant; nil means all speakers.
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

// quietly evaluates a condition without collecting hits.
func (r *run) quietly(n node) bool {
	want := r.want
	r.want = nothing
	ok := n.eval(r)
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
		r.thin(before)
	}
	return true
}

func (n someOf) eval(r *run) (ok bool) {
	before := len(r.hits)
	for _, one := range n {
		if ok = one.eval(r) || ok; ok && r.want == nothing {
			return true
		}
		r.thin(before)
	}
	return ok
}

func (n noneOf) eval(r *run) bool {
	return !r.quietly(n.node)
}

func (everything) eval(*run) bool { return true }

func (n *fieldTest) eval(r *run) bool {
	var v Value
	if r.Value != nil {
		v = r.Value(n.field)
	}
	return r.does(n.work(len(v.text))) && n.holds(v)
}

func (n *says) eval(r *run) (ok bool) {
	if has, known := r.searched(n.plain, phrase.Only(phrase.Transcript), n.who); known {
		return has
	}
	r.open()
	return n.inTurns(r)
}

// inTurns evaluates the condition turn by turn.
func (n *says) inTurns(r *run) (ok bool) {
	who, before := r.who(n.who), len(r.hits)
	for i, t := range r.Turns {
		if !r.does(1) {
			return false
		}
		if who != nil && !who[t.Speaker] {
			continue
		}
		r.turn = i
		if n.what.eval(r) {
			if ok = true; r.want == nothing {
				return true
			}
			r.thin(before)
		}
	}
	for i := 0; ok && r.want != nothing && i < len(n.facts); i++ {
		n.facts[i].node.eval(r)
		r.thin(before)
	}
	return ok
}

// eval evaluates the condition for the whole call, once. The enclosing says collects the hits.
func (n *inCall) eval(r *run) bool {
	if r.facts == nil {
		r.facts = make([]fact, r.matcher.program.facts)
	}
	if r.facts[n.number] == unknown {
		turn := r.turn
		r.facts[n.number] = fails
		if r.quietly(n.node) {
			r.facts[n.number] = holds
		}
		r.turn = turn
	}
	return r.facts[n.number] == holds
}

func (n *term) eval(r *run) (ok bool) {
	t, fit := r.Turns[r.turn], r.matcher.terms[n.number]
	if !r.does(1+len(fit)*(t.To-t.From)) || fit == nil {
		return false
	}
	words := r.words(t.From, t.To)
	for from := 0; ; {
		start, end, found := fit.find(words, from, n.phrase.Slop)
		if !found || !r.does(workOfHit) {
			return ok
		}
		if h, inside := r.hit(n, t, t.From+start, t.From+end); inside {
			if ok = true; r.want == nothing {
				return true
			}
			r.collect(h)
		}
		from = end
	}
}

// eval looks at each part. Only the parts of the transcript have hits.
func (n *contains) eval(r *run) (ok bool) {
	fit, before := r.matcher.terms[n.number], len(r.hits)
	if fit == nil {
		return false
	}
	if has, known := r.searched(n.plain, n.in, -1); known {
		return has
	}
	r.open()
	for _, p := range r.Parts {
		if !n.in.Has(p.Field) {
			continue
		}
		if !r.does(1 + len(fit)*(p.To-p.From)) {
			return false
		}
		words := r.words(p.From, p.To)
		for from := 0; ; {
			start, end, found := fit.find(words, from, n.phrase.Slop)
			if !found || !r.does(workOfHit) {
				break
			}
			if ok = true; r.want == nothing {
				return true
			}
			if p.Field == phrase.Transcript {
				r.collect(r.spoken(n.term, p.From+start, p.From+end))
			}
			from = end
		}
		r.thin(before)
	}
	return ok
}

// spoken returns the hit of words of the transcript. Its turn is that of the first word.
func (r *run) spoken(n *term, from, to int) Hit {
	turn, there := slices.BinarySearchFunc(r.Turns, from, func(t Turn, word int) int { return cmp.Compare(t.From, word) })
	if !there {
		turn--
	}
	r.turn = turn
	h, _ := r.hit(n, r.Turns[turn], from, to)
	return h
}

// hit returns the hit of words[from:to] and reports whether it begins inside the windows of its term.
func (r *run) hit(n *term, t Turn, from, to int) (h Hit, inside bool) {
	if r.want == nothing && len(n.windows) == 0 {
		return h, true
	}
	h.Start, h.End = r.Time(from)
	if to > from+1 {
		_, h.End = r.Time(to - 1)
	}
	h.End = max(h.End, h.Start+time.Millisecond)
	if r.want == wholeHits {
		h.Speaker, h.Turn, h.From, h.To, h.Condition = t.Speaker, r.turn, from, to, n.condition
	}
	if len(n.windows) == 0 {
		return h, true
	}
	b := r.within(n)
	return h, h.Start >= b.From && h.Start < b.To
}

// within returns the interval in which hits of the term may begin: the intersection of its windows.
func (r *run) within(n *term) stretch {
	if r.bounds == nil {
		r.bounds = make([]bounds, len(r.matcher.terms))
	}
	b := &r.bounds[n.number]
	if !b.known {
		*b = bounds{true, stretch{To: 1<<63 - 1}}
		for _, w := range n.windows {
			begin, end := w.of(r.Length)
			b.From, b.To = max(b.From, begin), min(b.To, end)
		}
	}
	return b.stretch
}

// find returns the first match of the phrase in words[from:], as phrase.Find does. The word that matches place n
// never precedes the word that matched place n of an earlier start. So each word is examined at most once per place,
// whatever the slop.
func (fit places) find(words []uint32, from, slop int) (start, end int, ok bool) {
	if start = fit[0].first(words, from); start == len(words) || len(fit) == 1 {
		return start, start + 1, start < len(words)
	}
	var room [MaxWords]int
	at := append(room[:0], make([]int, len(fit))...) // by place, the first word that may still match it
	for ; start < len(words); start = fit[0].first(words, start+1) {
		at[0] = start
		place := 1
		for ; place < len(fit); place++ {
			last := min(start+place+slop+1, len(words))
			i := max(at[place], at[place-1]+1)
			for i < last && !fit[place].has(words[i]) {
				i++
			}
			if at[place] = i; i >= last {
				break
			}
		}
		switch {
		case place == len(fit):
			return start, at[place-1] + 1, true
		case at[place] >= len(words): // later starts cannot match this place either
			return 0, 0, false
		}
	}
	return 0, 0, false
}
