package asr

import (
	"cmp"
	"slices"
	"time"

	"parley/internal/words/sound"
)

// Chunk is a stretch of one channel that is recognised at once.
type Chunk struct {
	Channel int
	Segment sound.Segment
}

// Chunks lists the stretches of all channels in the order of their start, so that a recording is worked
// through from its beginning. At equal starts the lower channel comes first.
func Chunks(channels [][]sound.Segment) []Chunk {
	var chunks []Chunk
	for c, segments := range channels {
		for _, s := range segments {
			chunks = append(chunks, Chunk{c, s})
		}
	}
	slices.SortStableFunc(chunks, func(a, b Chunk) int { return cmp.Compare(a.Segment.Start, b.Segment.Start) })
	return chunks
}

// Place returns what was heard in the chunk with times of the recording. Words are kept inside the chunk
// and in order, whatever the engine said; a word that lies wholly behind the chunk lasts no time at its end.
func (c Chunk) Place(r *Recognition) []Word {
	words := make([]Word, len(r.Words))
	from := c.Segment.Start
	for i, w := range r.Words {
		w.Start = min(max(c.Segment.Start+w.Start, from), c.Segment.End)
		w.End = min(max(c.Segment.Start+w.End, w.Start), c.Segment.End)
		w.Confidence = min(max(w.Confidence, 0), 1)
		words[i], from = w, w.Start
	}
	return words
}

// A voice is learnt from the first so much speech of a channel; of one that has less than the least in all it is not.
const (
	opening     = 30 * time.Second
	leastSpeech = 15 * time.Second
)

// Openings returns by number the chunks that the voices of the channels are learnt from: of each channel the first
// ones, until there is enough. Chunks are in order.
func Openings(chunks []Chunk) []int {
	all, before := map[int]time.Duration{}, map[int]time.Duration{}
	for _, c := range chunks {
		all[c.Channel] += c.Segment.Duration()
	}
	var openings []int
	for i, c := range chunks {
		if all[c.Channel] >= leastSpeech && before[c.Channel] < opening {
			before[c.Channel] += c.Segment.Duration()
			openings = append(openings, i)
		}
	}
	return openings
}

// Voices returns what was learnt in some chunks, by channel, in their order. What was not recognised is nil.
func Voices(chunks []Chunk, found []*Recognition) map[int][][]byte {
	voices := map[int][][]byte{}
	for i, r := range found {
		if c := chunks[i].Channel; r != nil && r.Voice != nil {
			voices[c] = append(voices[c], r.Voice)
		}
	}
	return voices
}
