package vad

import (
	"time"

	"parley/internal/words/sound"
)

// Tuned on PocketSphinx's word error rate, which varies by about a point within a factor of two of these values.
const (
	margin          = 120 * time.Millisecond // added around speech, for soft beginnings and ends of words
	bridgeWideband  = 300 * time.Millisecond // longest pause inside a chunk
	bridgeTelephone = 500 * time.Millisecond
	shortestChunk   = 100 * time.Millisecond // whatever limit the caller requests
)

// Chunks splits a channel's speech into stretches of at most longest, to be recognised separately. They cover all
// speech, are in order and do not overlap. Cuts are in pauses; longer speech without a pause is cut at its quietest
// point.
func (f *Result) Chunks(channel int, longest time.Duration) []sound.Segment {
	var chunks []sound.Segment
	longest = max(longest, shortestChunk)
	bridge := bridgeWideband
	if f.kind == Telephone {
		bridge = bridgeTelephone
	}
	for _, s := range f.padded(channel) {
		if n := len(chunks); n > 0 && s.Start-chunks[n-1].End <= bridge && s.End-chunks[n-1].Start <= longest {
			chunks[n-1].End = s.End
			continue
		}
		for s.Duration() > longest {
			cut := quietestIn(f.levels[channel], s.Start+longest/2, s.Start+longest)
			chunks = append(chunks, sound.Segment{Start: s.Start, End: cut})
			s.Start = cut
		}
		chunks = append(chunks, s)
	}
	return chunks
}

// padded returns the speech with a margin on both sides. Neighbours share a pause that is too short for two margins.
func (f *Result) padded(channel int) []sound.Segment {
	var padded []sound.Segment
	for _, s := range f.Speech[channel] {
		s.Start, s.End = max(s.Start-margin, 0), min(s.End+margin, f.length[channel])
		if n := len(padded); n > 0 && padded[n-1].End > s.Start {
			middle := (padded[n-1].End + s.Start) / 2
			padded[n-1].End, s.Start = middle, middle
		}
		padded = append(padded, s)
	}
	return padded
}

// quietestIn returns the time of the lowest level in [from, to); the first one if there are several.
func quietestIn(levels []float32, from, to time.Duration) time.Duration {
	first := min(int(from/hop), len(levels)-1)
	best := first
	for i := first; i < min(int(to/hop), len(levels)); i++ {
		if levels[i] < levels[best] {
			best = i
		}
	}
	return time.Duration(best) * hop
}
