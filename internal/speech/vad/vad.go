// Package vad finds where people speak in a recording, and cuts speech into chunks at pauses.
//
// The rule: a frame is speech when its level lies well above the noise floor, by a share of the way from the
// floor to the level of speech. Both are quantiles of the level, followed along the recording (quantile-based
// noise estimation: Stahl, Fischer and Bippus, ICASSP 2000); a hang-over bridges short pauses, and a gate
// holds off the other party's voice where it leaks in. It does not know who speaks or what is said: music
// that comes and goes counts as speech. Everything is deterministic.
package vad

import (
	"time"

	"parley/internal/words/sound"
)

// Kind is the kind of source, by which the thresholds are chosen.
type Kind int

// The kinds. Calls have more leaked voice and line noise between the words than read speech has.
const (
	Wideband  Kind = iota // a microphone, one channel
	Telephone             // a channel of a call, or telephone band
)

// KindOf returns the kind of a recording by its sample rate before resampling and by the number of
// channels that are listened to one by one.
func KindOf(rate, channels int) Kind {
	if rate <= 8000 || channels > 1 {
		return Telephone
	}
	return Wideband
}

// Request asks where people speak.
type Request struct {
	Channels []*Envelope // one for each party, or the only one; of one length
	Kind     Kind
}

// Found is where people speak.
type Found struct {
	Speech [][]sound.Segment // a list for each channel: ordered, apart from each other, inside the audio
	kind   Kind
	levels [][]float32 // of each channel, a value every hop
	length []time.Duration
}

// Find returns where people speak.
func Find(r *Request) *Found {
	f := &Found{kind: r.Kind}
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
		smooth(marks)
		f.Speech = append(f.Speech, segments(marks, f.length[c]))
	}
	return f
}

// wideLevels returns the levels by which channels are compared; none where there is nothing to compare.
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
	near      = 5  // frames of the level that is compared with the threshold
	around    = 20 // frames of the level that is compared with other channels
	crossTalk = 6  // dB by which another channel may be louder
)

// gate clears the marks where another channel is louder: its voice has leaked into this one.
func gate(marks []bool, own, other []float32) {
	for i := range min(len(own), len(other)) {
		if own[i] < other[i]-crossTalk {
			marks[i] = false
		}
	}
}

// smooth drops clicks, then bridges short pauses (hang-over).
func smooth(marks []bool) {
	flip(marks, true, shortestSpeech)
	flip(marks, false, hangOver)
}

const (
	shortestSpeech = 80 * time.Millisecond
	hangOver       = 300 * time.Millisecond
)

// flip inverts the runs of a value that are shorter than a time; silence at both ends stays.
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
