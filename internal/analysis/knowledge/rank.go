package knowledge

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"parley/internal/words/transcript"
)

// Constants of the score. They were tuned on one call.
const (
	ofParts    = .5  // share of the places inside longer candidates that is subtracted
	repetition = .7  // exponent of the number of occurrences
	ofFixed    = 1.3 // factor for phrases of the lexicon
	ofOnce     = .8  // factor for other phrases that are said once
	ofVerbs    = .55
	ofAdjs     = .35
	half       = 1.2 // score for a relevance of .5
	telling    = .5  // minimum mean weight of the words of a phrase that is said once
	leastScore = .3  // minimum relevance of a keyword
)

// rank scores the candidates and sorts them, the best first.
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

// accepted reports whether a phrase may be a keyword: it is in the lexicon, is said more than once, or has words of
// high weight.
func (c *candidate) accepted() bool {
	return c.fixed || len(c.places) > 1 || c.whole && len(c.terms) <= 3 && c.weight() >= telling
}

// weight returns the mean weight of the words that may be keywords themselves.
func (c *candidate) weight() float64 {
	sum, n := 0., 0.
	for _, t := range c.terms {
		if t.kind == content {
			sum, n = sum+t.weight, n+1
		}
	}
	return sum / max(1, n)
}

// length returns the number of words. Words that cannot be keywords alone count half, and words that cannot be in a
// keyword do not count.
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

// nest counts the places that are part of longer candidates.
func (c *collection) nest() {
	type word struct{ speaker, index int }
	around := map[word][]extent{} // the phrases that contain a word
	for _, one := range c.ordered {
		if one.rejected || len(one.terms) == 1 {
			continue
		}
		for _, p := range one.places {
			for i := p.from; i <= p.to; i++ {
				w := word{p.speaker, i}
				around[w] = append(around[w], extent{p.from, p.to, len(one.terms), one.fixed})
			}
		}
	}
	for _, one := range c.ordered {
		for _, p := range one.places {
			phrases := around[word{p.speaker, p.from}]
			if slices.ContainsFunc(phrases, func(e extent) bool {
				return e.words > len(one.terms) && e.from <= p.from && e.to >= p.to
			}) {
				one.nested++
			}
			if len(one.terms) == 1 && slices.ContainsFunc(phrases, func(e extent) bool { return e.fixed }) {
				one.inFixed++
			}
		}
	}
}

// extent is the range of a phrase, its number of words, and whether it is one of the lexicon.
type extent struct {
	from, to, words int
	fixed           bool
}

// value returns the score of a candidate.
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

// The limit of keywords grows with the number of words of a call.
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

// keyword returns the keyword of a candidate with all its places. Its text is the most frequent form, in lower case
// unless it is a name.
func (c *collection) keyword(one *candidate, relevance float64) transcript.Keyword {
	speakers, said := make([]int, len(one.places)), make([]transcript.Occurrence, len(one.places))
	for i, p := range one.places {
		words := c.transcript.Words
		end := max(words[p.from].End, words[p.to].End)
		speakers[i], said[i] = p.speaker, transcript.Occurrence{Start: words[p.from].Start, End: end, Exact: c.exact(p)}
	}
	return transcript.Keyword{Text: c.written(one), Relevance: relevance, Mentions: transcript.Mentions(speakers, said)}
}

// exact returns the words at a place, without words of the other party in between.
func (c *collection) exact(p place) string {
	var said []int
	for i := p.from; i <= p.to; i++ {
		if c.transcript.Words[i].Speaker == p.speaker {
			said = append(said, i)
		}
	}
	return c.transcript.Text(said)
}

// written returns the most frequent form of a candidate. It keeps capitals that are the same at all places, except at
// possible starts of sentences.
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
