package remote

import (
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"parley/internal/speech/asr"
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

// Spread assigns times within an interval to words, in proportion to their length in letters.
func Spread(words []asr.Word, from, to time.Duration) {
	letters, past := 0, 0
	for _, w := range words {
		letters += utf8.RuneCountInString(w.Text)
	}
	at := func(n int) time.Duration {
		return from + time.Duration(float64(max(to-from, 0))*float64(n)/float64(max(letters, 1)))
	}
	for i := range words {
		words[i].Start = at(past)
		past += utf8.RuneCountInString(words[i].Text)
		words[i].End = at(past)
	}
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
