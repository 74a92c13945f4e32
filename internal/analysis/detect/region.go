package detect

import (
	"cmp"
	"slices"
	"time"

	"parley/internal/transcript"
)

// How far a region reaches beyond its numbers at most.
const (
	marginWords = 3
	marginTime  = 2 * time.Second
)

// found is the tokens of one thing that was found.
type found struct {
	class Class
	parts []span // of tokens: for a number its items, else one
	weak  []bool // of each part
	reach bool   // small gaps between it and others of its class belong to the region
	wide  int    // how many words beside them belong to the region
}

// stretch is words by index, the last one included.
type stretch struct{ first, last int }

// regions returns the regions of things that were found at a level, in order, none overlapping.
func (c *call) regions(things []found, level Level) []Region {
	var all []Region
	reach := map[Class]bool{}
	for _, f := range things {
		reach[f.class] = reach[f.class] || f.reach
		for _, s := range c.stretches(f, level) {
			all = append(all, c.region(f.class, s))
		}
	}
	slices.SortStableFunc(all, func(a, b Region) int { return cmp.Compare(a.First, b.First) })
	var apart []Region
	for _, r := range all {
		if n := len(apart); n > 0 && (r.First <= apart[n-1].Last || level == EntireRegion && reach[r.Class] && r.Class == apart[n-1].Class && c.neighbours(apart[n-1], r)) {
			apart[n-1] = c.region(apart[n-1].Class, stretch{apart[n-1].First, max(apart[n-1].Last, r.Last)})
			continue
		}
		apart = append(apart, r)
	}
	return apart
}

// How far apart what is found lies at most to be one region with the words between.
const (
	gapWords = 6
	gapTime  = 4 * time.Second
)

// neighbours reports whether there is so little between two regions that it belongs to them.
func (c *call) neighbours(a, b Region) bool {
	spoken := 0
	for i := a.Last + 1; i < b.First; i++ {
		if c.t.Words[i].Kind == transcript.Spoken {
			spoken++
		}
	}
	return spoken <= gapWords && b.Start-a.End <= gapTime
}

// region is the words of a stretch with their times, and who says most of them.
func (c *call) region(class Class, s stretch) Region {
	r := Region{Occurrence{Class: class, Start: c.t.Words[s.first].Start}, s.first, s.last}
	said := make([]int, len(c.t.Speakers))
	for i := s.first; i <= s.last; i++ {
		w := &c.t.Words[i]
		r.End = max(r.End, w.End)
		if w.Kind == transcript.Spoken {
			said[w.Speaker]++
		}
	}
	for i, n := range said {
		if n > said[r.Speaker] {
			r.Speaker = i
		}
	}
	return r
}

// stretches returns the words of one thing at a level.
func (c *call) stretches(f found, level Level) []stretch {
	if level == EntireRegion {
		return []stretch{c.entire(f)}
	}
	var words []int
	for i, p := range f.parts {
		if f.weak[i] && level == NumbersOnly {
			continue
		}
		for t := p.from; t < p.to; t++ {
			words = append(words, c.tokens[t].word)
		}
	}
	slices.Sort(words)
	var all []stretch
	for _, w := range slices.Compact(words) {
		if n := len(all); n > 0 && c.follows(all[n-1].last, w) {
			all[n-1].last = w
			continue
		}
		all = append(all, stretch{w, w})
	}
	return all
}

// follows reports whether there are only marks between two words.
func (c *call) follows(a, b int) bool {
	for i := a + 1; i < b; i++ {
		if c.t.Words[i].Kind == transcript.Spoken {
			return false
		}
	}
	return true
}

// entire is all words from the first to the last, and those beside them of a card.
func (c *call) entire(f found) stretch {
	s := stretch{len(c.t.Words), -1}
	add := func(token int) {
		s.first, s.last = min(s.first, c.tokens[token].word), max(s.last, c.tokens[token].word)
	}
	for _, p := range f.parts {
		for t := p.from; t < p.to; t++ {
			add(t)
		}
	}
	from, to := f.parts[0].from, f.parts[len(f.parts)-1].to-1
	for i := from - 1; i >= from-f.wide && c.inTurn(i, c.tokens[from].turn).turn >= 0 && c.start(from)-c.start(i) <= marginTime; i-- {
		add(i)
	}
	for i := to + 1; i <= to+f.wide && c.inTurn(i, c.tokens[to].turn).turn >= 0 && c.end(i)-c.end(to) <= marginTime; i++ {
		add(i)
	}
	return s
}
