package pipeline

import (
	"context"
	"errors"
	"fmt"

	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// Spent publishes that an item failed, or a classifier could not be trained, because its job used up its attempts, or
// took workers down too often. The job stays, dead, for operators to run again.
func (p *Pipeline) Spent(ctx context.Context, j job.Job, cause error) error {
	why := fmt.Sprintf("processing failed %d times", j.Attempts+1)
	if errors.Is(cause, errUnreadable) {
		why = "what is stored of the request for this recording is damaged and cannot be read"
	}
	if j.Exhausted() {
		why = fmt.Sprintf("processing was interrupted %d times without getting on", j.Interruptions)
	}
	switch j.Kind {
	case KindProcess:
		return p.spentProcessing(ctx, j, why)
	case KindTrain:
		id, err := modelOf(j)
		if err != nil {
			return err
		}
		return p.fenced(ctx, j, failTraining(id, spent(j, why, runAgain)))
	case KindApply:
		return p.fenced(ctx, j, endApply(j.Subject, store.ApplyFailed))
	}
	return nil
}

// What is to be done when a job is spent.
const (
	runAgain  = "can run it again"
	sendAgain = "the recording, which is encrypted now, is to be sent again"
)

// spent is what customers are told of a job that is spent.
func spent(j job.Job, why, remedy string) fault.Problem {
	return fault.Problem{Code: fault.CodeInternal,
		Message: fmt.Sprintf("%s; the operator finds the cause in the server's log under job %s and %s", why, j.ID,
			remedy)}
}

// spentProcessing publishes that an item failed. One that only its owner is to read is sealed: nobody can run its job
// again, which ends with that. Until it succeeds this is tried again, and the item stays under its data key; for good,
// where its key is damaged.
func (p *Pipeline) spentProcessing(ctx context.Context, j job.Job, why string) error {
	var o *outcome
	err := p.fenced(ctx, j, func(tx *store.Tx) error {
		o = nil
		f, err := rowsOf(tx, j)
		if err != nil || f.media.Sealed {
			return err
		}
		r, err := p.salvage(j, &f)
		if err != nil {
			return err
		}
		o = &outcome{request: r, status: media.Failed, progress: r.progress, warnings: r.planWarnings()}
		if r.key != nil {
			o.problems = []fault.Problem{spent(j, why, sendAgain)}
			return nil
		}
		o.dead, o.problems = true, []fault.Problem{spent(j, why, runAgain)}
		return p.finish(tx, o)
	})
	switch {
	case err != nil || o == nil:
		return err
	case o.key != nil:
		return p.end(ctx, o)
	}
	p.report(ctx, o)
	return nil
}
