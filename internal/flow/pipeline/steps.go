package pipeline

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/words/media"
)

// reportEvery bounds how often progress is written: it competes with uploads for the database.
const reportEvery = time.Second

// steps tells how far one run has come. Progress is for people: that it could not be written is logged
// and never fails a run.
type steps struct {
	pipeline *Pipeline
	job      job.Job
	media    media.ID

	mu       sync.Mutex
	progress media.Progress
	written  time.Time
	began    map[media.Step]time.Time
}

// newSteps goes on from how far an earlier run of the same job had come.
func newSteps(p *Pipeline, id media.ID, j job.Job, before media.Progress) *steps {
	return &steps{pipeline: p, job: j, media: id, progress: resume(before, j), began: map[media.Step]time.Time{}}
}

// resume returns the progress with which a run begins: that of an earlier run of the same job, or none.
func resume(before media.Progress, j job.Job) media.Progress {
	if before.Job != string(j.ID) {
		return media.NewProgress(string(j.ID))
	}
	return before
}

func (s *steps) start(ctx context.Context, step media.Step) {
	s.mu.Lock()
	s.began[step] = time.Now()
	s.mu.Unlock()
	s.set(ctx, step, media.TaskStarted, 0, true)
}

func (s *steps) finish(ctx context.Context, step media.Step) {
	s.mu.Lock()
	took := time.Since(s.began[step])
	s.mu.Unlock()
	s.pipeline.Metrics.Step(step, took)
	s.set(ctx, step, media.TaskFinished, 100, false)
}

func (s *steps) skip(ctx context.Context, step media.Step) {
	s.set(ctx, step, media.TaskSkipped, 100, false)
}

// portion makes a part of a step's work report as a part of the step's percentage. A step is at 100 percent when
// it has finished, not when the last of its parts says so.
func portion(report func(percent int), from, to int) func(percent int) {
	return func(percent int) { report(min(from+(to-from)*percent/100, 99)) }
}

func (s *steps) percent(ctx context.Context, step media.Step, percent int) {
	s.set(ctx, step, media.TaskStarted, percent, false)
}

// reach writes a percentage at once, before long work that has none of its own.
func (s *steps) reach(ctx context.Context, step media.Step, percent int) {
	s.set(ctx, step, media.TaskStarted, percent, true)
}

// set changes one step, and writes the progress now or when the last writing is long enough ago.
func (s *steps) set(ctx context.Context, step media.Step, status media.TaskStatus, percent int, now bool) {
	job.Progress(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	at := time.Now().UTC()
	s.progress = s.progress.Ahead(step, status, percent, at)
	if !now && at.Sub(s.written) < reportEvery {
		return
	}
	s.written = at
	s.pipeline.tell(ctx, s.job, slog.String("media", string(s.media)), func(tx *store.Tx) error {
		return tx.SetProgress(s.media, s.progress)
	})
}

// tell writes the progress of a job on a subject.
func (p *Pipeline) tell(ctx context.Context, j job.Job, subject slog.Attr, write func(*store.Tx) error) {
	if err := p.fenced(ctx, j, write); err != nil && ctx.Err() == nil {
		p.Log.Debug("cannot write progress", subject, "error", err)
	}
}

// now returns how far the run has come.
func (s *steps) now() media.Progress {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.progress
}

// ended returns the progress of a run that is over: what was under way has finished or failed, what was
// still to come is done with publication or cancelled.
func ended(p media.Progress, status media.Status, now time.Time) media.Progress {
	for _, t := range p.Tasks {
		switch {
		case t.Status == media.TaskStarted && status == media.Finished:
			p = p.With(t.Step, media.TaskFinished, 100, now)
		case t.Status == media.TaskStarted:
			p = p.With(t.Step, media.TaskFailed, t.Percent, now)
		case t.Status == media.TaskPending:
			p = p.With(t.Step, media.TaskCancelled, 0, now)
		}
	}
	return p
}
