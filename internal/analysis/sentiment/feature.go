package sentiment

import (
	"math"
	"slices"
	"strings"
)

// The rules of the lexicon method, with the constants of Hutto and Gilbert, "VADER: A Parsimonious Rule-based
// Model for Sentiment Analysis of Social Media Text", ICWSM 2014.
const (
	boost    = .293
	capitals = .733
	negation = -.74
	mark     = .292 // of an exclamation mark, at most four of which count
	spread   = 15.
)

// squash maps a sum of valences to -1..1.
func squash(sum float64) float64 { return sum / math.Sqrt(sum*sum+spread) }

// composed returns the valence of each token in its context: strengthened, weakened, turned round; before a
// "but" it counts half, behind it one and a half.
func composed(written, folded []string, valence func(string) float64) []float64 {
	shouting := shouts(written)
	values := make([]float64, len(folded))
	for i, w := range folded {
		v := valence(w)
		if v == 0 {
			continue
		}
		sign := math.Copysign(1, v)
		if shouting && len(w) > 1 && written[i] == strings.ToUpper(written[i]) {
			v += sign * capitals
		}
		for d := 1; d <= 3 && d <= i; d++ {
			switch before := folded[i-d]; {
			case boosters[before]:
				v += sign * boost * (1.05 - .05*float64(d))
			case dampers[before]:
				v -= sign * boost
			}
		}
		if slices.ContainsFunc(folded[max(0, i-3):i], negates) {
			v *= negation
		}
		values[i] = v
	}
	if but := slices.Index(folded, "but"); but >= 0 {
		for i := range values {
			values[i] *= map[bool]float64{true: .9, false: 1.1}[i < but]
		}
	}
	return values
}

// shouts reports whether some words of a text are written in capitals, and not all.
func shouts(written []string) bool {
	some, all := false, true
	for _, w := range written {
		if len(w) > 1 && w == strings.ToUpper(w) && w != strings.ToLower(w) {
			some = true
		} else {
			all = false
		}
	}
	return some && !all
}

// features describes a text by numbers that are 0 where nothing carries sentiment. All but the last two change their sign
// with it; those count what is denied, and what is only thought of.
func (m *Model) features(text string) []float64 {
	written, folded := tokensOf(text)
	compound := m.rules.PolarityScores(text).Compound
	vader := composed(written, folded, func(w string) float64 { return m.rules.Lexicon[w] })
	known := composed(written, folded, m.lexicon.known)
	any := composed(written, folded, m.lexicon.value)
	guessed := composed(written, folded, m.lexicon.guess)
	only := composed(written, folded, m.lexicon.unknown)
	sided := composed(written, folded, m.lexicon.side)
	root := math.Sqrt(float64(len(folded) + 1))
	total := sum(any)
	marks := mark * float64(min(matching(folded, func(w string) bool { return w == "!" }), 4)) * sign(total)
	positive, negative := parts(any)
	return []float64{
		compound, compound * math.Abs(compound),
		squash(sum(vader) + marks), squash(sum(known) + marks), squash(total + marks), squash(sum(guessed) + marks),
		sum(only), sum(only) / root, sum(guessed), sum(guessed) / root, sum(known) / root, total / root,
		sum(sided), squash(3 * sum(sided)),
		highest(any) + lowest(any), highest(guessed) + lowest(guessed),
		positive + negative, (above(any, .5) - above(negated(any), .5)) / root,
		sum(tail(any, 6)), sum(any[:min(6, len(any))]), marks,
		float64(matching(folded, refuses)), float64(matching(folded, func(w string) bool { return unreal[w] })),
	}
}

func sum(values []float64) float64 {
	s := 0.0
	for _, v := range values {
		s += v
	}
	return s
}

// parts returns the roots of what is positive and of what is negative, so that one more of the same counts less.
func parts(values []float64) (positive, negative float64) {
	for _, v := range values {
		positive, negative = positive+max(v, 0), negative+min(v, 0)
	}
	return math.Sqrt(positive), -math.Sqrt(-negative)
}

func negated(values []float64) []float64 {
	turned := make([]float64, len(values))
	for i, v := range values {
		turned[i] = -v
	}
	return turned
}

func above(values []float64, threshold float64) float64 {
	n := 0.0
	for _, v := range values {
		if v > threshold {
			n++
		}
	}
	return n
}

func highest(values []float64) float64 { return slices.Max(append([]float64{0}, values...)) }
func lowest(values []float64) float64  { return slices.Min(append([]float64{0}, values...)) }

func tail(values []float64, n int) []float64 { return values[max(0, len(values)-n):] }

func sign(v float64) float64 {
	if v == 0 {
		return 0
	}
	return math.Copysign(1, v)
}

func matching(words []string, is func(string) bool) int {
	n := 0
	for _, w := range words {
		if is(w) {
			n++
		}
	}
	return n
}
