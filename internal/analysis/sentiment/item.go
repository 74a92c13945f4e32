package sentiment

import (
	"math"
	"slices"
	"strings"
)

// item is a word, or a phrase that is scored as one, with the effects of its neighbours.
type item struct {
	written, folded string
	phrase          bool
	value           float64 // valence of a phrase
	more            float64 // added to the absolute value of its valence
	times           float64 // factor of its valence
}

// items returns the words and phrases of a text. With wordByWord, phrases that carry sentiment are split into words.
func (m *Model) items(written, folded []string, wordByWord bool) []item {
	var list []item
	for i := 0; i < len(folded); {
		n, value := m.phrases.longest(folded[i:])
		if n == 0 || wordByWord && value != 0 {
			list = append(list, item{written: written[i], folded: folded[i]})
			i++
			continue
		}
		list = append(list, item{written: strings.Join(written[i:i+n], " "), folded: strings.Join(folded[i:i+n], " "),
			phrase: true, value: value})
		i += n
	}
	weigh(list)
	return list
}

// Constants of the context rules. The rules of intensity and negation and their constants are from Hutto and Gilbert,
// "VADER: A Parsimonious Rule-based Model for Sentiment Analysis of Social Media Text", ICWSM 2014. The others are: a
// word after "is" is a judgement; a name carries no sentiment; a word after "the" or "to" only names something; a
// clause after "if" is hypothetical.
const (
	boost     = .293
	fading    = .05 // decrease of a boost per word in between
	capitals  = .733
	negation  = -.74
	predicate = 1.5
	named     = .7
	supposed  = .4
	asked     = .4 // factor for questions
	beforeBut = .8
	afterBut  = 1.2
)

// weigh applies the effects of the neighbours to each item.
func weigh(items []item) {
	shouting, but := shouts(items), false
	question := len(items) > 0 && items[len(items)-1].folded == "?"
	hasBut := slices.ContainsFunc(items, func(it item) bool { return it.folded == "but" })
	for i := range items {
		it := &items[i]
		but = but || it.folded == "but"
		it.times = 1
		switch {
		case but:
			it.times = afterBut
		case hasBut:
			it.times = beforeBut
		}
		if question {
			it.times *= asked
		}
		if shouting && len(it.written) > 1 && it.written == strings.ToUpper(it.written) {
			it.more = capitals
		}
		it.hear(items[:i])
	}
}

// hear applies the effects of the items before an item.
func (it *item) hear(before []item) {
	denied, said, doubted := false, false, false
	for d := 1; d <= 6 && d <= len(before); d++ {
		b := &before[len(before)-d]
		doubted = doubted || b.folded == "if"
		if d > 3 {
			continue
		}
		it.more += strengths[b.folded] * (1 + fading - fading*float64(d))
		denied = denied || !b.phrase && negates(b.folded)
		said = said || isPredicative(b.folded)
	}
	if len(before) > 0 {
		switch last := before[len(before)-1].folded; {
		case names[last]:
			it.times *= named
		case last == "as in" || strings.HasSuffix(last, "name is"):
			it.times = 0
		}
	}
	if denied {
		it.times *= negation
	}
	if said {
		it.times *= predicate
	}
	if doubted {
		it.times *= supposed
	}
}

func isPredicative(folded string) bool {
	for word := range strings.FieldsSeq(folded) {
		if copulas[word] {
			return true
		}
	}
	return false
}

// says returns the valence of an item in its context, given its valence v alone.
func (it *item) says(v float64) float64 {
	if v == 0 {
		return 0
	}
	return (v + it.more*math.Copysign(1, v)) * it.times
}

// shouts reports whether some but not all words of a text are in capitals.
func shouts(items []item) bool {
	some, all := false, true
	for _, it := range items {
		if len(it.written) > 1 && it.written == strings.ToUpper(it.written) &&
			it.written != strings.ToLower(it.written) {
			some = true
		} else {
			all = false
		}
	}
	return some && !all
}
