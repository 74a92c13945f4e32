package bench

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"parley/internal/call/caption"
	"parley/internal/call/plan"
	"parley/internal/flow/pipeline"
	"parley/internal/speech/asr"
	"parley/internal/speech/audio"
	"parley/internal/words/transcript"
	"parley/sample"
)

// Recognize is a benchmark of the transcription of a recording.
type Recognize struct {
	Engine  pipeline.Engine
	Decoder *audio.Decoder
	Media   string // file; empty: the sample call
}

// RecognizeResult is the time spent per stage.
type RecognizeResult struct {
	Length   time.Duration // of the recording
	Words    int
	Decode   time.Duration // ffmpeg
	Detect   time.Duration // layout and speech detection
	Listen   time.Duration // wall time from the first chunk to the last
	Busy     time.Duration // in the engine, sum of all its processes
	Assemble time.Duration // words to turns, and all text formats
	Used     time.Duration // CPU time of the engine's processes
}

// AtWork returns the mean number of processes with a chunk to recognise.
func (f RecognizeResult) AtWork() float64 { return f.Busy.Seconds() / max(f.Listen.Seconds(), 1e-9) }

// Processors returns the mean number of processors that the engine used. It is less than AtWork if other programs
// compete for processors.
func (f RecognizeResult) Processors() float64 {
	return f.Used.Seconds() / max(f.Listen.Seconds(), 1e-9)
}

// Overhead returns the time for everything except recognition: the total, minus the time between the first chunk and
// the last, plus the time in between in which the engines waited.
func (f RecognizeResult) Overhead(processes int) time.Duration {
	idle := max(f.Listen-f.Busy/time.Duration(processes), 0)
	return f.Decode + f.Detect + f.Assemble + idle
}

// Run transcribes the recording once. Warm up the engine first.
func (r Recognize) Run(ctx context.Context) (RecognizeResult, error) {
	configuration := "{}"
	if r.Media == "" {
		path, err := sampleFile(r.Decoder.Temp)
		if err != nil {
			return RecognizeResult{}, err
		}
		defer os.Remove(path)
		r.Media, configuration = path, sample.Configuration
	}
	p, err := planOf(configuration, r.Engine)
	if err != nil {
		return RecognizeResult{}, err
	}
	return r.time(ctx, p)
}

func (r Recognize) time(ctx context.Context, p *plan.Plan) (RecognizeResult, error) {
	began := time.Now()
	decoded, err := r.Decoder.Decode(ctx, r.Media, "")
	if err != nil {
		return RecognizeResult{}, err
	}
	defer decoded.Close()
	f := RecognizeResult{Length: decoded.Length, Decode: time.Since(began)}
	watched := &stopwatch{Recognizer: r.Engine.Recognizer}
	used, err := ChildrenTime()
	if err != nil {
		return RecognizeResult{}, err
	}
	began = time.Now()
	t, _, err := pipeline.Transcribe(ctx, pipeline.Engine{Recognizer: watched, Info: r.Engine.Info}, decoded, p,
		pipeline.NoArtifacts{}, func(int) {})
	if err != nil {
		return RecognizeResult{}, err
	}
	if watched.first.IsZero() {
		return RecognizeResult{}, fmt.Errorf("no speech was found in %s", r.Media)
	}
	if f.Used, err = ChildrenTime(); err != nil {
		return RecognizeResult{}, err
	}
	f.Used -= used
	renderAll(t)
	f.Words, f.Busy = len(t.Words), watched.busy
	f.Detect, f.Listen, f.Assemble = watched.first.Sub(began), watched.last.Sub(watched.first), time.Since(watched.last)
	return f, nil
}

func renderAll(t *transcript.Transcript) {
	for _, format := range caption.Formats {
		caption.Render(t, format)
	}
}

// planOf returns the plan of a configuration for an engine.
func planOf(configuration string, e pipeline.Engine) (*plan.Plan, error) {
	request, err := plan.Parse([]byte(configuration))
	if err != nil {
		return nil, err
	}
	return plan.Resolve(request, plan.Environment{Models: pipeline.Engines{e}.Models()})
}

// sampleFile writes the sample call to a temporary file.
func sampleFile(dir string) (path string, err error) {
	f, err := os.CreateTemp(dir, "bench-*-"+sample.Name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if _, err := f.Write(sample.Call()); err != nil {
		os.Remove(f.Name())
		return "", err
	}
	return f.Name(), nil
}

// stopwatch measures the time of a recogniser.
type stopwatch struct {
	asr.Recognizer
	mu          sync.Mutex
	first, last time.Time // start of the first call, end of the last one
	busy        time.Duration
}

// Recognize calls the engine and records the time.
func (s *stopwatch) Recognize(ctx context.Context, r asr.Request) (*asr.Recognition, error) {
	began := time.Now()
	s.mu.Lock()
	if s.first.IsZero() {
		s.first = began
	}
	s.mu.Unlock()
	found, err := s.Recognizer.Recognize(ctx, r)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = time.Now()
	s.busy += s.last.Sub(began)
	return found, err
}
