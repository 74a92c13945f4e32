package pipeline

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"time"

	"parley/internal/fault"
	"parley/internal/media"
	"parley/internal/result"
	"parley/internal/store"
	"parley/internal/transcript"
)

// publish makes the result visible and ends the job, in one transaction.
func (r *run) publish(ctx context.Context, open *result.Open, spoken *transcript.Transcript) error {
	r.steps.start(ctx, media.StepPublish)
	if r.key != nil {
		return r.seal(ctx, ending{media.Finished, spoken.Length, r.used(spoken), nil, open.Warnings, open})
	}
	kept := store.Result{Version: 1, Result: r.Codec.EncodeResult(open)}
	if !reflect.DeepEqual(open.Transcript, spoken) {
		kept.Transcript = r.Codec.EncodeTranscript(spoken)
	}
	used, now := r.used(spoken), time.Now().UTC()
	err := r.Store.Update(ctx, func(tx *store.Tx) error {
		if err := tx.CompleteJob(r.job); err != nil {
			return err
		}
		if err := tx.PutResult(r.media.ID, kept); err != nil {
			return err
		}
		if err := tx.SetSearchable(r.media.ID, r.plan.Searchable); err != nil {
			return err
		}
		if err := tx.PutAnalytic(r.media.Account, r.media.ID, r.plan.Analytic); err != nil {
			return err
		}
		if err := tx.ReleaseClassifiers(r.media.ID); err != nil {
			return err
		}
		if err := tx.DeleteArtifacts(r.media.ID); err != nil {
			return err
		}
		if err := r.settle(tx); err != nil {
			return err
		}
		if err := tx.SetWithheld(r.media.ID, false); err != nil {
			return err
		}
		if err := r.replace(tx); err != nil {
			return err
		}
		if err := tx.AddUsage(r.media.Account, now, used); err != nil {
			return err
		}
		if err := r.end(tx, media.Finished, spoken.Length, nil, open.Warnings); err != nil {
			return err
		}
		return r.notify(tx, false)
	})
	if err == nil {
		r.over(ctx, media.Finished, spoken.Length, used.Total(), nil)
	} else if r.made != nil {
		r.discard(ctx, r.made.Blob)
	}
	return err
}

// fail publishes that the recording could not be processed, and why. The original is kept.
func (r *run) fail(ctx context.Context, cause error) error {
	status := media.Failed
	if rejected, ok := errors.AsType[*rejection](cause); ok {
		status, cause = media.Rejected, rejected.error
	}
	if r.key != nil {
		return r.seal(ctx, ending{status: status, problems: fault.ProblemsOf(cause), warnings: r.warnings()})
	}
	err := r.Store.Update(ctx, func(tx *store.Tx) error {
		if err := tx.CompleteJob(r.job); err != nil {
			return err
		}
		if err := tx.DeleteArtifacts(r.media.ID); err != nil {
			return err
		}
		if r.past.standing() {
			if err := r.giveUp(tx, fault.ProblemsOf(cause)); err != nil {
				return err
			}
			return r.notify(tx, true)
		}
		if err := tx.CommitReprocessing(r.media.ID); err != nil {
			return err
		}
		// Its title and description are there to be found.
		if err := tx.SetSearchable(r.media.ID, r.plan != nil && r.plan.Searchable); err != nil {
			return err
		}
		if err := r.end(tx, status, 0, fault.ProblemsOf(cause), r.warnings()); err != nil {
			return err
		}
		return r.notify(tx, true)
	})
	if err == nil {
		r.over(ctx, status, 0, 0, fault.ProblemsOf(cause))
	}
	return err
}

// over counts and logs how the processing of an item has ended. Problems are told by their codes: their texts may quote.
func (r *run) over(ctx context.Context, status media.Status, length, heard time.Duration, problems []fault.Problem) {
	now := time.Now().UTC()
	r.Metrics.Done(status, heard, now.Sub(r.asked()))
	attrs := []slog.Attr{
		slog.String("media", string(r.media.ID)), slog.String("account", string(r.media.Account)), slog.String("job", string(r.job.ID)),
		slog.String("status", string(status)), slog.Duration("recording", length), slog.Duration("processing", now.Sub(r.began).Round(time.Millisecond)),
		slog.Duration("sinceAccepted", now.Sub(r.asked()).Round(time.Millisecond)), slog.String("engine", r.engine()),
	}
	if status == media.Finished {
		r.Log.LogAttrs(ctx, slog.LevelInfo, "recording finished", attrs...)
		return
	}
	codes := make([]int, len(problems))
	for i, p := range problems {
		codes[i] = p.Code
	}
	r.Log.LogAttrs(ctx, slog.LevelInfo, "recording failed", append(attrs, slog.Any("codes", codes))...)
}

// engine names what the words come from.
func (r *run) engine() string {
	switch {
	case r.plan == nil:
		return "unknown"
	case r.past != nil && r.past.spoken != nil:
		return "earlier"
	case r.plan.Recognition == nil:
		return "given"
	}
	return r.plan.Recognition.Engine + "/" + r.plan.Recognition.Model
}

func (r *run) warnings() []fault.Problem {
	if r.plan == nil {
		return nil
	}
	return r.plan.Warnings
}

// end writes the item's last state.
func (r *run) end(tx *store.Tx, status media.Status, length time.Duration, problems, warnings []fault.Problem) error {
	id := r.media.ID
	for _, write := range []func() error{
		func() error { return tx.SetStatus(id, status) },
		func() error { return r.index(tx, r.media.Account, id) },
		func() error { return tx.SetLength(id, length) },
		func() error { return tx.SetProblems(id, problems) },
		func() error { return tx.SetWarnings(id, warnings) },
		func() error { return tx.SetProgress(id, r.steps.ended(status, time.Now().UTC())) },
	} {
		if err := write(); err != nil {
			return fmt.Errorf("write the end of media %s: %w", id, err)
		}
	}
	return nil
}
