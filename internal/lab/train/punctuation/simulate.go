package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"parley/internal/speech/punctuation"
)

// text holds one speaker's words as a recogniser would output them, and the true marks.
type text struct {
	tokens []punctuation.Token
	marks  []punctuation.Mark
}

// condition describes how a talk is recorded and recognised.
type condition struct {
	style  style
	stereo bool    // each side on its own channel, turns known
	errors float64 // share of wrong words
	pace   float64 // factor of all pauses
}

// draw draws a random condition for training.
func draw(random *rand.Rand) condition {
	c := condition{style: styles[random.IntN(len(styles))], stereo: random.IntN(5) < 2,
		pace: math.Exp(random.NormFloat64() * 0.35)}
	if random.IntN(2) == 0 {
		c.errors = random.Float64() * 0.3
	}
	return c
}

// simulateAll simulates every talk several times, each time in a new condition.
func simulateAll(talks []talk, random *rand.Rand, copies int) []text {
	vocabulary := vocabularyOf(talks)
	var all []text
	for range copies {
		for _, t := range talks {
			all = append(all, simulate(t, draw(random), vocabulary, random)...)
		}
	}
	return all
}

// simulateAs simulates every talk once in the given condition.
func simulateAs(talks []talk, c condition, random *rand.Rand) []text {
	vocabulary := vocabularyOf(talks)
	var all []text
	for _, t := range talks {
		all = append(all, simulate(t, c, vocabulary, random)...)
	}
	return all
}

// vocabularyOf lists all words, repeated as often as they occur.
func vocabularyOf(talks []talk) []string {
	var all []string
	for _, t := range talks {
		for _, u := range t.turns {
			all = append(all, u.words...)
		}
	}
	return all
}

// simulate returns the texts of one talk: one per side in stereo, otherwise one.
func simulate(t talk, c condition, vocabulary []string, random *rand.Rand) []text {
	var sides []string
	var texts []text
	for _, u := range t.turns {
		side := ""
		if c.stereo {
			side = u.side
		}
		i := slices.Index(sides, side)
		if i < 0 {
			sides, texts, i = append(sides, side), append(texts, text{}), len(sides)
		}
		texts[i].say(u, c, vocabulary, random)
	}
	return texts
}

// say appends a turn.
func (t *text) say(u turn, c condition, vocabulary []string, random *rand.Rand) {
	for i, w := range u.words {
		token, mark := punctuation.Token{Word: w}, u.marks[i]
		last := i+1 == len(u.words)
		switch {
		case last && c.stereo:
			token.Turn, token.Pause = true, pause(c.style.answer, random)
		case last:
			token.Pause = pause(c.style.turn, random)
		case c.stereo && random.IntN(150) == 0: // "mhm" from the other side
			token.Turn, token.Pause = true, turnPause+pause(c.style.nothing, random)
		case mark == punctuation.None:
			token.Pause = pause(c.style.nothing, random)
		case mark == punctuation.Comma:
			token.Pause = pause(c.style.comma, random)
		default:
			token.Pause = pause(c.style.end, random)
		}
		token.Pause = time.Duration(float64(token.Pause) * c.pace)
		if token.Turn {
			token.Pause = max(token.Pause, turnPause)
		}
		if random.Float64() < c.errors {
			token.Word = vocabulary[random.IntN(len(vocabulary))]
		}
		t.tokens, t.marks = append(t.tokens, token), append(t.marks, mark)
	}
}

const turnPause = 700 * time.Millisecond

// pause draws a pause: its class from the counts, then its length uniformly within the class.
func pause(counts counts, random *rand.Rand) time.Duration {
	total := 0
	for _, n := range counts {
		total += n
	}
	draw := random.IntN(total)
	for class, n := range counts {
		if draw < n {
			low, high := limits[class], limits[class+1]
			return low + time.Duration(random.Int64N(int64(high-low)))
		}
		draw -= n
	}
	return 0
}
