package detect

import (
	"cmp"
	"slices"
	"time"

	"parley/internal/words/transcript"
)

// How far a region extends beyond its numbers at most.
const (
	marginWords = 3
	marginTime  = 2 * time.Second
)

// finding is one finding, in tokens.
type finding struct {
	class Class
	parts []span // tokens: the items of a number, otherwise one span
	weak  []bool // of each part
	reach bool   // small gaps between it and other findings of its class belong to the region
	wide  int    // number of words on each side that belong to the region
}

// stretch is a range of word indices, both included.
type stretch struct{ first, last int }

// regions returns the regions of findings at a level, in order, without overlaps.
func (c *call) regions(things []finding, level Level) []Region {
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
		if n := len(apart); n > 0 && (r.First <= apart[n-1].Last || level == EntireRegion && reach[r.Class] &&
			r.Class == apart[n-1].Class && c.neighbours(apart[n-1], r)) {
			apart[n-1] = c.region(apart[n-1].Class, stretch{apart[n-1].First, max(apart[n-1].Last, r.Last)})
			continue
		}
		apart = append(apart, r)
	}
	return apart
}

// Maximum gaps between findings that are merged into one region with the words between.
const (
	gapWords = 6
	gapTime  = 4 * time.Second
)

// neighbours reports whether the gap between two regions is small enough to merge them.
func (c *call) neighbours(a, b Region) bool {
	spoken := 0
	for i := a.Last + 1; i < b.First; i++ {
		if c.t.Words[i].Kind == transcript.Spoken {
			spoken++
		}
	}
	return spoken <= gapWords && b.Start-a.End <= gapTime
}

// region returns the region of a stretch: its times, its main speaker and all its speakers.
func (c *call) region(class Class, s stretch) Region {
	r := Region{Occurrence: Occurrence{Class: class, Start: c.t.Words[s.first].Start}, First: s.first, Last: s.last}
	said := make([]int, len(c.t.Speakers))
	for i := s.first; i <= s.last; i++ {
		w := &c.t.Words[i]
		r.End = max(r.End, w.End)
		if w.Kind.Lasts() {
			said[w.Speaker]++
		}
	}
	for i, n := range said {
		if n > said[r.Speaker] {
			r.Speaker = i
		}
		if n > 0 {
			r.Speakers = append(r.Speakers, i)
		}
	}
	return r
}

// stretches returns the words of a finding at a level.
func (c *call) stretches(f finding, level Level) []stretch {
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

// follows reports whether only punctuation stands between two words.
func (c *call) follows(a, b int) bool {
	for i := a + 1; i < b; i++ {
		if c.t.Words[i].Kind == transcript.Spoken {
			return false
		}
	}
	return true
}

// entire returns all words from the first to the last, and for cards those on both sides.
func (c *call) entire(f finding) stretch {
	first, last := f.parts[0].from, f.parts[0].from // tokens
	for _, p := range f.parts {
		for t := p.from; t < p.to; t++ {
			if c.tokens[t].word < c.tokens[first].word {
				first = t
			}
			if c.tokens[t].word >= c.tokens[last].word {
				last = t
			}
		}
	}
	s := stretch{c.tokens[first].word, c.tokens[last].word}
	start, end := c.start(first), c.end(last)
	for i := first - 1; i >= first-f.wide && c.adjoins(i, i+1) && start-c.start(i) <= marginTime; i-- {
		s.first = c.tokens[i].word
	}
	for i := last + 1; i <= last+f.wide && c.adjoins(i-1, i) && c.end(i)-end <= marginTime; i++ {
		s.last = c.tokens[i].word
	}
	return s
}

// adjoins reports whether two tokens belong to one turn and nobody else speaks between them.
func (c *call) adjoins(a, b int) bool {
	if turn := c.at(a).turn; turn < 0 || turn != c.at(b).turn {
		return false
	}
	return !slices.ContainsFunc(c.t.Words[c.tokens[a].word:c.tokens[b].word], func(w transcript.Word) bool {
		return w.Kind.Lasts() && w.Speaker != c.speaker(a)
	})
}
