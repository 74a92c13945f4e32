package detect

import (
	"slices"

	"parley/internal/words/numeral"
	"parley/internal/words/phrase"
)

// The minimum number of gaps between single digits that hold only fillers, and the maximum number of words per gap.
const (
	fewestFillers = 3
	longestFiller = 4
)

// keys are words that precede a digit when people dictate the keys of a telephone.
var keys = phrase.Set(`press pressed key button hit enter push`)

// fillers finds words that are repeated between the digits of a number without meaning, and marks them as joints:
// "press four press nine press two".
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

// gaps returns the gaps between consecutive single digits, starting at the first token, and the number of gaps in which
// each word occurs.
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

// filled reports whether every word of a gap is repeated in other gaps or carries no information.
func (c *call) filled(gap span, times map[string]int) bool {
	for i := gap.from; i < gap.to; i++ {
		if t := &c.tokens[i]; !again(t, times) && !t.is(hesitation|joint|glue) {
			return false
		}
	}
	return true
}

// again reports whether a word occurs in several gaps or is one of keys.
func again(t *token, times map[string]int) bool {
	return !t.is(hesitation) && (times[t.text] > 1 || keys[t.text])
}

// fill marks the words of consecutive gaps as joints if enough gaps have repeated words.
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
