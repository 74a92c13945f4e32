package query

import (
	"cmp"
	"slices"
)

// MostHits is the maximum number of hits returned for one call. The first ones are returned.
const MostHits = 10_000

// manyHits is the number of hits at which duplicates are discarded for the first time.
const manyHits = 16 * MostHits

// collect appends a hit, unless only excludes it.
func (r *run) collect(h Hit) {
	if r.only != nil {
		if _, ok := slices.BinarySearchFunc(r.only, stretch{From: h.Start, To: h.End}, compareStretches); !ok {
			return
		}
	}
	r.hits = append(r.hits, h)
}

func compareStretches(a, b stretch) int {
	return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
}

// thin bounds memory once there are many hits. It removes duplicates from hits[from:] and, if whole hits are wanted,
// keeps the first MostHits only, since no more can be returned.
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

// inOrder sorts hits by start and removes duplicates.
func inOrder(hits []Hit) []Hit {
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Turn, b.Turn), cmp.Compare(a.From, b.From),
			cmp.Compare(a.To, b.To), cmp.Compare(a.End, b.End), cmp.Compare(a.Condition, b.Condition))
	})
	return slices.Compact(hits)
}
