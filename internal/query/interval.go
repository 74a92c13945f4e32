package query

import (
	"time"

	"parley/internal/words/transcript"
)

// speechGap is the shortest pause that counts as silence of a speaker, as in the silence and overtalk metrics.
const speechGap = 300 * time.Millisecond

// stretch is an interval of time.
type stretch = transcript.Stretch

// eval looks for stretches, such as silence or overtalk, whose part inside the window is long enough.
func (n *interval) eval(r *run) (ok bool) {
	r.open()
	from, to := time.Duration(0), time.Duration(1<<63-1)
	if n.Window != nil {
		from, to = n.Window.of(r.Length)
	}
	least := n.AtLeast.In(r.Length)
	all := r.stretches(n.Of)
	if !r.does(1 + len(all)) {
		return false
	}
	for _, s := range all {
		s.From, s.To = max(s.From, from), min(s.To, to)
		if s.To <= s.From || s.To-s.From < least {
			continue
		}
		if ok = true; r.want == nothing {
			return true
		}
		r.hits = append(r.hits, Hit{Speaker: -1, Turn: -1, Start: s.From, End: s.To, Condition: n.condition})
	}
	return ok
}

// stretches returns the times found by a function, in order.
func (r *run) stretches(of *Builtin) []stretch {
	if !r.swept {
		r.swept = true
		if !r.does(workOfTime * len(r.Words)) {
			return nil
		}
		r.sweep()
	}
	return of.stretches(r)
}

// sweep records the silences and overtalks. Words of a speaker less than speechGap apart are joined.
func (r *run) sweep() {
	speech := make([][]stretch, len(r.Speakers))
	for _, t := range r.Turns {
		for w := t.From; w < t.To; w++ {
			start, end := r.Time(w)
			speech[t.Speaker] = transcript.Extended(speech[t.Speaker], stretch{From: start, To: end}, speechGap)
		}
	}
	talk, both := transcript.Talking(speech)
	r.overtalks = both
	quiet := time.Duration(0)
	for _, s := range append(talk, stretch{From: r.Length, To: r.Length}) {
		if s.From > quiet {
			r.silences = append(r.silences, stretch{From: quiet, To: s.From})
		}
		quiet = s.To
	}
}
