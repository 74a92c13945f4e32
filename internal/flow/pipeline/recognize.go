package pipeline

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"parley/internal/speech/asr"
	"parley/internal/storage/job"
	"parley/internal/words/fault"
	"parley/internal/words/media"
	"parley/internal/words/sound"
)

// Artifacts stores the results of steps under (step, fingerprint), so that a retry repeats only missing work. It
// belongs to one media item.
type Artifacts interface {
	// Get returns a stored result; nil if there is none.
	Get(ctx context.Context, step media.Step, fingerprint string) ([]byte, error)
	// Put stores a result; storing it again is no error.
	Put(ctx context.Context, step media.Step, fingerprint string, data []byte) error
}

// NoArtifacts stores nothing, for work without a store.
type NoArtifacts struct{}

// Get returns nil.
func (NoArtifacts) Get(context.Context, media.Step, string) ([]byte, error) { return nil, nil }

// Put discards the result.
func (NoArtifacts) Put(context.Context, media.Step, string, []byte) error { return nil }

// speech is the part of a recording to recognise: chunks and how to read their audio.
type speech struct {
	chunks []asr.Chunk
	read   func(sound.Segment, int) (*sound.PCM, error) // audio of a segment of a channel, 16 kHz
	ask    func(asr.Chunk) asr.Request                  // the request for a chunk, without audio
	apart  bool                                         // each channel belongs to one speaker
}

// hearing is the result of recognising a recording.
type hearing struct {
	words    [][]asr.Word // by channel; times relative to the recording
	warnings []fault.Problem
}

// recognize recognises all chunks, as many concurrently as the engine allows, stores each result, and reports progress
// as the fraction of speech that is done. A chunk that the engine cannot process becomes a gap with a warning; the
// recording fails only if every chunk fails.
func recognize(
	ctx context.Context, e Engine, s speech, channels int, keep Artifacts, progress func(percent int),
) (*hearing, error) {
	l := &listener{
		engine: e, speech: s, keep: keep, meter: newMeter(s.chunks, progress),
		found: make([]*asr.Recognition, len(s.chunks)), failed: make([]error, len(s.chunks)),
	}
	listen := l.once
	if s.apart && e.Info.Adapts {
		listen = l.adapting
	}
	if err := listen(ctx); err != nil {
		return nil, err
	}
	return gather(s.chunks, l.found, l.failed, channels)
}

// listener runs the recognition of a recording.
type listener struct {
	engine Engine
	speech
	keep   Artifacts
	meter  *meter
	found  []*asr.Recognition // per chunk
	failed []error            // error per chunk that the engine could not process
}

// once recognises all chunks.
func (l *listener) once(ctx context.Context) error {
	all := make([]int, len(l.chunks))
	for i := range all {
		all[i] = i
	}
	return l.take(ctx, all, l.ask)
}

// take recognises the chunks with the given indexes.
func (l *listener) take(ctx context.Context, chunks []int, ask func(asr.Chunk) asr.Request) error {
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(max(l.engine.Info.Parallel, 1))
	drained := false
	for _, i := range chunks {
		if drained = draining(ctx); drained || gctx.Err() != nil {
			break // running chunks finish, no new one starts
		}
		chunk := l.chunks[i]
		g.Go(func() error {
			found, err := l.recognize(gctx, chunk, ask(chunk))
			refused, ok := errors.AsType[*chunkFailure](err)
			if err != nil && (!ok || gctx.Err() != nil) {
				return err
			}
			l.found[i], l.failed[i] = found, nil
			if ok {
				l.failed[i] = refused.error
			}
			l.meter.done(chunk)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if drained {
		return job.ErrDrained
	}
	return nil
}

// draining reports whether the worker is about to stop.
func draining(ctx context.Context) bool {
	select {
	case <-job.Draining(ctx):
		return true
	default:
		return false
	}
}

// chunkFailure is the error of an available engine that returned no words for a chunk. All other errors are not the
// chunk's fault.
type chunkFailure struct{ error }

func (u *chunkFailure) Unwrap() error { return u.error }

// recognize returns the stored result of a chunk, or recognises it now. If the stored result cannot be read, it
// recognises the chunk again.
func (l *listener) recognize(ctx context.Context, chunk asr.Chunk, request asr.Request) (*asr.Recognition, error) {
	var err error
	if request.PCM, err = l.read(chunk.Segment, chunk.Channel); err != nil {
		return nil, fmt.Errorf("read audio of chunk: %w", err)
	}
	fingerprint := asr.Fingerprint(l.engine.Info, request)
	kept, err := l.keep.Get(ctx, media.StepRecognize, fingerprint)
	if err != nil {
		return nil, err
	}
	if kept != nil {
		if r, err := asr.Decode(kept); err == nil {
			return r, nil
		}
	}
	r, err := l.engine.Recognizer.Recognize(ctx, request)
	if err != nil && !fault.Is(err, fault.Unavailable) {
		return nil, &chunkFailure{err}
	}
	if err != nil {
		return nil, err
	}
	return r, l.keep.Put(ctx, media.StepRecognize, fingerprint, asr.Encode(r))
}

func gather(chunks []asr.Chunk, found []*asr.Recognition, failed []error, channels int) (*hearing, error) {
	h := &hearing{words: make([][]asr.Word, channels)}
	gaps, said := 0, map[string]bool{}
	for i, chunk := range chunks {
		if failed[i] != nil {
			gaps++
			h.warnings = append(h.warnings, gap(chunk))
			continue
		}
		h.words[chunk.Channel] = append(h.words[chunk.Channel], chunk.Place(found[i])...)
		for _, w := range found[i].Warnings {
			if !said[w] {
				said[w] = true
				h.warnings = append(h.warnings, fault.Problem{Code: fault.CodeVocabulary, Message: w})
			}
		}
	}
	if gaps > 0 && gaps == len(chunks) {
		return nil, fault.New(fault.Invalid, fault.CodeEngineFailed,
			"the recogniser could not process any of the %d chunks of speech: %w", gaps, failed[0])
	}
	return h, nil
}

func gap(c asr.Chunk) fault.Problem {
	return fault.Problem{Code: fault.CodeGap,
		Message: fmt.Sprintf("channel %d from %s to %s could not be recognised and is missing from the transcript",
			c.Channel+1, c.Segment.Start.Round(10*time.Millisecond), c.Segment.End.Round(10*time.Millisecond))}
}

// meter converts finished chunks into a percentage of all speech.
type meter struct {
	mu          sync.Mutex
	total, past time.Duration
	report      func(percent int)
}

func newMeter(chunks []asr.Chunk, report func(int)) *meter {
	m := &meter{report: report}
	for _, c := range chunks {
		m.more(c)
	}
	return m
}

// more adds a chunk to the total. Call it before any chunk is finished.
func (m *meter) more(c asr.Chunk) { m.total += c.Segment.Duration() }

func (m *meter) done(c asr.Chunk) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.past += c.Segment.Duration()
	m.report(int(100 * m.past / max(m.total, 1)))
}
