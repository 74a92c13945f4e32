package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/internal/call/codec"
	"parley/internal/call/delivery"
	"parley/internal/call/plan"
	"parley/internal/call/result"
	"parley/internal/flow/seal"
	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/words/fault"
	"parley/internal/words/media"
	"parley/internal/words/transcript"
)

// request is the output of load: a media item and what is to be done with it.
type request struct {
	began      time.Time
	job        job.Job
	media      media.Media
	plan       *plan.Plan             // nil if it cannot be determined
	attachment *transcript.Transcript // the transcript that came with the recording; nil without one
	baseline   *baseline              // of an item that is reprocessed; otherwise nil
	key        *seal.Key              // seals the item at the end; nil: the item stays readable
	progress   media.Progress         // of earlier attempts
}

// baseline is the existing result of an item that is reprocessed: the starting point of the work, and the fallback if
// it fails.
type baseline struct {
	finished   time.Time              // when it was published; zero: the item had failed and has no result
	shown      *transcript.Transcript // its words; nil if they are not used
	spoken     *transcript.Transcript // the same before formatting
	given      bool                   // the words were supplied, not recognised
	detections []result.Detection     // in them, before redaction
}

// stands reports whether there is a result that stays if reprocessing fails.
func (b *baseline) stands() bool { return b != nil && !b.finished.IsZero() }

// republishes reports whether the words of the existing result are used, so that nothing is recognised.
func (r *request) republishes() bool { return r.baseline != nil && r.baseline.spoken != nil }

// asked returns when processing was requested.
func (r *request) asked() time.Time {
	if r.baseline != nil {
		return r.job.Created
	}
	return r.media.Created
}

// callbacks returns the requested callbacks; none if the plan is not known.
func (r *request) callbacks() []delivery.Callback {
	if r.plan == nil {
		return nil
	}
	return r.plan.Callbacks
}

// planWarnings returns the warnings about the configuration; none if the plan is not known.
func (r *request) planWarnings() []fault.Problem {
	if r.plan == nil {
		return nil
	}
	return r.plan.Warnings
}

// engine returns the name of the source of the words.
func (r *request) engine() string {
	switch {
	case r.plan == nil:
		return "unknown"
	case r.republishes():
		return "earlier"
	case r.plan.Recognition == nil:
		return "given"
	}
	return r.plan.Recognition.Engine + "/" + r.plan.Recognition.Model
}

// usage returns how much of a recording is recognised, or comes with its words; republished words count nothing.
func (r *request) usage(length time.Duration) store.Usage {
	switch {
	case r.republishes():
		return store.Usage{}
	case r.plan.Recognition == nil:
		return store.Usage{Given: length}
	}
	return store.Usage{Recognized: length}
}

// rows are the database rows of a request.
type rows struct {
	media                     media.Media
	configuration, attachment []byte
	again                     *store.Reprocessing // nil if the item is processed for the first time
	result                    store.Result        // the existing one, if the item is reprocessed
	progress                  media.Progress
}

// rowsOf reads the rows of a job's request: the item's own request, or that to reprocess it. Of a sealed item only the
// item remains.
func rowsOf(tx *store.Tx, j job.Job) (f rows, err error) {
	if f.media, err = tx.MediaByID(media.ID(j.Subject)); err != nil || f.media.Sealed {
		return f, err
	}
	if f.again, err = tx.Reprocessing(f.media.ID); err != nil {
		return f, err
	}
	if f.again == nil {
		f.configuration, f.attachment, err = tx.Request(f.media.ID)
	} else {
		f.configuration, f.attachment = f.again.Configuration, f.again.Given
		if !f.again.Finished.IsZero() {
			f.result, err = tx.Result(f.media.Account, f.media.ID)
		}
	}
	if err != nil || f.media.Status == media.Failed || f.media.Status == media.Finished {
		return f, err // an item that has ended starts again
	}
	f.progress, err = tx.Progress(f.media.Account, f.media.ID)
	if fault.Is(err, fault.NotFound) {
		err = nil
	}
	return f, err
}

// done reports whether the item is finished as requested, or cannot be read any more.
func (f *rows) done() bool {
	return f.media.Sealed || f.media.Status == media.Finished && f.again == nil
}

// request returns what is known of a request before its configuration is decoded.
func (f *rows) request(j job.Job) *request {
	r := &request{began: time.Now().UTC(), job: j, media: f.media, progress: resume(f.progress, j)}
	if f.again != nil {
		r.baseline = &baseline{finished: f.again.Finished}
	}
	return r
}

// load reads the request of a job and marks its item as running. It returns nil if nothing is left to do. If the error
// is about the configuration, it also returns a request without a plan.
func (p *Pipeline) load(ctx context.Context, j job.Job) (*request, error) {
	var f rows
	err := p.fenced(ctx, j, func(tx *store.Tx) (err error) {
		if f, err = rowsOf(tx, j); err != nil || f.done() {
			return err
		}
		f.media.Status, err = advance(tx, &f.media)
		return err
	})
	if fault.Is(err, fault.NotFound) || err == nil && f.done() {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return p.decodeRequest(j, &f)
}

// advance marks an item whose recording has arrived as running, and returns its status. An item that failed, or failed
// to be reprocessed, runs again: its job was dead and an operator has re-queued it.
func advance(tx *store.Tx, m *media.Media) (media.Status, error) {
	from := m.Status
	if from == media.Failed || from == media.Finished {
		if err := tx.SetStatus(m.ID, media.Scheduled); err != nil {
			return from, err
		}
		from = media.Scheduled
	}
	if from != media.Scheduled {
		return from, nil
	}
	return media.Running, tx.SetStatus(m.ID, media.Running)
}

// decodeRequest decodes the rows of a request. If the configuration cannot be compiled, it also returns a request
// without a plan.
func (p *Pipeline) decodeRequest(j job.Job, f *rows) (*request, error) {
	r := f.request(j)
	source, err := p.Codec.DecodeSource(f.configuration)
	if err != nil {
		return nil, unreadable(err)
	}
	if f.media.Sealing != nil {
		if r.key, err = recipient(source, f.media.Sealing); err != nil {
			return nil, err
		}
	}
	if len(f.attachment) > 0 {
		if r.attachment, err = p.Codec.DecodeTranscript(f.attachment); err != nil {
			return nil, unreadable(err)
		}
	}
	if source.Published != nil {
		if r.baseline, err = p.decodeBaseline(f, source.Published); err != nil {
			return nil, unreadable(err)
		}
	}
	r.plan, err = source.Compile(p.Environment())
	return r, err
}

// decodeBaseline decodes the words that a plan for published words starts with.
func (p *Pipeline) decodeBaseline(f *rows, about *plan.Published) (*baseline, error) {
	open, err := p.Codec.DecodeResult(f.result.Result)
	if err != nil {
		return nil, err
	}
	b := &baseline{finished: f.again.Finished, given: about.Given, shown: open.Transcript, spoken: open.Transcript,
		detections: open.Detections}
	if len(f.result.Transcript) > 0 {
		b.spoken, err = p.Codec.DecodeTranscript(f.result.Transcript)
	}
	return b, err
}

// salvage decodes what it can from the rows of a request whose configuration is damaged. An item that was to be sealed
// stays under its data key, since its public key is lost with the request, and no callbacks are sent for it.
func (p *Pipeline) salvage(j job.Job, f *rows) (*request, error) {
	r := f.request(j)
	source, err := p.Codec.DecodeSource(f.configuration)
	if err != nil {
		if err = unreadable(err); fault.Is(err, fault.Unavailable) {
			return nil, err
		}
	} else if asked, err := source.Compile(p.Environment()); err == nil {
		r.plan = asked
	}
	if f.media.Sealing == nil {
		return r, nil
	}
	if err == nil {
		r.key, err = recipient(source, f.media.Sealing)
	}
	if err != nil {
		r.plan = nil
		p.Log.Error("encrypting a failed item failed, it stays under its data key", "media", f.media.ID,
			"error", err)
	}
	return r, nil
}

// errUnreadable means that the stored request, or the words that it refers to, are damaged.
var errUnreadable = errors.New("the stored request is corrupt")

// unreadable is the error of a stored request that cannot be decoded. A request written by a newer version of the
// program waits for that version.
func unreadable(err error) error {
	if _, newer := errors.AsType[*codec.NewerError](err); newer {
		return fault.New(fault.Unavailable, fault.CodeUnavailable,
			"the stored request was written by a newer version: %w", err)
	}
	return fmt.Errorf("%w: %w", errUnreadable, err)
}

// recipient returns the public key to seal an item with: the copy that the item was accepted with, evaluated as of that
// time.
func recipient(source plan.Source, s *media.Sealing) (*seal.Key, error) {
	keys := source.Definitions.Keys
	at := slices.IndexFunc(keys, func(k plan.Key) bool { return strings.EqualFold(k.ID, s.PublicKeyID) })
	if at < 0 {
		return nil, fault.New(fault.Internal, fault.CodeInternal,
			"the stored request lacks its copy of public key %s", s.PublicKeyID)
	}
	key, err := seal.ParseKey(keys[at].Content, keys[at].Checked)
	if err != nil {
		return nil, fault.New(fault.Internal, fault.CodeInternal,
			"public key %s was accepted but cannot be used: %w", s.PublicKeyID, err)
	}
	return key, nil
}
