package query

import (
	"cmp"
	"slices"
)

// MostHits is how many hits of one call are returned, the first ones.
const MostHits = 10_000

// manyHits is how many are kept before they are thinned out for the first time.
const manyHits = 16 * MostHits

// collect keeps a hit.
func (r *run) collect(h Hit) {
	if r.only != nil {
		if _, ok := slices.BinarySearchFunc(r.only, stretch{h.Start, h.End}, stretch.compare); !ok {
			return
		}
	}
	r.hits = append(r.hits, h)
}

func (s stretch) compare(o stretch) int {
	return cmp.Or(cmp.Compare(s.from, o.from), cmp.Compare(s.to, o.to))
}

// thin makes room once there are many hits: of those from one on it leaves each once, and where whole hits are wanted
// the first ones, which are all that can be returned.
func (r *run) thin(from int) {
	if len(r.hits) < r.many {
		return
	}
	kept := inOrder(r.hits[from:])
	if r.want == wholeHits {
		kept = kept[:min(len(kept), MostHits)]
	}
	r.hits = r.hits[:from+len(kept)]
	r.many = max(manyHits, 2*len(r.hits))
}

// inOrder orders hits by their start and leaves each once.
func inOrder(hits []Hit) []Hit {
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Turn, b.Turn), cmp.Compare(a.From, b.From),
			cmp.Compare(a.To, b.To), cmp.Compare(a.End, b.End), cmp.Compare(a.Condition, b.Condition))
	})
	return slices.Compact(hits)
}
