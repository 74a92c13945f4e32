package pipeline

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/list"
	"parley/internal/words/media"
)

// reportEvery is the time between writes of progress. A run that is shorter writes none: each is a transaction, which
// costs the database as much as the rest of a short run.
const reportEvery = time.Second

// steps tracks the progress of one run. Progress is only informative: if it cannot be written, that is logged and never
// fails a run.
type steps struct {
	took func(media.Step, time.Duration)             // is told how long each step took
	save func(context.Context, media.Progress, bool) // writes the progress; true: a step has begun or ended

	mu        sync.Mutex
	progress  media.Progress
	unwritten bool               // progress has changed since it was last written
	told      []media.TaskStatus // of the tasks, as last written
	began     map[media.Step]time.Time
}

// newSteps continues from the progress of an earlier run of the same job.
func newSteps(p *Pipeline, id media.ID, j job.Job, before media.Progress) *steps {
	return &steps{took: p.Metrics.Step, progress: resume(before, j), began: map[media.Step]time.Time{},
		save: func(ctx context.Context, now media.Progress, further bool) {
			p.tell(ctx, j, slog.String("media", string(id)), func(tx *store.Tx) error {
				if further {
					tx.NoteChange(account.ID(j.Account), id)
				}
				return tx.SetProgress(id, now)
			})
		}}
}

// resume returns the initial progress of a run: that of an earlier run of the same job, or none.
func resume(before media.Progress, j job.Job) media.Progress {
	if before.Job != string(j.ID) {
		return media.NewProgress(string(j.ID))
	}
	return before
}

// keep writes the progress every reportEvery, if it has changed, until the returned function is called.
func (s *steps) keep(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var writer sync.WaitGroup
	writer.Go(func() {
		tick := time.NewTicker(reportEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				s.write(ctx)
			}
		}
	})
	return func() {
		cancel()
		writer.Wait()
	}
}

func (s *steps) write(ctx context.Context) {
	s.mu.Lock()
	progress, unwritten := s.progress, s.unwritten
	s.unwritten = false
	statuses := list.Map(progress.Tasks, func(t media.Task) media.TaskStatus { return t.Status })
	further := !slices.Equal(statuses, s.told)
	s.told = statuses
	s.mu.Unlock()
	if unwritten {
		s.save(ctx, progress, further)
	}
}

func (s *steps) start(ctx context.Context, step media.Step) {
	s.mu.Lock()
	s.began[step] = time.Now()
	s.mu.Unlock()
	s.set(ctx, step, media.TaskStarted, 0)
}

func (s *steps) finish(ctx context.Context, step media.Step) {
	s.mu.Lock()
	took := time.Since(s.began[step])
	s.mu.Unlock()
	s.took(step, took)
	s.set(ctx, step, media.TaskFinished, 100)
}

func (s *steps) skip(ctx context.Context, step media.Step) {
	s.set(ctx, step, media.TaskSkipped, 100)
}

func (s *steps) percent(ctx context.Context, step media.Step, percent int) {
	s.set(ctx, step, media.TaskStarted, percent)
}

// portion maps the progress of a part of a step to a range of the step's percentage. A step reaches 100 percent only
// when it has finished, not when its last part reports so.
func portion(report func(percent int), from, to int) func(percent int) {
	return func(percent int) { report(min(from+(to-from)*percent/100, 99)) }
}

func (s *steps) set(ctx context.Context, step media.Step, status media.TaskStatus, percent int) {
	job.Progress(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.progress = s.progress.Ahead(step, status, percent, time.Now().UTC())
	s.unwritten = true
}

// tell writes the progress of a job on a subject.
func (p *Pipeline) tell(ctx context.Context, j job.Job, subject slog.Attr, write func(*store.Tx) error) {
	if err := p.fenced(ctx, j, write); err != nil && ctx.Err() == nil {
		p.Log.Debug("writing progress failed", subject, "error", err)
	}
}

// now returns the current progress of the run.
func (s *steps) now() media.Progress {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.progress
}

// ended returns the progress of a run that is over: running steps become finished if the item finished, otherwise
// failed; pending steps become cancelled.
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
