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

// Spent publishes that an item failed, or that a classifier could not be trained, because its job has no attempts left,
// or crashed workers too often. The job stays, dead, so that operators can re-queue it.
func (p *Pipeline) Spent(ctx context.Context, j job.Job, cause error) error {
	why := fmt.Sprintf("processing failed %d times", j.Attempts+1)
	if errors.Is(cause, errUnreadable) {
		why = "the stored request for this recording is corrupt"
	}
	if j.Exhausted() {
		why = fmt.Sprintf("processing was interrupted %d times without progress", j.Interruptions)
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

// Remedies for a job that has no attempts left.
const (
	runAgain  = "the operator can run the job again"
	sendAgain = "send the recording again, since this item is encrypted"
)

// spent is the problem reported when a job has no attempts left.
func spent(j job.Job, why, remedy string) fault.Problem {
	return fault.Problem{Code: fault.CodeInternal,
		Message: fmt.Sprintf("%s; search the server's log for job %s; %s", why, j.ID, remedy)}
}

// spentProcessing publishes that an item failed. An item that only its owner may read is sealed, which ends its job:
// nobody can re-queue it. Sealing is retried until it succeeds, and meanwhile the item stays under its data key; if its
// public key is damaged, it stays so permanently.
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
