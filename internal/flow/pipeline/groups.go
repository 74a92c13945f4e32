package pipeline

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"

	"parley/internal/analysis/spot"
	"parley/internal/call/plan"
	"parley/internal/words/list"
)

// mostKeywords is the total number of keywords in cached keyword group indexes, which bounds their memory.
const mostKeywords = 400_000

// fingerprint is a hash of the content of keyword groups.
type fingerprint [sha256.Size]byte

// index returns an index of keyword groups, built once for all recordings that use the same groups.
func (a *Analyst) index(asked []plan.Group) *spot.Index {
	n := 0
	for _, g := range asked {
		n += 1 + len(g.Keywords)
	}
	x, _ := a.groups.find(fingerprintOf(asked), n, func() (*spot.Index, error) {
		return spot.NewIndex(list.Map(asked, func(g plan.Group) spot.Group { return spot.Group(g) })), nil
	})
	return x
}

func fingerprintOf(groups []plan.Group) (f fingerprint) {
	hash := sha256.New()
	w := bufio.NewWriter(hash)
	var number [binary.MaxVarintLen64]byte
	count := func(n int) { w.Write(number[:binary.PutUvarint(number[:], uint64(n))]) }
	for _, g := range groups {
		count(len(g.Name))
		w.WriteString(g.Name)
		count(len(g.Keywords))
		for _, k := range g.Keywords {
			count(len(k))
			w.WriteString(k)
		}
	}
	w.Flush()
	hash.Sum(f[:0])
	return f
}
