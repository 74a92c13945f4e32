package query

import (
	"cmp"
	"slices"
	"time"
)

// eval follows the hits of the first side through the steps. At a FOLLOWED BY the hits of its side go on that begin after a hit
// before them ended, within the time; at a NOT FOLLOWED BY the hits go on that have no such hit behind them.
// The condition holds when hits are left; its hits are those that led to them.
func (n *followed) eval(r *run) bool {
	stages := [][]Hit{r.hitsOf(n.first)}
	for _, s := range n.steps {
		before, said := stages[len(stages)-1], r.hitsOf(s.says)
		within := time.Duration(1<<63 - 1)
		if s.within != nil {
			within = s.within.In(r.Length)
		}
		if s.not {
			stages[len(stages)-1] = preceding(before, said, within, false)
			continue
		}
		stages = append(stages, following(before, said, within))
		stages[len(stages)-2] = preceding(before, said, within, true)
	}
	if len(stages[len(stages)-1]) == 0 {
		return false
	}
	if r.want {
		n.collect(r, stages)
	}
	return true
}

// collect adds the hits of the stages that led to the last one, going back from it.
func (n *followed) collect(r *run, stages [][]Hit) {
	left := stages[len(stages)-1]
	r.hits = append(r.hits, left...)
	stage := len(stages) - 1
	for i := len(n.steps) - 1; i >= 0; i-- {
		s := n.steps[i]
		if s.not {
			continue
		}
		within := time.Duration(1<<63 - 1)
		if s.within != nil {
			within = s.within.In(r.Length)
		}
		stage--
		left = preceding(stages[stage], left, within, true)
		r.hits = append(r.hits, left...)
	}
}

// hitsOf returns the hits of one side.
func (r *run) hitsOf(s *says) []Hit {
	hits, want := r.hits, r.want
	r.hits, r.want = nil, true
	s.eval(r)
	found := r.hits
	r.hits, r.want = hits, want
	return found
}

// following returns the hits that begin after one of those before ended, within a time.
func following(before, hits []Hit, within time.Duration) []Hit {
	ends := make([]time.Duration, len(before))
	for i, h := range before {
		ends[i] = h.End
	}
	slices.Sort(ends)
	return slices.DeleteFunc(slices.Clone(hits), func(h Hit) bool {
		i, exact := slices.BinarySearch(ends, h.Start)
		if !exact {
			i--
		}
		return i < 0 || h.Start-ends[i] > within
	})
}

// preceding returns the hits behind whose end one of those after begins within a time, or those behind which none does.
func preceding(hits, after []Hit, within time.Duration, yes bool) []Hit {
	starts := make([]time.Duration, len(after))
	for i, h := range after {
		starts[i] = h.Start
	}
	slices.Sort(starts)
	return slices.DeleteFunc(slices.Clone(hits), func(h Hit) bool {
		i, _ := slices.BinarySearchFunc(starts, h.End, cmp.Compare[time.Duration])
		return (i < len(starts) && starts[i]-h.End <= within) != yes
	})
}
