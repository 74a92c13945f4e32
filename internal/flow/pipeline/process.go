package pipeline

import (
	"context"
	"errors"

	"parley/internal/speech/audio"
	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// attempt is one claim of a processing job: the pipeline's ports, bound to the fence of the job and the progress of its
// item.
type attempt struct {
	*Pipeline
	job   job.Job
	media media.ID
	steps *steps

	decoded []*audio.Decoded // to be closed
}

// close frees what the attempt has decoded.
func (a *attempt) close() {
	for _, d := range a.decoded {
		d.Close()
	}
}

func (p *Pipeline) attempt(r *request) *attempt {
	return &attempt{Pipeline: p, job: r.job, media: r.media.ID, steps: newSteps(p, r.media.ID, r.job, r.progress)}
}

// Process takes a media item to its published result or failure. A problem of the recording itself is published as a
// failure and ends the job; every other error is returned and retried.
func (p *Pipeline) Process(ctx context.Context, j job.Job) error {
	r, err := p.load(ctx, j)
	if r == nil {
		return err // deleted, or already done
	}
	a := p.attempt(r)
	defer a.steps.keep(ctx)()
	defer a.close()
	var made *streams
	if err == nil {
		made, err = a.run(ctx, r)
	}
	if err == nil {
		limited, cancel := context.WithTimeout(ctx, Settle)
		defer cancel()
		a.steps.start(limited, media.StepPublish)
		return p.end(limited, p.success(made, a.steps.now()))
	}
	if ctx.Err() != nil || !final(err) {
		return err
	}
	return p.end(ctx, failure(r, a.steps.now(), err))
}

// run takes a request through the stages: each is a function of the previous stage's value.
func (a *attempt) run(ctx context.Context, r *request) (*streams, error) {
	said, err := a.hear(ctx, r)
	if err != nil {
		return nil, err
	}
	found, err := a.analyze(ctx, said)
	if err != nil {
		return nil, err
	}
	return a.produce(ctx, found)
}

// final reports whether an error is about the recording or the request, so that retrying is useless.
func final(err error) bool {
	if _, ok := errors.AsType[*rejection](err); ok {
		return true
	}
	switch fault.KindOf(err) {
	case fault.Invalid, fault.TooLarge, fault.Unsupported:
		return !errors.Is(err, job.ErrDrained) && !errors.Is(err, job.ErrLost)
	}
	return false
}

// fenced runs a transaction that is refused when the job is no longer held.
func (p *Pipeline) fenced(ctx context.Context, j job.Job, effect func(*store.Tx) error) error {
	return p.holding(ctx, j, (*store.Tx).FenceJob, effect)
}

// complete runs the transaction that ends a job; it is refused when the job is no longer held.
func (p *Pipeline) complete(ctx context.Context, j job.Job, effect func(*store.Tx) error) error {
	return p.holding(ctx, j, (*store.Tx).CompleteJob, effect)
}

func (p *Pipeline) holding(
	ctx context.Context, j job.Job, hold func(*store.Tx, job.Job) error, effect func(*store.Tx) error,
) error {
	return p.Store.Update(ctx, func(tx *store.Tx) error {
		if err := hold(tx, j); err != nil {
			return err
		}
		return effect(tx)
	})
}
