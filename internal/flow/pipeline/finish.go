package pipeline

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"time"

	"parley/internal/call/result"
	"parley/internal/flow/callback"
	"parley/internal/storage/store"
	"parley/internal/words/fault"
	"parley/internal/words/list"
	"parley/internal/words/media"
)

// outcome is the outcome of processing an item.
type outcome struct {
	*request
	status   media.Status
	dead     bool           // the job has no attempts left; it stays, so that operators can re-queue it
	progress media.Progress // progress at the end
	length   time.Duration  // length of the recording; 0 if it failed
	usage    store.Usage    // usage of the recording
	problems []fault.Problem
	warnings []fault.Problem
	result   *result.Open                   // nil if it failed
	stored   store.Result                   // encoded result of an item that stays readable
	product  *product                       // nil if the streams are unchanged
	peaks    *media.Stream                  // nil if the waveform is unchanged
	messages []media.Stream                 // encrypted streams of an item that is sealed
	describe func(*snapshot) (draft, error) // renders the item to be sealed; errStale if it has changed since
}

func (o *outcome) failed() bool { return o.status != media.Finished }

// success is the outcome of a recording that passed all stages.
func (p *Pipeline) success(s *streams, progress media.Progress) *outcome {
	open, spoken := *s.result, s.concealed.Transcript
	open.Warnings = slices.Concat(open.Warnings, s.warnings)
	o := &outcome{
		request: s.request, status: media.Finished, progress: progress, length: spoken.Length,
		usage:    s.usage(spoken.Length),
		warnings: open.Warnings, result: &open, product: s.product, peaks: s.peaks,
	}
	if o.key != nil {
		return o
	}
	o.stored = store.Result{Version: 1, Result: p.Codec.EncodeResult(&open)}
	if !reflect.DeepEqual(open.Transcript, spoken) {
		o.stored.Transcript = p.Codec.EncodeTranscript(spoken)
	}
	return o
}

// failure is the outcome of a recording that could not be processed, with the cause. The original is kept.
func failure(r *request, progress media.Progress, cause error) *outcome {
	o := &outcome{request: r, status: media.Failed, progress: progress, warnings: r.planWarnings()}
	if rejected, ok := errors.AsType[*rejection](cause); ok {
		o.status, cause = media.Rejected, rejected.error
	}
	o.problems = fault.ProblemsOf(cause)
	return o
}

// end publishes an outcome and ends the job in one transaction.
func (p *Pipeline) end(ctx context.Context, o *outcome) error {
	var err error
	if o.key != nil {
		err = p.seal(ctx, o)
	} else {
		err = p.complete(ctx, o.job, func(tx *store.Tx) error { return p.finish(tx, o) })
		if err != nil && o.product != nil {
			p.discard(ctx, o.product.stored.Blob)
		}
		if err != nil && o.peaks != nil {
			p.discard(ctx, o.peaks.Blob)
		}
	}
	if err == nil {
		p.report(ctx, o)
	}
	return err
}

// finish writes an outcome: what can be read of the item from now on, and the deliveries that report it. It runs in the
// transaction that ends the job or declares it dead.
func (p *Pipeline) finish(tx *store.Tx, o *outcome) error {
	var d draft
	var err error
	switch {
	case o.key != nil:
		d, err = p.putSealed(tx, o)
	case !o.failed():
		err = p.putResult(tx, o)
	case o.baseline.stands():
		err = putEarlier(tx, o)
	default:
		err = p.putFailure(tx, o)
	}
	if err != nil {
		return fmt.Errorf("publish the outcome of media %s: %w", o.media.ID, err)
	}
	return putDeliveries(tx, o, &d)
}

// inOrder runs writes until one of them fails.
func inOrder(writes ...func() error) error {
	for _, write := range writes {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

// putResult makes a result visible, replacing an earlier one, and makes its request the item's current request.
func (p *Pipeline) putResult(tx *store.Tx, o *outcome) error {
	id, now := o.media.ID, time.Now().UTC()
	return inOrder(
		func() error { return tx.PutResult(id, o.stored) },
		func() error { return putAnalytic(tx, o) },
		func() error { return tx.ReleaseClassifiers(id) },
		func() error { return tx.DeleteArtifacts(id) },
		func() error { return tx.CommitReprocessing(id) },
		func() error { return tx.DropGiven(id) },
		func() error { return tx.SetWithheld(id, false) },
		func() error { return p.replace(tx, id, o.plan, o.product, o.peaks) },
		func() error { return tx.AddUsage(o.media.Account, now, o.usage) },
		func() error { return p.putState(tx, o) },
	)
}

// putAnalytic puts an item into the index of calls. If its words are those of the earlier result, they stay in the
// index.
func putAnalytic(tx *store.Tx, o *outcome) error {
	a, id := o.media.Account, o.media.ID
	if o.republishes() && reflect.DeepEqual(o.result.Transcript, o.baseline.shown) {
		return tx.PutAnalyticValues(a, id, o.plan.Searchable, o.plan.Analytic)
	}
	return inOrder(
		func() error { return tx.SetSearchable(id, o.plan.Searchable) },
		func() error { return tx.PutAnalytic(a, id, o.plan.Analytic) },
	)
}

// putFailure makes the failure of an item visible. Its title and description become searchable. A dead job may be run
// again, so its request, artifacts and progress stay.
func (p *Pipeline) putFailure(tx *store.Tx, o *outcome) error {
	id := o.media.ID
	if o.dead {
		return inOrder(
			func() error { return tx.SetStatus(id, o.status, underWay...) },
			func() error { return p.index(tx, o.media.Account, id) },
			func() error { return p.show(tx, o.media.Account, id) },
			func() error { return tx.SetProblems(id, o.problems) },
		)
	}
	return inOrder(
		func() error { return tx.DeleteArtifacts(id) },
		func() error { return tx.CommitReprocessing(id) },
		func() error { return tx.ShowFailed(o.media.Account, id, o.plan != nil && o.plan.Searchable) },
		func() error { return p.putState(tx, o) },
	)
}

// underWay lists the states of an item that is still being processed.
var underWay = []media.Status{media.Accepted, media.Scheduled, media.Running}

// putState writes the final state of an item.
func (p *Pipeline) putState(tx *store.Tx, o *outcome) error {
	id := o.media.ID
	return inOrder(
		func() error { return tx.SetStatus(id, o.status) },
		func() error { return p.index(tx, o.media.Account, id) },
		func() error { return tx.SetLength(id, o.length) },
		func() error { return tx.SetProblems(id, o.problems) },
		func() error { return tx.SetWarnings(id, o.warnings) },
		func() error { return tx.SetProgress(id, ended(o.progress, o.status, time.Now().UTC())) },
	)
}

// putEarlier returns an item to its existing result, and records why reprocessing failed. For a dead job, which may be
// run again, the request stays.
func putEarlier(tx *store.Tx, o *outcome) error {
	id := o.media.ID
	if o.dead {
		return restore(tx, o)
	}
	return inOrder(
		func() error { return tx.DeleteArtifacts(id) },
		func() error { return restore(tx, o) },
		func() error { return tx.SetProgress(id, ended(o.progress, media.Failed, time.Now().UTC())) },
		func() error { return tx.DropReprocessing(id) },
	)
}

// restore marks an item as finished as before, with the problems of reprocessing and a warning.
func restore(tx *store.Tx, o *outcome) error {
	id, since := o.media.ID, o.baseline.finished
	m, err := tx.MediaByID(id)
	if err != nil {
		return err
	}
	warnings := slices.DeleteFunc(m.Warnings, func(w fault.Problem) bool { return w.Code == fault.CodeReprocessing })
	warnings = append(warnings, fault.Problem{Code: fault.CodeReprocessing, Message: fmt.Sprintf(
		"processing the recording again failed (see errors); the result shown was published at %s",
		since.Format(time.RFC3339))})
	return inOrder(
		func() error { return tx.RestoreFinished(id, since) },
		func() error { return tx.SetProblems(id, o.problems) },
		func() error { return tx.SetWarnings(id, warnings) },
	)
}

// putDeliveries adds the deliveries that were requested. The bodies of those of a sealed item are in its draft.
func putDeliveries(tx *store.Tx, o *outcome, d *draft) error {
	callbacks, at := o.callbacks(), d.media.Finished
	if len(callbacks) == 0 {
		return nil
	}
	if at.IsZero() {
		var err error
		if at, err = tx.Now(); err != nil {
			return err
		}
	}
	deliveries, err := callback.Jobs(tx, &o.media, callbacks, o.failed(), at)
	if err != nil || d.bodies == nil {
		return err
	}
	for _, m := range deliveries {
		if body := d.bodies[m.Position]; body != nil {
			if err := tx.PutDeliveryBody(o.media.ID, m.ID, body); err != nil {
				return err
			}
		}
	}
	return nil
}

// report counts and logs the outcome of an item. It logs problems by their codes only, since their texts may quote the
// recording.
func (p *Pipeline) report(ctx context.Context, o *outcome) {
	now := time.Now().UTC()
	p.Metrics.Done(o.status, o.usage.Total(), now.Sub(o.asked()))
	attrs := []slog.Attr{
		slog.String("media", string(o.media.ID)), slog.String("account", string(o.media.Account)),
		slog.String("job", string(o.job.ID)), slog.String("status", string(o.status)),
		slog.Duration("recording", o.length),
		slog.Duration("processing", now.Sub(o.began).Round(time.Millisecond)),
		slog.Duration("sinceAccepted", now.Sub(o.asked()).Round(time.Millisecond)), slog.String("engine", o.engine()),
	}
	if !o.failed() {
		p.Log.LogAttrs(ctx, slog.LevelInfo, "recording finished", attrs...)
		return
	}
	codes := list.Map(o.problems, func(problem fault.Problem) int { return problem.Code })
	p.Log.LogAttrs(ctx, slog.LevelInfo, "recording failed", append(attrs, slog.Any("codes", codes))...)
}
