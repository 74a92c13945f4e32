package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"parley/internal/audio"
	"parley/internal/fault"
	"parley/internal/job"
	"parley/internal/media"
	"parley/internal/plan"
	"parley/internal/record"
	"parley/internal/result"
	"parley/internal/seal"
	"parley/internal/store"
	"parley/internal/transcript"
)

// run is one job's way through the stages.
type run struct {
	*Pipeline
	began time.Time
	job   job.Job
	media media.Media
	plan  *plan.Plan
	given *transcript.Transcript // that came with the recording; nil without
	past  *past                  // of an item that is processed again; else nil
	steps *steps

	decoded *audio.Decoded // once it has been decoded; its samples may be closed
	made    *made          // stored, and not published yet; nil without

	key    *seal.Key      // that the item is sealed with; nil: it stays readable
	sealed []media.Stream // messages that are stored, and not published yet
	inside string         // the Content-Type of what was made to be sealed in place of the original; empty without
}

// Process takes a media item to its published result or failure. What is wrong with the recording itself is
// published as a failure and ends the job; everything else is returned and tried again.
func (p *Pipeline) Process(ctx context.Context, j job.Job) error {
	r, err := p.begin(ctx, j)
	if err != nil {
		return err
	}
	if r == nil {
		return nil // deleted or already done
	}
	open, clear, err := r.find(ctx)
	if err == nil {
		err = r.deliver(ctx, open, clear.Beeps)
	}
	if err == nil {
		limited, cancel := context.WithTimeout(ctx, Settle)
		defer cancel()
		return r.publish(limited, open, clear.Transcript)
	}
	if ctx.Err() != nil || !final(err) {
		return err
	}
	return r.fail(ctx, err)
}

// final reports whether an error is about the recording or the request, so that trying again is no use.
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

// begin loads the item, marks it as running and compiles its plan. It returns nil for an item that needs
// nothing more.
func (p *Pipeline) begin(ctx context.Context, j job.Job) (*run, error) {
	r := &run{Pipeline: p, began: time.Now().UTC(), job: j}
	var kept, given []byte
	var published store.Result
	var before media.Progress
	err := p.Store.Update(ctx, func(tx *store.Tx) (err error) {
		if err := tx.FenceJob(j); err != nil {
			return err
		}
		if r.media, err = tx.MediaByID(media.ID(j.Subject)); err != nil {
			return err
		}
		if r.media.Sealed {
			return nil
		}
		kept, given, published, err = r.request(tx)
		if err != nil || r.done() {
			return err
		}
		if before, err = r.before(tx); err != nil {
			return err
		}
		return r.advance(tx)
	})
	if fault.Is(err, fault.NotFound) || err == nil && r.done() {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r.steps = newSteps(p, r.media.ID, j, before)
	source, err := p.Codec.DecodeSource(kept)
	if err != nil {
		return nil, unreadable(err)
	}
	if r.media.Sealing != nil {
		if r.key, err = recipient(source, r.media.Sealing); err != nil {
			return nil, err
		}
	}
	if len(given) > 0 {
		if r.given, err = p.Codec.DecodeTranscript(given); err != nil {
			return nil, unreadable(err)
		}
	}
	if source.Published != nil {
		if err := r.recall(published, source.Published); err != nil {
			return nil, unreadable(err)
		}
	}
	r.plan, err = source.Compile(p.Environment())
	if err != nil && final(err) {
		return nil, r.fail(ctx, err)
	}
	return r, err
}

// errUnreadable says that what is stored of a request, or the words that it is about, is damaged.
var errUnreadable = errors.New("the stored request cannot be read")

// unreadable is the error of a stored request that cannot be decoded. One that a newer version of the program has written
// waits for that version.
func unreadable(err error) error {
	if _, newer := errors.AsType[*record.NewerError](err); newer {
		return fault.New(fault.Unavailable, fault.CodeUnavailable, "the stored request is of a newer version: %w", err)
	}
	return fmt.Errorf("%w: %w", errUnreadable, err)
}

// done reports whether the item has all that was asked for, or cannot be read any more.
func (r *run) done() bool { return r.media.Sealed || r.media.Status == media.Finished && r.past == nil }

// before returns how far an interrupted run has come; nowhere, where the item had ended and is to run again.
func (r *run) before(tx *store.Tx) (media.Progress, error) {
	if r.media.Status == media.Failed || r.media.Status == media.Finished {
		return media.Progress{}, nil
	}
	p, err := tx.Progress(r.media.Account, r.media.ID)
	if fault.Is(err, fault.NotFound) {
		err = nil
	}
	return p, err
}

// advance marks an item whose recording is here as running. One that failed, or was not processed again, runs
// again: its job was dead and an operator has re-queued it.
func (r *run) advance(tx *store.Tx) error {
	from := r.media.Status
	if from == media.Failed || from == media.Finished {
		if err := tx.SetStatus(r.media.ID, media.Scheduled); err != nil {
			return err
		}
		from = media.Scheduled
	}
	if from != media.Scheduled {
		return nil
	}
	r.media.Status = media.Running
	return tx.SetStatus(r.media.ID, media.Running)
}

// find takes the recording through all stages before publication. It also returns the words as they were before
// they were formatted, and what is to be heard in place of parts of the recording. Whatever looks at words stands
// behind the call of conceal.
func (r *run) find(ctx context.Context) (*result.Open, *Concealed, error) {
	said, warnings, err := r.speech(ctx)
	if err != nil {
		return nil, nil, err
	}
	r.steps.start(ctx, media.StepAnalyze)
	clear := said.conceal(r.plan)
	if r.past != nil {
		clear.remember(r.past.found)
	}
	t := r.format(clear.Transcript)
	classifiers, err := r.classifiers(ctx, t)
	if err != nil {
		return nil, nil, err
	}
	open, err := r.Analyst.Result(ctx, &r.media, t, clear, r.plan, classifiers, warnings)
	if err != nil {
		return nil, nil, err
	}
	r.steps.finish(ctx, media.StepAnalyze)
	return open, clear, nil
}

// speech returns what is said in the recording: what was published of it, or what is given or heard.
func (r *run) speech(ctx context.Context) (unconcealed, []fault.Problem, error) {
	if r.past != nil && r.past.spoken != nil {
		t, warnings, err := r.republish(ctx)
		return unconcealed{t}, warnings, err
	}
	if err := r.fetch(ctx); err != nil {
		return unconcealed{}, nil, err
	}
	decoded, err := r.decode(ctx)
	if err != nil {
		return unconcealed{}, nil, err
	}
	defer decoded.Close()
	t, warnings, err := r.words(ctx, decoded)
	if err == nil {
		t, err = VoiceFeatures(decoded, t, r.plan)
	}
	return unconcealed{t}, append(slices.Clone(decoded.Warnings), warnings...), err
}
