// Package align gives the words of a known text the times at which they are said: it matches them with the words
// that a recogniser heard in the recording, and spreads what was not heard over the speech in between.
//
// The matching is global alignment by dynamic programming (Needleman and Wunsch 1970) over a lattice of the ways
// each word may be said, between anchors: runs of words that occur once on both sides and in the same order on
// both (the patience rule). It does not recognise speech, and does not read texts; see packages asr and importer.
package align

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"parley/internal/words/phrase"
	"parley/internal/words/sound"
	"parley/internal/words/transcript"
)

// Reading tells how some words of a text may be said, in lower case, the most usual way first.
type Reading struct {
	Words transcript.Span // by index
	Forms [][]string
}

// Request is a text and what was heard.
type Request struct {
	Given  []transcript.Word              // in the order of the text; their times do not count
	Heard  []transcript.Word              // in order of start
	Speech []sound.Segment                // where people speak, in order; nil when it is not known
	Length time.Duration                  // of the recording
	Spoken func(words []string) []Reading // how words are said; nil: as they are written
}

// Found is the text with times.
type Found struct {
	// Words are the given ones, in their order, with times inside the recording: no word begins before the one
	// in front of it. Marks lie at the end of their word.
	Words []transcript.Word
	// Guessed are the runs of spoken words, as indices of Words, that were not heard: their times are estimated.
	Guessed []transcript.Span
	// Heard has, for each of Words, the index of the heard word that it was found in, or None.
	Heard []int
}

// None is the index of no word.
const None = -1

// Align gives times to a text. It never fails: text that is not in the recording gets the time that is left.
func Align(r *Request) *Found {
	var words []int // indices of the spoken ones
	var texts []string
	for i, w := range r.Given {
		if w.Kind == transcript.Spoken {
			words, texts = append(words, i), append(texts, w.Text)
		}
	}
	slots := readings(r.Spoken, texts)
	heard := tokens(r)
	path := match(slots, heard)
	timed := place(path, heard, r)
	f := &Found{Words: slices.Clone(r.Given)}
	guessed := make([]bool, len(f.Words))
	f.Heard = slices.Repeat([]int{None}, len(f.Words))
	for i, s := range slots {
		share(f.Words, words[s.Words.From:s.Words.To], timed[i], guessed, f.Heard)
	}
	settle(f.Words, r.Length)
	f.Guessed = runs(f.Words, guessed)
	return f
}

// readings returns how the texts are said, each with at least one form.
func readings(spoken func([]string) []Reading, texts []string) []Reading {
	var all []Reading
	if spoken != nil {
		all = slices.Clone(spoken(texts))
	} else {
		for i, t := range texts {
			all = append(all, Reading{transcript.Span{From: i, To: i + 1}, [][]string{{fold(t)}}})
		}
	}
	for i := range all {
		if len(all[i].Forms) == 0 {
			all[i].Forms = [][]string{{}}
		}
	}
	return all
}

// fold is a word with letters and digits alone. Transcripts of the same call differ in all other signs: one has "don't"
// and "e-mail" where another one has "dont" and "email".
func fold(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return r
		}
		return -1
	}, phrase.Fold(word))
}

// token is one word as it is said, with its time.
type token struct {
	text       string
	start, end time.Duration
	confidence float64
	word       int // index of the heard word
}

// tokens returns what was heard, numbers in words.
func tokens(r *Request) []token {
	var heard []transcript.Word
	var texts []string
	var which []int
	for i, w := range r.Heard {
		if w.Kind == transcript.Spoken {
			heard, texts, which = append(heard, w), append(texts, w.Text), append(which, i)
		}
	}
	var all []token
	for _, reading := range readings(r.Spoken, texts) {
		form := reading.Forms[0]
		if len(form) == 0 || reading.Words.From >= reading.Words.To {
			continue
		}
		first, last := heard[reading.Words.From], heard[reading.Words.To-1]
		for i, text := range form {
			all = append(all, token{
				fold(text), between(first.Start, last.End, i, len(form)),
				between(first.Start, last.End, i+1, len(form)), first.Confidence, which[reading.Words.From],
			})
		}
	}
	return all
}

// between returns the time at a share of a stretch.
func between(from, to time.Duration, part, whole int) time.Duration {
	return from + max(to-from, 0)*time.Duration(part)/time.Duration(max(whole, 1))
}

// share gives the words of one reading the times of what is said for them.
func share(words []transcript.Word, which []int, said []placed, guessed []bool, heard []int) {
	if len(said) == 0 {
		for _, i := range which {
			words[i].Start, words[i].End = -1, -1
			guessed[i] = false
		}
		return
	}
	for n, i := range which {
		first := n * len(said) / len(which)
		last := max((n+1)*len(said)/len(which)-1, first)
		words[i].Start, words[i].End = said[first].start, said[last].end
		found := slices.IndexFunc(said[first:last+1], func(p placed) bool { return p.word != None })
		if guessed[i] = found < 0; found >= 0 {
			heard[i] = said[first+found].word
		}
	}
}

// settle puts all times into the recording and in order, and marks to the end of their word.
func settle(words []transcript.Word, length time.Duration) {
	var from, end time.Duration
	for i := range words {
		w := &words[i]
		if w.Kind == transcript.Punctuation {
			w.Start, w.End = end, end
			continue
		}
		if w.Start < 0 { // nothing is said for it
			w.Start, w.End = end, end
		}
		w.Start = min(max(w.Start, from), max(length, 0))
		w.End = min(max(w.End, w.Start), max(length, 0))
		from, end = w.Start, w.End
	}
}

// runs returns the runs of guessed spoken words.
func runs(words []transcript.Word, guessed []bool) []transcript.Span {
	var all []transcript.Span
	open := false
	for i, w := range words {
		switch {
		case w.Kind == transcript.Punctuation:
		case !guessed[i]:
			open = false
		case open:
			all[len(all)-1].To = i + 1
		default:
			all, open = append(all, transcript.Span{From: i, To: i + 1}), true
		}
	}
	return all
}
