package pipeline

import (
	"context"
	"fmt"

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
	if j.Exhausted() {
		why = fmt.Sprintf("processing was interrupted %d times without getting on", j.Interruptions)
	}
	problem := fault.Problem{Code: fault.CodeInternal, Message: fmt.Sprintf("%s; the operator finds the cause in the server's log under job %s and can run it again", why, j.ID)}
	switch j.Kind {
	case KindProcess:
		return p.Store.Update(ctx, func(tx *store.Tx) error { return p.spend(tx, j, []fault.Problem{problem}) })
	case KindTrain:
		return p.spentTraining(ctx, j, problem)
	case KindApply:
		return p.applySpent(ctx, j)
	}
	return nil
}

// spend publishes the failure of an item whose job is spent, and tells those who asked for it.
func (p *Pipeline) spend(tx *store.Tx, j job.Job, problems []fault.Problem) error {
	if err := tx.FenceJob(j); err != nil {
		return err
	}
	m, err := tx.MediaByID(media.ID(j.Subject))
	if err != nil {
		return err
	}
	r := &run{Pipeline: p, job: j, media: m}
	kept, _, _, err := r.request(tx)
	if err != nil {
		return err
	}
	if err := r.bury(tx, problems); err != nil {
		return err
	}
	source, err := p.Codec.DecodeSource(kept)
	if err != nil {
		return err
	}
	asked, err := source.Compile(p.Environment())
	if err != nil {
		return nil // what it asked for cannot be known
	}
	return notify(tx, &m, asked, true)
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
