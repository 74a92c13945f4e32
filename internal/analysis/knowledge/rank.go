package knowledge

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"parley/internal/words/transcript"
)

// How much a candidate counts. Set by looking at one call.
const (
	ofParts    = .5  // share of its places inside longer candidates that is taken off
	repetition = .7  // exponent of how often it is said
	ofFixed    = 1.3 // factor of phrases of the lexicon
	ofOnce     = .8  // of other phrases that are said once
	ofVerbs    = .55
	ofAdjs     = .35
	half       = 1.2 // score whose relevance is a half
	telling    = .5  // mean weight of the words of a phrase that is said once
	leastScore = .3  // of what is a keyword
)

// rank scores the candidates and orders them, the best first.
func (c *collection) rank() {
	for _, one := range c.ordered {
		slices.SortFunc(one.places, func(a, b place) int {
			return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.speaker, b.speaker))
		})
		one.rejected = len(one.terms) > 1 && !one.accepted()
	}
	c.nest()
	for _, one := range c.ordered {
		one.rejected = one.rejected || len(one.terms) > 1 && !one.fixed && one.nested == len(one.places)
		one.score = one.value()
	}
	slices.SortStableFunc(c.ordered, func(a, b *candidate) int { return cmp.Compare(b.score, a.score) })
}

// accepted reports whether a phrase stands for itself: it is in the lexicon or is said again, or its words tell much.
func (c *candidate) accepted() bool {
	return c.fixed || len(c.places) > 1 || c.whole && len(c.terms) <= 3 && c.weight() >= telling
}

// weight is the mean of those words that may be keywords themselves.
func (c *candidate) weight() float64 {
	sum, n := 0., 0.
	for _, t := range c.terms {
		if t.kind == content {
			sum, n = sum+t.weight, n+1
		}
	}
	return sum / max(1, n)
}

// length is the number of words, those that are none alone counting half, and others not at all.
func (c *candidate) length() float64 {
	n := 0.
	for _, t := range c.terms {
		switch t.kind {
		case content:
			n++
		case weak:
			n += .5
		}
	}
	return n
}

// nest counts the places that are a part of longer candidates.
func (c *collection) nest() {
	longer := map[place]reach{} // by first word alone
	for _, one := range c.ordered {
		if one.rejected || len(one.terms) == 1 {
			continue
		}
		for _, p := range one.places {
			for i := p.from; i <= p.to; i++ {
				r := longer[place{speaker: p.speaker, from: i}]
				r.add(p, len(one.terms), one.fixed)
				longer[place{speaker: p.speaker, from: i}] = r
			}
		}
	}
	for _, one := range c.ordered {
		for _, p := range one.places {
			r := longer[place{speaker: p.speaker, from: p.from}]
			if r.covers(p, len(one.terms)) {
				one.nested++
			}
			if len(one.terms) == 1 && r.fixed {
				one.inFixed++
			}
		}
	}
}

// reach tells of the phrases over one word of the transcript.
type reach struct {
	phrases []extent
	fixed   bool
}

// extent is where a phrase lies, and its number of words.
type extent struct{ from, to, words int }

func (r *reach) add(p place, words int, fixed bool) {
	r.phrases = append(r.phrases, extent{p.from, p.to, words})
	r.fixed = r.fixed || fixed
}

// covers reports whether a place is a part of a phrase of more words.
func (r *reach) covers(p place, words int) bool {
	return slices.ContainsFunc(r.phrases, func(e extent) bool {
		return e.words > words && e.from <= p.from && e.to >= p.to
	})
}

// value is the score of a candidate.
func (c *candidate) value() float64 {
	own := float64(len(c.places)) - ofParts*float64(c.nested)
	v := c.weight() * math.Pow(own, repetition) * math.Log2(1+c.length())
	if !c.fixed && len(c.terms) > 1 && len(c.places) == 1 {
		v *= ofOnce
	}
	switch {
	case c.rejected:
		return 0
	case c.fixed:
		return v * ofFixed
	case c.class == verb:
		return v * ofVerbs
	case c.class == adjective:
		return v * ofAdjs
	}
	return v
}

func relevance(score float64) float64 { return score / (score + half) }

// The number of keywords grows with the words of a call.
const (
	fewest       = 25
	most         = 60
	wordsForEach = 200
)

// keywords returns the best candidates.
func (c *collection) keywords() []transcript.Keyword {
	found := []transcript.Keyword{}
	for _, one := range c.ordered[:min(len(c.ordered), most, fewest+c.words/wordsForEach)] {
		if one.score >= leastScore {
			found = append(found, c.keyword(one, relevance(one.score)))
		}
	}
	return found
}

// keyword returns a candidate with all its places. Its text is as it is most often said, in small letters unless it is
// a name.
func (c *collection) keyword(one *candidate, relevance float64) transcript.Keyword {
	speakers, said := make([]int, len(one.places)), make([]transcript.Occurrence, len(one.places))
	for i, p := range one.places {
		words := c.transcript.Words
		end := max(words[p.from].End, words[p.to].End)
		speakers[i], said[i] = p.speaker, transcript.Occurrence{Start: words[p.from].Start, End: end, Exact: c.exact(p)}
	}
	return transcript.Keyword{Text: c.written(one), Relevance: relevance, Mentions: transcript.Mentions(speakers, said)}
}

// exact is what is said at a place. Words of the other party in between are left out.
func (c *collection) exact(p place) string {
	var said []int
	for i := p.from; i <= p.to; i++ {
		if c.transcript.Words[i].Speaker == p.speaker {
			said = append(said, i)
		}
	}
	return c.transcript.Text(said)
}

// written returns a candidate as it is most often said. It keeps its capitals where it has the same everywhere, but for
// where a sentence may begin.
func (c *collection) written(one *candidate) string {
	counts, best := map[string]int{}, ""
	exact, same := "", true
	for _, p := range one.places {
		counts[p.form]++
		if best == "" || counts[p.form] > counts[best] {
			best = p.form
		}
		text := strings.TrimSuffix(c.exact(p), "'s")
		if !p.opens || text == strings.ToLower(text) {
			same = same && (exact == "" || exact == text)
			exact = text
		}
	}
	if same && exact != strings.ToLower(exact) {
		return exact
	}
	return strings.TrimSuffix(best, "'s")
}
