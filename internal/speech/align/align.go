// Package align computes the times of the words of a known text. It matches them with the words that a recogniser
// heard in the recording, and distributes unmatched words over the speech in between.
//
// The matching is global alignment by dynamic programming (Needleman and Wunsch 1970) over a lattice of the spoken
// forms of each word. It runs between anchors: runs of words that occur once on both sides and in the same order on
// both (the patience rule). The package does not recognise speech or parse texts; see packages asr and importer.
package align

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"parley/internal/speech/formatting"
	"parley/internal/words/phrase"
	"parley/internal/words/sound"
	"parley/internal/words/transcript"
)

// Request holds a text and the recognised words.
type Request struct {
	Given  []transcript.Word                         // in the order of the text; their times are ignored
	Heard  []transcript.Word                         // in order of start
	Speech []sound.Segment                           // speech segments in order; nil if unknown
	Length time.Duration                             // of the recording
	Spoken func(words []string) []formatting.Reading // returns spoken forms; nil: the words as written
}

// Result is the text with times.
type Result struct {
	// Words are the given words in their order, with times inside the recording and non-decreasing starts.
	// Punctuation marks have the end time of their word.
	Words []transcript.Word
	// Guessed lists runs of spoken words, as index ranges of Words, that were not heard. Their times are estimated.
	Guessed []transcript.Span
	// Heard holds, for each of Words, the index of the heard word it matched, or None.
	Heard []int
}

// None is the index that stands for no word.
const None = -1

// Align computes the times of a text. It never fails: text that is missing from the recording gets the time left
// over.
func Align(r *Request) *Result {
	var words []int // indices of the spoken words
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
	f := &Result{Words: slices.Clone(r.Given)}
	guessed := make([]bool, len(f.Words))
	f.Heard = slices.Repeat([]int{None}, len(f.Words))
	for i, s := range slots {
		share(f.Words, words[s.Words.From:s.Words.To], timed[i], guessed, f.Heard)
	}
	settle(f.Words, r.Length)
	f.Guessed = runs(f.Words, guessed)
	return f
}

// readings returns the spoken forms of the texts, at least one form each.
func readings(spoken func([]string) []formatting.Reading, texts []string) []formatting.Reading {
	var all []formatting.Reading
	if spoken != nil {
		all = slices.Clone(spoken(texts))
	} else {
		for i, t := range texts {
			word := transcript.Span{From: i, To: i + 1}
			all = append(all, formatting.Reading{Words: word, Forms: [][]string{{fold(t)}}})
		}
	}
	for i := range all {
		if len(all[i].Forms) == 0 {
			all[i].Forms = [][]string{{}}
		}
	}
	return all
}

// fold reduces a word to its letters and digits. Transcripts of the same call differ in all other characters: "don't"
// and "e-mail" in one are "dont" and "email" in another.
func fold(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return r
		}
		return -1
	}, phrase.Fold(word))
}

// token is one spoken word with its time.
type token struct {
	text       string
	start, end time.Duration
	confidence float64
	word       int // index of the heard word
}

// tokens returns the heard words, with numbers spelled out.
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

// between returns the time at the fraction part/whole of an interval.
func between(from, to time.Duration, part, whole int) time.Duration {
	return from + max(to-from, 0)*time.Duration(part)/time.Duration(max(whole, 1))
}

// share divides the times of a reading's tokens among its words.
func share(words []transcript.Word, which []int, tokens []timing, guessed []bool, heard []int) {
	if len(tokens) == 0 {
		for _, i := range which {
			words[i].Start, words[i].End = -1, -1
			guessed[i] = false
		}
		return
	}
	for n, i := range which {
		first := n * len(tokens) / len(which)
		last := max((n+1)*len(tokens)/len(which)-1, first)
		words[i].Start, words[i].End = tokens[first].start, tokens[last].end
		found := slices.IndexFunc(tokens[first:last+1], func(p timing) bool { return p.word != None })
		if guessed[i] = found < 0; found >= 0 {
			heard[i] = tokens[first+found].word
		}
	}
}

// settle clamps all times to the recording, makes starts non-decreasing, and moves marks to the end of their word.
func settle(words []transcript.Word, length time.Duration) {
	var from, end time.Duration
	for i := range words {
		w := &words[i]
		if w.Kind == transcript.Punctuation {
			w.Start, w.End = end, end
			continue
		}
		if w.Start < 0 { // no token was assigned to it
			w.Start, w.End = end, end
		}
		w.Start = min(max(w.Start, from), max(length, 0))
		w.End = min(max(w.End, w.Start), max(length, 0))
		from, end = w.Start, w.End
	}
}

// runs returns the runs of spoken words whose times are guessed.
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
