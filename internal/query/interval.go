package query

import (
	"cmp"
	"slices"
	"time"
)

// speechGap is the shortest pause that counts as silence of a speaker, as in the silence and overtalk metrics.
const speechGap = 300 * time.Millisecond

// stretch is an interval of time.
type stretch struct{ from, to time.Duration }

// eval looks for stretches, such as silence or overtalk, whose part inside the window is long enough.
func (n *interval) eval(r *run) (ok bool) {
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
		s.from, s.to = max(s.from, from), min(s.to, to)
		if s.to <= s.from || s.to-s.from < least {
			continue
		}
		if ok = true; r.want == nothing {
			return true
		}
		r.hits = append(r.hits, Hit{Speaker: -1, Turn: -1, Start: s.from, End: s.to, Condition: n.condition})
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
		r.sweep(r.speech())
	}
	return of.stretches(r)
}

// speech returns the stretches of speech of each speaker. Words less than speechGap apart are joined.
func (r *run) speech() []stretch {
	var all []stretch
	last := make([]int, len(r.Speakers)) // by speaker, 1 + index of the last stretch
	for _, t := range r.Turns {
		for w := t.From; w < t.To; w++ {
			start, end := r.Time(w)
			if i := last[t.Speaker] - 1; i >= 0 && start-all[i].to < speechGap {
				all[i].to = max(all[i].to, end)
				continue
			}
			all = append(all, stretch{start, end})
			last[t.Speaker] = len(all)
		}
	}
	return all
}

// sweep visits the starts and ends of speech in order of time and records the silences and overtalks.
func (r *run) sweep(speech []stretch) {
	type change struct {
		at time.Duration
		by int
	}
	changes := make([]change, 0, 2*len(speech))
	for _, s := range speech {
		changes = append(changes, change{s.from, 1}, change{s.to, -1})
	}
	slices.SortFunc(changes, func(a, b change) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(b.by, a.by)) })
	talking, quiet, both := 0, time.Duration(0), time.Duration(0)
	for _, c := range changes {
		switch talking += c.by; {
		case c.by > 0 && talking == 1 && c.at > quiet:
			r.silences = append(r.silences, stretch{quiet, c.at})
		case c.by > 0 && talking == 2:
			both = c.at
		case c.by < 0 && talking == 1 && c.at > both:
			r.overtalks = append(r.overtalks, stretch{both, c.at})
		case c.by < 0 && talking == 0:
			quiet = c.at
		}
	}
	if r.Length > quiet {
		r.silences = append(r.silences, stretch{quiet, r.Length})
	}
}
