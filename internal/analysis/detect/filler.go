package detect

import (
	"slices"

	"parley/internal/words/numeral"
)

// How many gaps between single digits have nothing but fillers at least, and how many words a gap has at most.
const (
	fewestFillers = 3
	longestFiller = 4
)

// keys are words before a digit on the keys of a telephone.
var keys = set(`press pressed key button hit enter push`)

// fillers finds the words that are said again between the digits of a number and say nothing, and takes them for
// joints: press four press nine press two.
func (c *call) fillers(turn span) {
	for i := turn.from; i < turn.to; i++ {
		if !c.tokens[i].single() {
			continue
		}
		gaps, times := c.gaps(span{i, turn.to})
		from := 0
		for n := 0; n <= len(gaps); n++ {
			if n < len(gaps) && c.filled(gaps[n], times) {
				continue
			}
			c.fill(gaps[from:n], times)
			from = n + 1
		}
		if n := len(gaps); n > 0 {
			i = gaps[n-1].to
		}
	}
}

// single reports whether a token is one digit.
func (t *token) single() bool {
	return t.Class == numeral.Digit || t.Class == numeral.Oh || t.numeric() && len(t.figure.digits) == 1
}

// gaps returns what stands between the single digits that follow each other from the first token on, and in how many of
// the gaps each word does.
func (c *call) gaps(s span) (gaps []span, times map[string]int) {
	at := s.from
	for next := at + 1; next < s.to && next <= at+1+longestFiller; next++ {
		t := &c.tokens[next]
		if t.single() {
			gaps, at = append(gaps, span{at + 1, next}), next
		} else if t.Class != numeral.Other || t.is(unit) {
			break
		}
	}
	if len(gaps) < fewestFillers {
		return gaps, nil
	}
	times = map[string]int{}
	for _, g := range gaps {
		for i := g.from; i < g.to; i++ {
			times[c.tokens[i].text]++
		}
	}
	return gaps, times
}

// filled reports whether all words of a gap are said again in others, or nothing new anyway.
func (c *call) filled(gap span, times map[string]int) bool {
	for i := gap.from; i < gap.to; i++ {
		if t := &c.tokens[i]; !again(t, times) && !t.is(hesitation|joint|glue) {
			return false
		}
	}
	return true
}

// again reports whether a word is said in several gaps, or is one for keys.
func again(t *token, times map[string]int) bool {
	return !t.is(hesitation) && (times[t.text] > 1 || keys[t.text])
}

// fill takes the words of gaps that follow each other for joints, if there are enough with words that are said again.
func (c *call) fill(gaps []span, times map[string]int) {
	gaps = slices.DeleteFunc(slices.Clone(gaps), func(g span) bool {
		return !slices.ContainsFunc(c.tokens[g.from:g.to], func(t token) bool { return again(&t, times) })
	})
	if len(gaps) < fewestFillers {
		return
	}
	for _, g := range gaps {
		for i := g.from; i < g.to; i++ {
			c.tokens[i].Roles |= joint | glue | filler
		}
	}
}
