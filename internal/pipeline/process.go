package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"reflect"
	"slices"
	"time"

	"parley/internal/audio"
	"parley/internal/fault"
	"parley/internal/job"
	"parley/internal/media"
	"parley/internal/plan"
	"parley/internal/result"
	"parley/internal/seal"
	"parley/internal/store"
	"parley/internal/transcript"
)

// run is one job's way through the stages.
type run struct {
	*Pipeline
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
	r := &run{Pipeline: p, job: j}
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
		return nil, err
	}
	if r.media.Sealing != nil {
		if r.key, err = recipient(source, r.media.Sealing); err != nil {
			return nil, err
		}
	}
	if len(given) > 0 {
		if r.given, err = p.Codec.DecodeTranscript(given); err != nil {
			return nil, err
		}
	}
	if source.Published != nil {
		if err := r.recall(published, source.Published); err != nil {
			return nil, err
		}
	}
	r.plan, err = source.Compile(p.Environment())
	if err != nil && final(err) {
		return nil, r.fail(ctx, err)
	}
	return r, err
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
	open := r.Analyst.Result(&r.media, t, clear, r.plan, classifiers, warnings)
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

// decode brings the recording to a local file and decodes it.
func (r *run) decode(ctx context.Context) (*audio.Decoded, error) {
	r.steps.start(ctx, media.StepTranscode)
	path, contentType, err := r.spoolSource(ctx)
	if err != nil {
		return nil, err
	}
	defer os.Remove(path)
	decoded, err := r.Decoder.Decode(ctx, path, contentType)
	if err == nil {
		r.decoded = decoded
		r.steps.finish(ctx, media.StepTranscode)
	}
	return decoded, err
}

// source is the stream that is worked on: what redaction has left, where there was any, else the original.
func (r *run) source(ctx context.Context) (s media.Stream, err error) {
	var streams []media.Stream
	err = r.Store.View(ctx, func(tx *store.Tx) (err error) {
		streams, err = tx.Kept(r.media.ID)
		return err
	})
	for _, name := range []string{media.RedactedAudio, media.Original} {
		if i := slices.IndexFunc(streams, func(s media.Stream) bool { return s.Name == name }); i >= 0 {
			return streams[i], err
		}
	}
	if err == nil {
		err = fault.New(fault.Invalid, fault.CodeMediaUnreadable, "the recording is not here any more")
	}
	return s, err
}

// spoolSource copies what is worked on to a temporary file.
func (r *run) spoolSource(ctx context.Context) (path, contentType string, err error) {
	source, err := r.source(ctx)
	if err != nil {
		return "", "", err
	}
	path, err = r.spool(ctx, source)
	return path, source.ContentType, err
}

// spool copies a stream from the vault to a temporary file.
func (r *run) spool(ctx context.Context, s media.Stream) (path string, err error) {
	source, err := r.Vault.Open(ctx, s, 0, -1)
	if fault.Is(err, fault.NotFound) {
		return "", fault.New(fault.Internal, fault.CodeInternal, "the recording of media %s is not in the blob store: %w", r.media.ID, err)
	}
	if err != nil {
		return "", err
	}
	defer source.Close()
	file, err := os.CreateTemp(r.Temp, "original-*")
	if err != nil {
		return "", fault.New(fault.Unavailable, fault.CodeUnavailable, "temporary file for the recording: %w", err)
	}
	_, err = io.Copy(file, source)
	if err = errors.Join(err, file.Close()); err != nil {
		os.Remove(file.Name())
		if _, ok := errors.AsType[*fault.Error](err); ok { // the vault knows what it is: damage does not pass
			return "", fmt.Errorf("the recording of media %s: %w", r.media.ID, err)
		}
		return "", fault.New(fault.Unavailable, fault.CodeUnavailable, "copy the recording to a temporary file: %w", err)
	}
	return file.Name(), nil
}

// Get returns a kept artifact of the item.
func (r *run) Get(ctx context.Context, step media.Step, fingerprint string) (data []byte, err error) {
	err = r.Store.View(ctx, func(tx *store.Tx) error {
		kept, ok, err := tx.Artifact(r.media.ID, step, fingerprint)
		if ok {
			data = kept
		}
		return err
	})
	if err == nil && data == nil {
		r.log(ctx, "begun", step, fingerprint)
	}
	return data, err
}

// Put keeps an artifact of the item, if the job is still ours.
func (r *run) Put(ctx context.Context, step media.Step, fingerprint string, data []byte) error {
	err := r.Store.Update(ctx, func(tx *store.Tx) error {
		if err := tx.FenceJob(r.job); err != nil {
			return err
		}
		return tx.PutArtifact(r.media.ID, step, fingerprint, data)
	})
	if err == nil {
		r.log(ctx, "kept", step, fingerprint)
	}
	return err
}

// log tells what becomes of one artifact: how often work is done again after a crash can be counted.
func (r *run) log(ctx context.Context, what string, step media.Step, fingerprint string) {
	r.Log.LogAttrs(ctx, slog.LevelDebug, what, slog.String("media", string(r.media.ID)), slog.String("step", string(step)), slog.String("artifact", fingerprint))
}

// publish makes the result visible and ends the job, in one transaction.
func (r *run) publish(ctx context.Context, open *result.Open, spoken *transcript.Transcript) error {
	r.steps.start(ctx, media.StepPublish)
	if r.key != nil {
		return r.seal(ctx, ending{media.Finished, spoken.Length, r.heard(spoken), nil, open.Warnings, open})
	}
	kept := store.Result{Version: 1, Result: r.Codec.EncodeResult(open)}
	if !reflect.DeepEqual(open.Transcript, spoken) {
		kept.Transcript = r.Codec.EncodeTranscript(spoken)
	}
	now := time.Now().UTC()
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
		if err := tx.AddUsage(r.media.Account, now, r.heard(spoken)); err != nil {
			return err
		}
		if err := r.end(tx, media.Finished, spoken.Length, nil, open.Warnings); err != nil {
			return err
		}
		return r.notify(tx, false)
	})
	if err == nil {
		r.Metrics.Done(media.Finished, r.heard(spoken), now.Sub(r.asked()))
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
	now := time.Now().UTC()
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
		r.Metrics.Done(status, 0, now.Sub(r.asked()))
	}
	return err
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
