// Package redact removes words from a transcript and returns the intervals of the recording to be masked with them.
//
// It does not find the words to redact (package detect does) and does not process audio (package audio does).
package redact

import (
	"cmp"
	"slices"
	"time"

	"parley/internal/words/sound"
	"parley/internal/words/transcript"
)

// Region is a range of words to redact: all from First to Last, whoever says them.
type Region struct {
	First, Last int     // indices into Transcript.Words, both included
	Replacement *string // placeholder for the words; nil: they stay
	Tone        *Tone   // replacement for the sound of the words; nil: it stays
}

// Tone is a sine tone.
type Tone struct {
	Frequency float64 // Hz
	Gain      float64 // 0..1 of full scale
}

// Words returns the transcript with the words of the regions redacted. One word of kind Redacted replaces all
// consecutive words of a region, whoever says them, so that neither their number nor their delivery is known. Its
// speaker is the one who says most of them; it lasts from the first to the last and has their mean confidence. It has
// no markers and no voice features, and punctuation between the words is removed. A word in several regions belongs to
// the first of them.
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

// cover returns, for each word, the region whose placeholder replaces it; nil for words that stay.
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

// stand returns the placeholder of redacted words, or false if they are punctuation only.
func stand(words []transcript.Word, replacement string) (w transcript.Word, ok bool) {
	said := map[int]int{} // number of words by speaker
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

// Word boundaries are accurate to about a tenth of a second, and sounds fade out, so the masked interval is slightly
// longer than the words.
const (
	Before = 150 * time.Millisecond
	After  = 250 * time.Millisecond
)

// Beeps returns the tones that replace the words of the regions: disjoint intervals in order, inside the recording,
// from Before the first word to After the last. Where regions overlap, the tone of the earlier one is used.
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

// extent returns the interval of some words. Times of words may decrease where several people speak.
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

// Hidden returns the intervals of the redacted words of a transcript, as wide as their tones, in a recording that was
// redacted with it.
func Hidden(t *transcript.Transcript) (all []sound.Segment) {
	for _, w := range t.Words {
		if w.Kind == transcript.Redacted {
			all = append(all, sound.Segment{Start: max(w.Start-Before, 0), End: min(w.End+After, t.Length)})
		}
	}
	return all
}
