// Package redact takes words out of a transcript and says which stretches of the recording have to go with them.
//
// It does not look for what is to be hidden (package detect does), and it does not touch sound (package audio does).
package redact

import (
	"cmp"
	"slices"
	"time"

	"parley/internal/words/sound"
	"parley/internal/words/transcript"
)

// Region is words of a transcript that are to be hidden: all from First to Last, whoever says them.
type Region struct {
	First, Last int     // indices into Transcript.Words, both included
	Replacement *string // what stands for the words; nil: they stay
	Tone        *Tone   // what is heard instead of them; nil: the sound stays
}

// Tone is a sine.
type Tone struct {
	Frequency float64 // Hz
	Gain      float64 // 0..1 of the loudest that the recording can hold
}

// Words returns the transcript without what the regions hide. One word of kind Redacted stands for all words of a
// region that follow each other, whoever says them, so that neither their number nor how they were said is known. It
// is of the speaker who says most of them, lasts from the first to the last, has their mean confidence, and nothing
// else of them: no markers, no voice features; marks between them go, too. A word of several regions belongs to the
// first of those.
func Words(t *transcript.Transcript, regions []Region) *transcript.Transcript {
	hidden := cover(len(t.Words), regions)
	out := *t
	out.Words = make([]transcript.Word, 0, len(t.Words))
	for i := 0; i < len(t.Words); {
		if hidden[i] == nil {
			out.Words = append(out.Words, t.Words[i])
			i++
			continue
		}
		end := i + 1
		for end < len(hidden) && hidden[end] == hidden[i] {
			end++
		}
		if w, ok := stand(t.Words[i:end], *hidden[i].Replacement); ok {
			out.Words = append(out.Words, w)
		}
		i = end
	}
	return &out
}

// cover returns the region whose replacement stands for each word, nil for words that stay.
func cover(words int, regions []Region) []*Region {
	hidden := make([]*Region, words)
	for k := range regions {
		r := &regions[k]
		for i := max(r.First, 0); r.Replacement != nil && i <= min(r.Last, words-1); i++ {
			hidden[i] = cmp.Or(hidden[i], r)
		}
	}
	return hidden
}

// stand returns what stands for hidden words, false for marks alone.
func stand(words []transcript.Word, replacement string) (w transcript.Word, ok bool) {
	said := map[int]int{} // words by speaker
	n := 0
	for _, h := range words {
		switch {
		case !h.Kind.Lasts():
			continue
		case n == 0:
			w = transcript.Word{Text: replacement, Kind: transcript.Redacted, Start: h.Start, Speaker: h.Speaker}
		}
		n++
		said[h.Speaker]++
		w.End, w.Confidence = max(w.End, h.End), w.Confidence+h.Confidence
	}
	for speaker, n := range said {
		if n > said[w.Speaker] || n == said[w.Speaker] && speaker < w.Speaker {
			w.Speaker = speaker
		}
	}
	w.Confidence /= float64(max(n, 1))
	return w, n > 0
}

// Where words begin and end is known to about a tenth of a second, and sounds fade. A little more goes than their
// times.
const (
	Before = 150 * time.Millisecond
	After  = 250 * time.Millisecond
)

// Beeps returns what is to be heard instead of the regions' words: stretches in order that have nothing in common and
// lie inside the recording, from Before the first word to After the last. Where regions overlap the first in time has
// its tone.
func Beeps(t *transcript.Transcript, regions []Region) []sound.Beep {
	var all []sound.Beep
	for _, r := range regions {
		if s := extent(t.Words[max(r.First, 0):min(r.Last+1, len(t.Words))]); r.Tone != nil && r.First <= r.Last {
			s = sound.Segment{Start: max(s.Start-Before, 0), End: min(s.End+After, t.Length)}
			all = append(all, sound.Beep{Segment: s, Frequency: r.Tone.Frequency, Gain: r.Tone.Gain})
		}
	}
	slices.SortStableFunc(all, func(a, b sound.Beep) int { return cmp.Compare(a.Start, b.Start) })
	var apart []sound.Beep
	for _, b := range all {
		if n := len(apart) - 1; n >= 0 && b.Start <= apart[n].End {
			apart[n].End = max(apart[n].End, b.End)
			continue
		}
		apart = append(apart, b)
	}
	return apart
}

// extent is when words are said. Times of words need not rise where several speak.
func extent(words []transcript.Word) sound.Segment {
	if len(words) == 0 {
		return sound.Segment{}
	}
	s := sound.Segment{Start: words[0].Start, End: words[0].End}
	for _, w := range words {
		s = sound.Segment{Start: min(s.Start, w.Start), End: max(s.End, w.End)}
	}
	return s
}
