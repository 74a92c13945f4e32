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

// A chunk is listened to again when enough of its text was heard the first time: a text that is not there would be
// forced upon it.
const (
	leastHeard  = 0.3 // share of the phrases
	mostPhrases = 150 // more are not said in one chunk
	beyond      = 2   // phrases of the neighbours that may be said in it too
)

// listenAgain asks the engine where the words of a text are that seem to be in each chunk. It returns what is heard
// then: the words of the text where they fit, else what was heard before.
func listenAgain(
	ctx context.Context, e Engine, s speech, channels int, r *align.Request, found *align.Found, keep Artifacts,
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
	s.apart = false // a text says more than a voice
	s.chunks, s.ask = chunks, func(c asr.Chunk) asr.Request {
		q := ask(c)
		q.Vocabulary, q.Expected = nil, expected[c]
		return q
	}
	again, err := recognize(ctx, e, s, channels, keep, progress)
	if fault.Is(err, fault.Invalid) {
		return r.Heard, nil // the engine cannot; what it heard first is still good
	}
	if err != nil {
		return nil, err
	}
	return better(r.Heard, again.words, chunks), nil
}

// better puts what was heard the second time in place of what was heard in those chunks the first time.
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

// chunkAt returns the chunk of a channel in which a time lies, of any channel where that is anyChannel. Chunks are
// in order of start, and those of a channel do not overlap.
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

// mostBefore is how many chunks may begin after the one looked for: those of other channels meanwhile.
const mostBefore = 64

const anyChannel = -1

// script is a text cut by the chunks in which it seems to be said.
type script struct {
	phrases []asr.Phrase
	chunk   []int  // of each phrase, or nowhere
	heard   []bool // whether it was heard there
}

const nowhere = -1

// scriptOf tells for each phrase of a text its chunk: that of the word it was heard in, else the one that its
// estimated time lies in, best on the channel of the phrase before.
func scriptOf(r *align.Request, found *align.Found, chunks []asr.Chunk) *script {
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

// in returns what is to be expected in a chunk, with the neighbours that were not heard elsewhere; nil where too
// little of it was heard.
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
