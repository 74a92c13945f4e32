package pipeline

import (
	"context"
	"slices"

	"parley/internal/speech/asr"
)

// adapting recognises the first chunks of each channel, has the engine learn the speakers' voices from them, and then
// recognises all chunks with the voice of their channel. The result depends only on the recording and the first pass,
// so stored results stay valid whenever the work resumes. If nothing could be learnt about a voice, the results of the
// first pass stand.
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
