// Package vad finds where people speak in a recording, and cuts speech into chunks at pauses.
//
// The rule: a frame is speech when its level lies well above the noise floor, as a share of the distance
// between floor and speech level (both followed along the recording by percentiles of the level, after
// van Gerven and Xie, "A comparative study of speech detection methods", Eurospeech 1997), with hang-over
// over short pauses and a gate against the other channel's voice. It does not know who speaks or what is
// said, and music much louder than the rest of a recording counts as speech. Everything is deterministic.
package vad

import (
	"time"

	"parley/internal/sound"
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
	Channels []*sound.PCM // one for each party, or the only one; of one length and rate
	Kind     Kind
}

// Found is where people speak.
type Found struct {
	Speech [][]sound.Segment // a list for each channel: ordered, apart from each other, inside the audio
	tracks []track
}

// Find returns where people speak. The audio is not changed.
func Find(r *Request) *Found {
	f := &Found{Speech: make([][]sound.Segment, len(r.Channels)), tracks: make([]track, len(r.Channels))}
	for c, pcm := range r.Channels {
		f.tracks[c] = measure(pcm)
	}
	for c := range f.tracks {
		marks := f.tracks[c].mark(r.Kind)
		for o := range f.tracks {
			if o != c {
				f.tracks[c].gate(marks, &f.tracks[o])
			}
		}
		smooth(marks)
		f.Speech[c] = segments(marks, f.tracks[c].length)
	}
	return f
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
		if marks[i] {
			found = append(found, sound.Segment{Start: time.Duration(i) * hop, End: min(time.Duration(end)*hop, length)})
		}
		i = end
	}
	return found
}
