// Package vad detects where people speak in a recording, and splits speech into chunks at pauses.
//
// A frame is speech if its level exceeds the noise floor by a share of the distance from the floor to the level of
// speech. Both are quantiles of the level, tracked along the recording (quantile-based noise estimation: Stahl,
// Fischer and Bippus, ICASSP 2000). A hang-over bridges short pauses, and a gate suppresses crosstalk from the other
// party. The package does not identify speakers or words: intermittent music counts as speech. The results are
// deterministic.
package vad

import (
	"time"

	"parley/internal/words/sound"
)

// Kind is the kind of source. It determines the thresholds.
type Kind int

// The kinds. Calls have more crosstalk and line noise between words than read speech.
const (
	Wideband  Kind = iota // a microphone with one channel
	Telephone             // a channel of a call, or telephone-band audio
)

// KindOf returns the kind of a recording from its sample rate before resampling and the number of channels analysed
// separately.
func KindOf(rate, channels int) Kind {
	if rate <= 8000 || channels > 1 {
		return Telephone
	}
	return Wideband
}

// Request holds the audio to analyse.
type Request struct {
	Channels []*Envelope // one per party, or a single one; all of the same length
	Kind     Kind
}

// Result is the detected speech.
type Result struct {
	Speech [][]sound.Segment // by channel: ordered, disjoint, inside the audio
	kind   Kind
	levels [][]float32 // by channel, a value every hop
	length []time.Duration
}

// Find detects speech.
func Find(r *Request) *Result {
	f := &Result{kind: r.Kind}
	for _, e := range r.Channels {
		f.levels = append(f.levels, e.levels(near))
		f.length = append(f.length, e.Duration())
	}
	wide := wideLevels(r.Channels)
	for c, levels := range f.levels {
		marks := mark(levels, r.Kind)
		for o := range wide {
			gate(marks, wide[c], wide[o])
		}
		flip(marks, true, shortestSpeech) // remove clicks
		flip(marks, false, hangOver)      // bridge short pauses
		f.Speech = append(f.Speech, segments(marks, f.length[c]))
	}
	return f
}

// wideLevels returns the levels for comparing channels; nil if there is only one.
func wideLevels(channels []*Envelope) [][]float32 {
	if len(channels) < 2 {
		return nil
	}
	wide := make([][]float32, len(channels))
	for c, e := range channels {
		wide[c] = e.levels(around)
	}
	return wide
}

const (
	near      = 5  // frames averaged for the comparison with the threshold
	around    = 20 // frames averaged for the comparison with other channels
	crossTalk = 6  // dB by which another channel may be louder
)

// gate clears the marks where another channel is louder, because its voice has leaked into this one.
func gate(marks []bool, own, other []float32) {
	for i := range min(len(own), len(other)) {
		if own[i] < other[i]-crossTalk {
			marks[i] = false
		}
	}
}

const (
	shortestSpeech = 80 * time.Millisecond
	hangOver       = 300 * time.Millisecond
)

// flip inverts runs of a value that are shorter than the limit; silence at both ends is kept.
func flip(marks []bool, value bool, shorter time.Duration) {
	for i := 0; i < len(marks); {
		end := runEnd(marks, i)
		inside := value || i > 0 && end < len(marks)
		if marks[i] == value && inside && time.Duration(end-i)*hop < shorter {
			for k := i; k < end; k++ {
				marks[k] = !value
			}
		}
		i = end
	}
}

func runEnd(marks []bool, from int) int {
	end := from
	for end < len(marks) && marks[end] == marks[from] {
		end++
	}
	return end
}

func segments(marks []bool, length time.Duration) []sound.Segment {
	var found []sound.Segment
	for i := 0; i < len(marks); {
		end := runEnd(marks, i)
		s := sound.Segment{Start: time.Duration(i) * hop, End: time.Duration(end) * hop}
		if end == len(marks) {
			s.End = length
		}
		if marks[i] {
			found = append(found, s)
		}
		i = end
	}
	return found
}
