package remote

import (
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"parley/internal/speech/asr"
	"parley/internal/words/sound"
)

// Unknown is the confidence of words for which the service returns none.
const Unknown = 0.5

// inWord is punctuation that is part of a word.
const inWord = "%&@#'’+$"

// Bare returns the spoken form of a written word: lower case, without surrounding punctuation. It is empty for
// punctuation alone.
func Bare(written string) string {
	bare := strings.TrimFunc(written, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsPunct(r) && !strings.ContainsRune(inWord, r)
	})
	if !strings.ContainsFunc(bare, spoken) {
		return ""
	}
	return strings.ToLower(bare)
}

func spoken(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || strings.ContainsRune("%&@", r) || r == utf8.RuneError
}

// Seconds converts a time in seconds, rounded to microseconds. Values that are not valid times of a recording are
// clamped.
func Seconds(s float64) time.Duration {
	const day = 24 * 3600
	return time.Duration(math.Round(min(max(s, 0), day)*1e6)) * time.Microsecond
}

// Spread assigns times to words that have none: the words follow each other through the stretches of speech, with
// durations in proportion to their numbers of letters. A word that would span a pause stays in the stretch that
// contains its middle.
func Spread(words []asr.Word, stretches ...sound.Segment) {
	var letters, past int
	var all time.Duration
	for _, w := range words {
		letters += utf8.RuneCountInString(w.Text)
	}
	for _, s := range stretches {
		all += max(s.Duration(), 0)
	}
	at := func(letter float64) time.Duration { return time.Duration(float64(all) * letter / float64(letters)) }
	for i := range words {
		n := utf8.RuneCountInString(words[i].Text)
		words[i].Start, words[i].End = place(stretches, at(float64(past)), at(float64(past)+float64(n)/2),
			at(float64(past+n)))
		past += n
	}
}

// place converts times within the stretches to times of the audio.
func place(stretches []sound.Segment, from, middle, to time.Duration) (start, end time.Duration) {
	last := len(stretches) - 1
	for i, s := range stretches {
		if length := s.Duration(); middle >= length && i < last {
			from, middle, to = from-length, middle-length, to-length
			continue
		}
		return s.Start + max(from, 0), min(s.Start+to, s.End)
	}
	return 0, 0
}

// Settle makes words comply with the contract of asr.Recognizer for audio of the given length: inside the audio, in
// spoken order, not empty, with confidences between 0 and 1. Words after the end, which services hear in padding, get
// zero length at the end.
func Settle(words []asr.Word, length time.Duration) []asr.Word {
	settled := make([]asr.Word, 0, len(words))
	var from time.Duration
	for _, w := range words {
		if w.Text == "" {
			continue
		}
		w.Start = min(max(w.Start, from), length)
		w.End = min(max(w.End, w.Start), length)
		w.Confidence = min(max(w.Confidence, 0), 1)
		if math.IsNaN(w.Confidence) {
			w.Confidence = Unknown
		}
		settled, from = append(settled, w), w.Start
	}
	return settled
}
