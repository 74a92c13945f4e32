package remote

import (
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"parley/internal/speech/asr"
)

// Unknown is the confidence of words whose service gives none.
const Unknown = 0.5

// kept is punctuation that is part of a word.
const kept = "%&@#'’+$"

// Bare returns a written word as it is spoken: lower case, without the punctuation around it. It is empty for
// what is punctuation alone.
func Bare(written string) string {
	bare := strings.TrimFunc(written, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsPunct(r) && !strings.ContainsRune(kept, r)
	})
	if !strings.ContainsFunc(bare, spoken) {
		return ""
	}
	return strings.ToLower(bare)
}

func spoken(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || strings.ContainsRune("%&@", r) || r == utf8.RuneError
}

// Seconds returns a time in seconds, rounded to microseconds; what is no time of a recording is cut to one.
func Seconds(s float64) time.Duration {
	const day = 24 * 3600
	return time.Duration(math.Round(min(max(s, 0), day)*1e6)) * time.Microsecond
}

// Spread gives words times within a stretch, each as long as it has letters.
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

// Settle makes words hold the contract of asr.Recognizer for audio of a length: inside of it, in the order
// they were said, with confidences between 0 and 1, none empty. Words behind the audio, which services hear in
// silence put behind it, last no time at its end.
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
