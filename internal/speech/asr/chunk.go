package asr

import (
	"cmp"
	"slices"
	"time"

	"parley/internal/words/sound"
)

// Chunk is a stretch of one channel that is recognised in one request.
type Chunk struct {
	Channel int
	Segment sound.Segment
}

// Chunks lists the stretches of all channels in order of start, so that a recording is processed from its beginning.
// At equal starts the lower channel comes first.
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

// Place converts the words of a chunk to times of the recording. Words are clamped to the chunk and kept in order,
// whatever the engine returned. A word entirely after the chunk gets zero length at its end.
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

// Amount of speech of a channel from which a voice is learnt. A channel with less than the minimum gets no voice.
const (
	opening     = 30 * time.Second
	leastSpeech = 15 * time.Second
)

// Openings returns the indices of the chunks that voices are learnt from: the first chunks of each channel, until
// there is enough speech. The chunks must be in order.
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

// Voices returns the voices learnt from some chunks, by channel and in order. A chunk that was not recognised is nil
// in found.
func Voices(chunks []Chunk, found []*Recognition) map[int][][]byte {
	voices := map[int][][]byte{}
	for i, r := range found {
		if c := chunks[i].Channel; r != nil && r.Voice != nil {
			voices[c] = append(voices[c], r.Voice)
		}
	}
	return voices
}
