package query

import (
	"cmp"
	"slices"
	"time"
)

// eval follows the hits of the first side through the steps. At a FOLLOWED BY the hits of its side go on that begin
// after a hit before them ended, within the time; at a NOT FOLLOWED BY the hits go on that have no such hit behind
// them. The condition holds when hits are left; its hits are those that led to them.
func (n *followed) eval(r *run) bool {
	left := r.stretchesOf(n.first)
	stages := []stage{{says: n.first, hits: left}}
	for _, s := range n.steps {
		if len(left) == 0 || !r.does(len(left)) {
			return false
		}
		within, said := s.time(r.Length), r.stretchesOf(s.says)
		if s.not {
			left = preceding(left, said, within, false)
			stages[len(stages)-1].hits = left
			continue
		}
		left = following(left, said, within)
		if r.want == nothing {
			stages = stages[:0]
		}
		stages = append(stages, stage{s.says, left, within})
	}
	if r.want != nothing && len(left) > 0 {
		r.lead(stages)
	}
	return len(left) > 0
}

// stage is the hits of one side that go on, and how long after one before them they begin at most.
type stage struct {
	says   *says
	hits   []stretch
	within time.Duration
}

func (s *step) time(length time.Duration) time.Duration {
	if s.within == nil {
		return 1<<63 - 1
	}
	return s.within.In(length)
}

// lead collects the hits of the stages that led to those of the last one, going back from it.
func (r *run) lead(stages []stage) {
	begin := len(r.hits)
	for i := len(stages) - 1; i >= 0; i-- {
		if i+1 < len(stages) {
			stages[i].hits = preceding(stages[i].hits, stages[i+1].hits, stages[i+1].within, true)
		}
		r.only = stages[i].hits
		stages[i].says.eval(r)
		r.thin(begin)
	}
	r.only = nil
}

// stretchesOf returns when the hits of one side begin and end, in order.
func (r *run) stretchesOf(s *says) []stretch {
	hits, want, many := r.hits, r.want, r.many
	r.hits, r.want, r.many = nil, times, manyHits
	s.eval(r)
	found := make([]stretch, len(r.hits))
	for i, h := range r.hits {
		found[i] = stretch{h.Start, h.End}
	}
	r.hits, r.want, r.many = hits, want, many
	slices.SortFunc(found, stretch.compare)
	return slices.Compact(found)
}

// following returns the hits that begin after one of those before ended, within a time.
func following(before, hits []stretch, within time.Duration) (left []stretch) {
	ends := make([]time.Duration, len(before))
	for i, h := range before {
		ends[i] = h.to
	}
	slices.Sort(ends)
	for _, h := range hits {
		i, exact := slices.BinarySearch(ends, h.from)
		if !exact {
			i--
		}
		if i >= 0 && h.from-ends[i] <= within {
			left = append(left, h)
		}
	}
	return left
}

// preceding returns the hits behind whose end one of those after begins within a time, or those behind which none does.
func preceding(hits, after []stretch, within time.Duration, yes bool) (left []stretch) {
	for _, h := range hits {
		i, _ := slices.BinarySearchFunc(after, h.to, func(a stretch, end time.Duration) int {
			return cmp.Compare(a.from, end)
		})
		if (i < len(after) && after[i].from-h.to <= within) == yes {
			left = append(left, h)
		}
	}
	return left
}
