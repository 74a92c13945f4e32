package query

import (
	"cmp"
	"slices"
	"time"
)

// eval applies the steps to the hits of the first side. FOLLOWED BY keeps the hits of its own side that begin within
// the given time after the end of a hit kept so far. NOT FOLLOWED BY keeps the previous hits that no such hit
// follows. The condition holds if any hits remain; its hits are those of all chains that lead to them.
func (n *sequence) eval(r *run) bool {
	r.open()
	left := r.stretchesOf(n.first)
	stages := []stage{{says: n.first, hits: left}}
	for _, s := range n.steps {
		if len(left) == 0 || !r.does(len(left)) {
			return false
		}
		within, hits := s.time(r.Length), r.stretchesOf(s.says)
		if s.not {
			left = preceding(left, hits, within, false)
			stages[len(stages)-1].hits = left
			continue
		}
		left = following(left, hits, within)
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

// stage is the remaining hits of one side. Each begins at most within after the end of a hit of the previous stage.
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

// lead collects the hits of all stages that lead to those of the last one, in reverse order of the stages.
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

// stretchesOf returns the distinct start and end times of the hits of one side, in order.
func (r *run) stretchesOf(s *says) []stretch {
	hits, want, many := r.hits, r.want, r.many
	r.hits, r.want, r.many = nil, times, manyHits
	s.eval(r)
	found := make([]stretch, len(r.hits))
	for i, h := range r.hits {
		found[i] = stretch{From: h.Start, To: h.End}
	}
	r.hits, r.want, r.many = hits, want, many
	slices.SortFunc(found, compareStretches)
	return slices.Compact(found)
}

// following returns the hits that begin within the given time after the end of a hit in before.
func following(before, hits []stretch, within time.Duration) (left []stretch) {
	ends := make([]time.Duration, len(before))
	for i, h := range before {
		ends[i] = h.To
	}
	slices.Sort(ends)
	for _, h := range hits {
		i, exact := slices.BinarySearch(ends, h.From)
		if !exact {
			i--
		}
		if i >= 0 && h.From-ends[i] <= within {
			left = append(left, h)
		}
	}
	return left
}

// preceding returns the hits that are followed by one of after within the given time, or with yes false, those that
// are not.
func preceding(hits, after []stretch, within time.Duration, yes bool) (left []stretch) {
	for _, h := range hits {
		i, _ := slices.BinarySearchFunc(after, h.To, func(a stretch, end time.Duration) int {
			return cmp.Compare(a.From, end)
		})
		if (i < len(after) && after[i].From-h.To <= within) == yes {
			left = append(left, h)
		}
	}
	return left
}
