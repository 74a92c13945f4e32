package api

import (
	"context"
	"slices"

	"parley/internal/call/plan"
	"parley/internal/call/result"
	"parley/internal/call/wire"
	"parley/internal/flow/pipeline"
	"parley/internal/host/memory"
	"parley/internal/speech/importer"
	"parley/internal/storage/store"
	"parley/internal/storage/vault"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/list"
	"parley/internal/words/media"
)

// itemState is the current state of an item that is to be reprocessed.
type itemState struct {
	media      media.Media
	streams    []media.Stream
	generation int64
	request    []byte // encoded plan.Source in force
	given      []byte // encoded transcript submitted with an item that failed
	result     store.Result
}

// postAgain reprocesses an item. With a transcript, it replaces the words of the item; without one, it repeats
// everything after recognition. The item keeps its result until the new one replaces it.
func (s *Server) postAgain(r *request) (any, error) {
	key, err := idempotencyKey(r)
	if err != nil {
		return nil, err
	}
	part, end := memory.Part(r.Context())
	_, err = s.itemState(part, r.who.Account.ID, r.media) // checked before a long body is read
	if end(); err != nil {
		return nil, err
	}
	if err := s.Accepting(); err != nil {
		return nil, err
	}
	sub, err := s.receiveDocuments(r)
	if err != nil {
		return nil, err
	}
	ctx, cancel := arrived(r)
	defer cancel()
	if err := hold(ctx).take(sub.need()); err != nil {
		return nil, err
	}
	m, err := s.acceptAgain(ctx, r.who, r.media, sub, key)
	if err != nil {
		return nil, err
	}
	if !r.who.reads() {
		m.Metadata = nil
	}
	return wire.NewAccepted(m), nil
}

// receiveDocuments reads the body of a request that carries no media. An empty body yields an empty submission.
func (s *Server) receiveDocuments(r *request) (submission, error) {
	if r.ContentLength == 0 {
		return submission{}, nil
	}
	sub, err := s.receive(r, vault.Vault{}, 0)
	if err == nil && sub.MediaURL != "" {
		err = fault.New(fault.Invalid, fault.CodeMultipart,
			"part mediaUrl: the item already has a recording; leave the part out, or send the address to /v3/media")
	}
	return sub, err
}

// itemState reads the current state of an account's item.
func (s *Server) itemState(ctx context.Context, owner account.ID, id media.ID) (b itemState, err error) {
	err = s.Store.View(ctx, func(tx *store.Tx) (err error) {
		if b.media, err = tx.Media(owner, id); err != nil || b.media.Sealing != nil {
			return err // a sealed item has nothing else to read
		}
		if b.generation, err = tx.Generation(id); err != nil {
			return err
		}
		if b.streams, err = tx.Kept(id); err != nil {
			return err
		}
		if b.request, b.given, err = tx.Request(id); err != nil {
			return err
		}
		b.result, err = tx.Result(owner, id)
		if fault.Is(err, fault.NotFound) {
			err = nil // there is no result
		}
		return err
	})
	return b, err
}

// acceptAgain checks a reprocessing request and commits it together with its job.
func (s *Server) acceptAgain(
	ctx context.Context, who caller, id media.ID, sub submission, key string,
) (*media.Media, error) {
	owner := who.Account.ID
	before, err := s.itemState(ctx, owner, id)
	if err != nil {
		return nil, err
	}
	hash := append(sub.hash(), id...)
	var m media.Media
	repeated := false
	if key != "" {
		err := s.Store.View(ctx, func(tx *store.Tx) (err error) {
			_, repeated, err = tx.KeyUsed(owner, key, hash)
			return err
		})
		if err != nil || repeated {
			return &before.media, err
		}
	}
	if err := before.ready(len(sub.Transcript) > 0); err != nil {
		return nil, err
	}
	o, err := s.checkAgain(ctx, owner, before, sub)
	if err != nil {
		return nil, err
	}
	// an upload is known to its sender, but a stored recording may not be
	if len(sub.Configuration) > 0 && len(o.plan.Callbacks) > 0 && !who.reads() {
		return nil, needsRead("publish.callbacks of an existing recording")
	}
	err = s.Store.Update(ctx, func(tx *store.Tx) (err error) {
		m, err = s.begin(tx, before, o, key, hash)
		return err
	})
	if ctx.Err() != nil && err != nil {
		err = fault.New(fault.Unavailable, fault.CodeUnavailable, "the database does not answer: %w", err)
	}
	if err == nil {
		s.accepted(ctx, &m, sub, true)
	}
	return &m, err
}

// streamNames returns the names of the item's streams, if any.
func (b itemState) streamNames() []string {
	return list.Map(b.streams, func(s media.Stream) string { return s.Name })
}

// ready checks whether an item can be reprocessed: it must be finished and still readable, and the audio must exist if
// it is needed.
func (b itemState) ready(aligning bool) error {
	id := b.media.ID
	has := func(names ...string) bool {
		return slices.ContainsFunc(b.streamNames(), func(name string) bool { return slices.Contains(names, name) })
	}
	switch {
	case b.media.Sealing != nil:
		return conflict("media %s was sent to be encrypted and cannot be processed again; send the recording again to "+
			"/v3/media", id)
	case !b.media.Status.Done():
		return conflict("media %s is %s; process it again after it has finished, see GET /v3/media/%s/progress",
			id, b.media.Status, id)
	case b.media.Status == media.Rejected || b.media.Status == media.Failed && !has(media.Original):
		return conflict("media %s is %s and its recording is not stored; send the recording again to /v3/media",
			id, b.media.Status)
	case aligning && !has(media.Original, media.RedactedAudio):
		return conflict("the recording of media %s is no longer stored, so a transcript cannot be aligned with it; leave "+
			"out the transcript", id)
	}
	return nil
}

func conflict(format string, args ...any) error {
	return fault.New(fault.Conflict, fault.CodeConflict, format, args...)
}

// repetition is a validated reprocessing request.
type repetition struct {
	metadata *media.Metadata // nil: unchanged
	plan     *plan.Plan
	source   []byte // encoded plan.Source
	given    []byte // encoded transcript; nil without one
}

// checkAgain validates a reprocessing request and reports all problems together.
func (s *Server) checkAgain(
	ctx context.Context, owner account.ID, before itemState, sub submission,
) (repetition, error) {
	metadata, metadataErr := readMetadata(ctx, sub.Metadata)
	given, givenErr := readGiven(ctx, sub.Transcript)
	p, source, planErr := s.resolveAgain(ctx, owner, before, sub, given)
	if err := together(within("metadata", metadataErr), givenErr, within("configuration", planErr)); err != nil {
		return repetition{}, err
	}
	encoded, err := s.encodeGiven(ctx, given)
	if given == nil && before.media.Status == media.Failed {
		encoded = before.given
	}
	return repetition{metadata: metadata, plan: p, source: s.Codec.EncodeSource(source), given: encoded}, err
}

// resolveAgain checks the configuration against the words that will be available: those of the submitted transcript,
// those of the result or, for an item without a result, those available before. Without a configuration, it uses the
// one in force, with names resolved to current definitions.
func (s *Server) resolveAgain(
	ctx context.Context, owner account.ID, before itemState, sub submission, given *importer.Result,
) (*plan.Plan, plan.Source, error) {
	earlier, err := s.Codec.DecodeSource(before.request)
	if err != nil {
		return nil, plan.Source{}, err
	}
	env := s.Environment()
	env.TimeToLive, env.Clear, env.Streams = before.media.TimeToLive, true, before.streamNames()
	if len(sub.Configuration) == 0 {
		sub.Configuration, env.Kept, env.Accepted = earlier.Configuration, true, true
	}
	switch {
	case len(sub.Transcript) > 0:
		env.WordsGiven = given == nil || given.Timed // see resolve
		env.TextGiven = given != nil && !given.Timed
	case before.result.Result != nil:
		if env.Published, err = s.published(ctx, before.result, earlier); err != nil {
			return nil, plan.Source{}, err
		}
	default:
		env.WordsGiven, env.TextGiven = earlier.WordsGiven, earlier.TextGiven
	}
	return s.resolveFor(ctx, owner, sub.Configuration, env)
}

// published describes the words of a result and the request that produced it.
func (s *Server) published(ctx context.Context, kept store.Result, earlier plan.Source) (*plan.Published, error) {
	part, end := memory.Part(ctx)
	defer end()
	open, err := work(part, func() (*result.Open, error) {
		return s.Codec.DecodeResultWithin(kept.Result, memory.Counter(part))
	})
	if err != nil {
		return nil, err
	}
	given := earlier.WordsGiven || earlier.TextGiven || earlier.Published != nil && earlier.Published.Given
	return &plan.Published{Language: open.Transcript.Language, Given: given}, nil
}

// begin writes a reprocessing request in one transaction with its job and its idempotency key. Metadata, priority and
// time to live take effect immediately; everything else waits for the result.
func (s *Server) begin(tx *store.Tx, before itemState, o repetition, key string, hash []byte) (media.Media, error) {
	owner, id := before.media.Account, before.media.ID
	m, err := tx.LockMedia(owner, id)
	if err != nil {
		return m, err
	}
	if key != "" {
		if _, repeated, err := tx.KeyUsed(owner, key, hash); err != nil || repeated {
			return m, err // a duplicate request was faster
		}
	}
	generation, err := tx.Generation(id)
	if err != nil {
		return m, err
	}
	if generation != before.generation || m.Status != before.media.Status {
		return m, conflict("media %s is already processed again for another request; wait until it has finished", id)
	}
	if key != "" {
		if _, err := tx.RememberKey(owner, key, hash, id); err != nil {
			return m, err
		}
	}
	return s.write(tx, m, o)
}

// write writes the rows of a reprocessing request.
func (s *Server) write(tx *store.Tx, m media.Media, o repetition) (media.Media, error) {
	if o.metadata != nil {
		if _, err := tx.SetMetadata(m.Account, m.ID, o.metadata, 0); err != nil {
			return m, err
		}
		m.Metadata = o.metadata
	}
	if err := tx.BeginReprocessing(m, pipeline.KindProcess, o.source, o.given); err != nil {
		return m, err
	}
	// an existing result and its streams stay visible until there is a new result
	if m.Status == media.Failed && o.plan.Redacts() {
		if err := tx.SetWithheld(m.ID, true); err != nil {
			return m, err
		}
	}
	if err := tx.SetPriority(m.ID, o.plan.Priority); err != nil {
		return m, err
	}
	if err := tx.SetTimeToLive(m.ID, o.plan.TimeToLive); err != nil {
		return m, err
	}
	if err := tx.UseClassifiers(m.Account, m.ID, trainedModels(o.plan)); err != nil {
		return m, err
	}
	m.Status, m.Priority = media.Accepted, o.plan.Priority
	job, err := tx.Enqueue(pipeline.ProcessJob(&m))
	if err != nil {
		return m, err
	}
	return m, tx.SetProgress(m.ID, media.NewProgress(string(job)))
}
