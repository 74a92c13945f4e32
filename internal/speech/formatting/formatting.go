// Package formatting makes recognised words readable. It writes numbers in digits ("six five zero eight nine seven
// five one seven zero" becomes 650-897-5170) and masks disallowed words as "...". It also returns the spoken forms of
// written numbers. It supports American English.
//
// It does not punctuate, recognise or redact. It changes no words other than numbers and disallowed ones, and never
// joins words of different speakers or turns.
//
// Conventions. Zero to nine stay words unless they belong to a unit, a time, a date or a longer number. Numbers from
// 10 are digits, with commas from 1,000 on, except in years, house numbers and codes. Round millions keep the word:
// 2.5 million. Money is $138.65; without a spoken currency only if a price is clearly meant. Dates are November 20,
// 2026, or the 20th of November as spoken. Times are 10:30 AM, with AM a separate word. Digits spoken one by one or
// in pairs are one word: 650-897-5170, 123-45-6789, 4111111111111111 (cards without spaces). A hundred, a million,
// first to ninth, thirds and halves stay words. A number ends at hesitations, corrections, pauses of three seconds,
// and punctuation (except the commas of dates and of phone and card numbers).
//
// The grammar is a list of recognisers over classified words; the longest match wins. It follows the taggers of Ebden
// and Sproat, "The Kestrel TTS text normalization system" (Natural Language Engineering 21, 2015), and Zhang,
// Bakhturina, Gorman and Ginsburg, "NeMo Inverse Text Normalization: From Development To Production" (Interspeech
// 2021), without their weighted automata.
package formatting

import "parley/internal/words/transcript"

// Request selects the changes. The zero value changes nothing.
type Request struct {
	Numbers   bool
	Profanity bool // mask disallowed words
}

// Apply returns the transcript with the requested changes. A joined word lasts from its first to its last part, and
// has their mean confidence and all their markers. Words already in digits are not changed, so Apply is idempotent.
func Apply(t *transcript.Transcript, r *Request) *transcript.Transcript {
	if r.Numbers {
		t = newDraft(t).finish()
	}
	if r.Profanity {
		t = masked(t)
	}
	return t
}
