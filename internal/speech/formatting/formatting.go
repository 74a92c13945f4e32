// Package formatting makes recognised words readable: numbers as people write them ("six five zero eight
// nine seven five one seven zero" is 650-897-5170), disallowed words as "...". It also tells how written
// numbers are said. American English.
//
// It does not punctuate, recognise or redact, it leaves words alone that are no numbers, and it never joins
// words of two speakers or of two turns.
//
// Conventions. Zero to nine stay words unless they belong to a unit, a time, a date or a longer number; 10
// and more are digits, with commas from 1,000 on, but none in years, house numbers and codes. Round millions
// keep the word: 2.5 million. Money is $138.65, without a currency only where a price is clearly meant. Dates
// are November 20, 2026, or the 20th of November as said; times 10:30 AM, with AM a word of its own. Digits said
// one by one or in pairs are one word: 650-897-5170, 123-45-6789, 4111111111111111 (cards without spaces). A
// hundred, a million, first to ninth, thirds and halves stay words. Hesitations, corrections, marks (but for the commas
// of dates and of phone and card numbers) and pauses of three seconds end a number.
//
// The grammar is a list of recognisers over classified words, the longest match taken, as in
// the taggers of Ebden and Sproat, "The Kestrel TTS text normalization system" (Natural Language Engineering
// 21, 2015), and Zhang, Bakhturina, Gorman and Ginsburg, "NeMo Inverse Text Normalization: From Development
// To Production" (Interspeech 2021), without their weighted automata.
package formatting

import "parley/internal/words/transcript"

// Request says what is to be done. The zero value changes nothing.
type Request struct {
	Numbers   bool
	Profanity bool // to be masked
}

// Apply returns the transcript as asked for. A joined word lasts from its first to its last part, has their
// mean confidence, and their markers. Words in digits already are left alone, so that applying twice is
// applying once.
func Apply(t *transcript.Transcript, r *Request) *transcript.Transcript {
	formatted, _ := Trace(t, r)
	return formatted
}

// Trace is Apply that also tells where each word went.
func Trace(t *transcript.Transcript, r *Request) (*transcript.Transcript, Origin) {
	formatted, origin := t, identity(len(t.Words))
	if r.Numbers {
		formatted, origin = numbers(t)
	}
	if r.Profanity {
		formatted = masked(formatted)
	}
	return formatted, origin
}

// numbers writes the numbers of each turn.
func numbers(t *transcript.Transcript) (*transcript.Transcript, Origin) {
	d := newDraft(t)
	var s sentence
	for _, turn := range t.Turns() {
		s.read(t, turn.Words)
		s.parse(d.join)
	}
	return d.finish()
}
