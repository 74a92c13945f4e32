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

// Artifacts keeps the results of steps under (step, fingerprint), so that a retry redoes only what is
// missing. It belongs to one media item.
type Artifacts interface {
	// Get returns a kept result, nil where there is none.
	Get(ctx context.Context, step media.Step, fingerprint string) ([]byte, error)
	// Put keeps a result; the same again is no error.
	Put(ctx context.Context, step media.Step, fingerprint string, data []byte) error
}

// NoArtifacts keeps nothing, for work that has no store behind it.
type NoArtifacts struct{}

// Get returns nil.
func (NoArtifacts) Get(context.Context, media.Step, string) ([]byte, error) { return nil, nil }

// Put forgets the result.
func (NoArtifacts) Put(context.Context, media.Step, string, []byte) error { return nil }

// speech is what a recording has to be recognised: chunks and how to read their audio.
type speech struct {
	chunks []asr.Chunk
	read   func(sound.Segment, int) (*sound.PCM, error) // audio of a segment of a channel, 16 kHz
	ask    func(asr.Chunk) asr.Request                  // the request for a chunk, without audio
	apart  bool                                         // each channel is one speaker's
}

// hearing is what the recogniser made of a recording.
type hearing struct {
	words    [][]asr.Word // by channel, times of the recording
	warnings []fault.Problem
}

// recognize recognises all chunks, as many at once as the engine takes, keeps each result and reports
// progress as the share of speech that is done. A chunk that the engine cannot digest becomes a warning
// and a gap, not a lost call; only when every chunk fails, the recording fails.
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

// listener has a recording recognised.
type listener struct {
	engine Engine
	speech
	keep   Artifacts
	meter  *meter
	found  []*asr.Recognition // of each chunk
	failed []error            // of each chunk that the engine could not digest
}

// once recognises all chunks.
func (l *listener) once(ctx context.Context) error {
	all := make([]int, len(l.chunks))
	for i := range all {
		all[i] = i
	}
	return l.take(ctx, all, l.ask)
}

// take recognises chunks by their number.
func (l *listener) take(ctx context.Context, chunks []int, ask func(asr.Chunk) asr.Request) error {
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(max(l.engine.Info.Parallel, 1))
	drained := false
	for _, i := range chunks {
		if drained = draining(ctx); drained || gctx.Err() != nil {
			break // what is under way ends, nothing new begins
		}
		chunk := l.chunks[i]
		g.Go(func() error {
			found, err := l.recognize(gctx, chunk, ask(chunk))
			refused, ok := errors.AsType[*undigested](err)
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

// undigested is why an engine that is there gave no words of a chunk. All else that goes wrong is no fault of the
// chunk's.
type undigested struct{ error }

func (u *undigested) Unwrap() error { return u.error }

// recognize returns what was kept of a chunk, or is heard now. What was kept and cannot be read is heard again.
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
		return nil, &undigested{err}
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
			"the recogniser could not process any of the %d stretches of speech: %w", gaps, failed[0])
	}
	return h, nil
}

func gap(c asr.Chunk) fault.Problem {
	return fault.Problem{Code: fault.CodeGap,
		Message: fmt.Sprintf("channel %d from %s to %s could not be recognised and is missing from the transcript",
			c.Channel+1, c.Segment.Start.Round(10*time.Millisecond), c.Segment.End.Round(10*time.Millisecond))}
}

// meter turns finished chunks into percent of all speech.
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

// more adds a chunk to what is to be done. It may be called before anything is done.
func (m *meter) more(c asr.Chunk) { m.total += c.Segment.Duration() }

func (m *meter) done(c asr.Chunk) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.past += c.Segment.Duration()
	m.report(int(100 * m.past / max(m.total, 1)))
}
