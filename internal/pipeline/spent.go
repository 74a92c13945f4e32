package pipeline

import (
	"context"
	"errors"
	"fmt"
	"time"

	"parley/internal/account"
	"parley/internal/fault"
	"parley/internal/job"
	"parley/internal/media"
	"parley/internal/store"
)

// Spent publishes that an item failed, or a classifier could not be trained, because its job used up its attempts, or took
// workers down too often. The job stays, dead, for operators to run again.
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
		return p.spentTraining(ctx, j, spent(j, why, runAgain))
	case KindApply:
		return p.applySpent(ctx, j)
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
	return fault.Problem{Code: fault.CodeInternal, Message: fmt.Sprintf("%s; the operator finds the cause in the server's log under job %s and %s", why, j.ID, remedy)}
}

// spentProcessing publishes that an item failed. One that only its owner is to read is sealed: nobody can run its job
// again, which ends with that. Until it succeeds this is tried again, and the item stays under its data key; for good, where its
// key is damaged.
func (p *Pipeline) spentProcessing(ctx context.Context, j job.Job, why string) error {
	var ended, sealing *run
	problems := []fault.Problem{spent(j, why, runAgain)}
	err := p.Store.Update(ctx, func(tx *store.Tx) (err error) {
		ended, sealing, err = p.spend(tx, j, problems)
		return err
	})
	if err == nil && ended != nil {
		ended.over(ctx, media.Failed, 0, 0, problems)
	}
	if err != nil || sealing == nil {
		return err
	}
	return sealing.seal(ctx, ending{status: media.Failed, problems: []fault.Problem{spent(j, why, sendAgain)}, warnings: sealing.warnings()})
}

// spend publishes the failure of an item whose job is spent, and tells those who asked for it. It returns the run that has so
// ended, or the one of an item that is to be sealed instead.
func (p *Pipeline) spend(tx *store.Tx, j job.Job, problems []fault.Problem) (ended, sealing *run, err error) {
	if err := tx.FenceJob(j); err != nil {
		return nil, nil, err
	}
	m, err := tx.MediaByID(media.ID(j.Subject))
	if err != nil || m.Sealed {
		return nil, nil, err
	}
	r := &run{Pipeline: p, began: time.Now().UTC(), job: j, media: m}
	kept, _, _, err := r.request(tx)
	if err != nil {
		return nil, nil, err
	}
	if err := r.recover(kept); err != nil {
		return nil, nil, err
	}
	if r.key != nil {
		before, err := r.before(tx)
		r.steps = newSteps(p, m.ID, j, before)
		return nil, r, err
	}
	if err := r.bury(tx, problems); err != nil {
		return nil, nil, err
	}
	return r, nil, r.notify(tx, true)
}

// recover finds out of a stored request what can be known: nothing, where it is damaged. What was to be encrypted and
// cannot be, as the key went with the request, stays under its data key, and nobody is told of it.
func (r *run) recover(kept []byte) error {
	source, err := r.Codec.DecodeSource(kept)
	if err != nil {
		err = unreadable(err)
		if fault.Is(err, fault.Unavailable) {
			return err
		}
	} else if asked, err := source.Compile(r.Environment()); err == nil {
		r.plan = asked
	}
	if r.media.Sealing == nil {
		return nil
	}
	if err == nil {
		r.key, err = recipient(source, r.media.Sealing)
	}
	if err != nil {
		r.plan = nil
		r.Log.Error("an item that failed cannot be encrypted and stays under its data key", "media", r.media.ID, "error", err)
	}
	return nil
}

// bury writes the last state of an item whose job is spent.
func (r *run) bury(tx *store.Tx, problems []fault.Problem) error {
	id := r.media.ID
	if r.past.standing() {
		return r.past.restore(tx, id, problems)
	}
	if err := tx.SetStatus(id, media.Failed, media.Accepted, media.Scheduled, media.Running); err != nil {
		return err
	}
	if err := r.index(tx, account.ID(r.job.Account), id); err != nil {
		return err
	}
	shown, err := r.shows(tx, id)
	if err != nil {
		return err
	}
	if err := tx.SetSearchable(id, shown); err != nil {
		return err
	}
	return tx.SetProblems(id, problems)
}
