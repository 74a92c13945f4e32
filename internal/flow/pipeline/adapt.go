package pipeline

import (
	"context"
	"slices"

	"parley/internal/speech/asr"
)

// adapting recognises the first chunks of each channel, has the engine learn the speakers' voices from them, and
// recognises these chunks again and the others with the voice of their channel. All of that follows from the recording
// and what was heard in it, so that kept results fit whenever the work is taken up again. Where nothing was learnt of a
// voice, what was heard first stands.
func (l *listener) adapting(ctx context.Context) error {
	openings := asr.Openings(l.chunks)
	for _, i := range openings {
		l.meter.more(l.chunks[i])
	}
	err := l.take(ctx, openings, func(c asr.Chunk) asr.Request {
		q := l.ask(c)
		q.Learn = true
		return q
	})
	if err != nil {
		return err
	}
	voices := asr.Voices(l.chunks, l.found)
	before := slices.Clone(l.found)
	var rest []int
	for i, c := range l.chunks {
		if voices[c.Channel] == nil && slices.Contains(openings, i) {
			l.meter.done(c)
			continue
		}
		rest = append(rest, i)
	}
	err = l.take(ctx, rest, func(c asr.Chunk) asr.Request {
		q := l.ask(c)
		q.Voices = voices[c.Channel]
		return q
	})
	for i, found := range before {
		if found != nil && l.failed[i] != nil {
			l.found[i], l.failed[i] = found, nil
		}
	}
	return err
}
