package pipeline

import (
	"context"
	"slices"
	"time"

	"parley/internal/speech/align"
	"parley/internal/speech/asr"
	"parley/internal/words/fault"
	"parley/internal/words/transcript"
)

// A chunk is recognised a second time only when enough of its text was heard the first time: the second pass would
// force a text that is not there upon it.
const (
	leastHeard  = 0.3 // fraction of the phrases
	mostPhrases = 150 // upper bound of the phrases in one chunk
	beyond      = 2   // phrases of each neighbour that may also be spoken in it
)

// listenAgain asks the engine for the positions of the words that seem to be in each chunk. It returns the words of the
// text where they fit, otherwise what was heard before.
func listenAgain(
	ctx context.Context, e Engine, s speech, channels int, r *align.Request, found *align.Result, keep Artifacts,
	progress func(percent int),
) ([]transcript.Word, error) {
	text := scriptOf(r, found, s.chunks)
	expected := map[asr.Chunk][]asr.Phrase{}
	var chunks []asr.Chunk
	for i, c := range s.chunks {
		if phrases := text.in(i); phrases != nil {
			expected[c] = phrases
			chunks = append(chunks, c)
		}
	}
	ask := s.ask
	s.apart = false // a text constrains more than a voice
	s.chunks, s.ask = chunks, func(c asr.Chunk) asr.Request {
		q := ask(c)
		q.Vocabulary, q.Expected = nil, expected[c]
		return q
	}
	again, err := recognize(ctx, e, s, channels, keep, progress)
	if fault.Is(err, fault.Invalid) {
		return r.Heard, nil // the engine cannot; the first pass is still good
	}
	if err != nil {
		return nil, err
	}
	return better(r.Heard, again.words, chunks), nil
}

// better replaces the words of the first pass with those of the second pass, in the chunks that have one.
func better(heard []transcript.Word, again [][]asr.Word, chunks []asr.Chunk) []transcript.Word {
	fits := map[int]bool{}
	channels := make([][]transcript.Word, len(again), len(again)+1)
	for channel, words := range again {
		for _, w := range words {
			if c, ok := chunkAt(chunks, w.Start, channel); ok {
				fits[c] = true
			}
			channels[channel] = append(channels[channel],
				transcript.Word{Text: w.Text, Start: w.Start, End: w.End, Confidence: w.Confidence, Speaker: channel})
		}
	}
	rest := slices.DeleteFunc(slices.Clone(heard), func(w transcript.Word) bool {
		c, ok := chunkAt(chunks, w.Start, w.Speaker)
		return ok && fits[c]
	})
	return transcript.Merge(append(channels, rest)...)
}

// chunkAt returns the chunk of a channel, or of any channel if that is anyChannel, that contains a time. Chunks are
// sorted by start, and those of one channel do not overlap.
func chunkAt(chunks []asr.Chunk, at time.Duration, channel int) (int, bool) {
	after, _ := slices.BinarySearchFunc(chunks, at, func(c asr.Chunk, at time.Duration) int {
		if c.Segment.Start <= at {
			return -1
		}
		return 1
	})
	for i := after - 1; i >= max(after-mostBefore, 0); i-- {
		if c := chunks[i]; (c.Channel == channel || channel == anyChannel) && at < c.Segment.End {
			return i, true
		}
	}
	return nowhere, false
}

// mostBefore is how many chunks, those of other channels, may begin after the one searched for and before the time.
const mostBefore = 64

const anyChannel = -1

// script is a text divided into the chunks in which it seems to be spoken.
type script struct {
	phrases []asr.Phrase
	chunk   []int  // chunk of each phrase, or nowhere
	heard   []bool // whether each phrase was heard in its chunk
}

const nowhere = -1

// scriptOf assigns each phrase of a text to a chunk: that in which one of its words was heard, otherwise that of its
// estimated time, preferably on the channel of the previous phrase.
func scriptOf(r *align.Request, found *align.Result, chunks []asr.Chunk) *script {
	var words []int
	var written []string
	for i, w := range found.Words {
		if w.Kind == transcript.Spoken {
			words, written = append(words, i), append(written, w.Text)
		}
	}
	t := &script{}
	channel := 0
	for _, reading := range r.Spoken(written) {
		first, last := words[reading.Words.From], words[reading.Words.To-1]
		at := (found.Words[first].Start + found.Words[last].End) / 2
		h := found.Heard[first]
		if h != align.None {
			at, channel = r.Heard[h].Start, r.Heard[h].Speaker
		}
		chunk, ok := chunkAt(chunks, at, channel)
		if !ok {
			chunk, _ = chunkAt(chunks, at, anyChannel)
		}
		t.phrases, t.chunk, t.heard = append(t.phrases, asr.Phrase{Forms: reading.Forms}), append(t.chunk, chunk),
			append(t.heard, h != align.None)
	}
	return t
}

// in returns the phrases to expect in a chunk, including neighbours that were not heard elsewhere; nil if too few of
// them were heard.
func (t *script) in(chunk int) []asr.Phrase {
	first, last, own, heard := nowhere, nowhere, 0, 0
	for i, c := range t.chunk {
		if c != chunk {
			continue
		}
		if first == nowhere {
			first = i
		}
		last, own = i, own+1
		if t.heard[i] {
			heard++
		}
	}
	if own == 0 || own > mostPhrases || float64(heard) < leastHeard*float64(own) {
		return nil
	}
	from, to := first, last+1
	for from > 0 && from > first-beyond && !t.heard[from-1] {
		from--
	}
	for to < len(t.phrases) && to <= last+beyond && !t.heard[to] {
		to++
	}
	var phrases []asr.Phrase
	for i := from; i < to; i++ {
		if t.chunk[i] == chunk || i < first || i > last {
			phrases = append(phrases, t.phrases[i])
		}
	}
	return phrases
}
