package api

import (
	"context"
	"net/http"
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
	"parley/internal/words/media"
)

// standing is the current state of an item that is to be reprocessed.
type standing struct {
	media      media.Media
	streams    []media.Stream
	generation int64
	request    []byte // encoded plan.Source in force
	given      []byte // encoded transcript submitted with an item that failed
	result     store.Result
}

// postAgain reprocesses an item. With a transcript, it replaces the words of the item; without one, it repeats
// everything after recognition. The item keeps its result until the new one replaces it.
func (s *Server) postAgain(w http.ResponseWriter, r *http.Request, who caller) error {
	id, err := mediaID(r)
	if err != nil {
		return err
	}
	key, err := idempotencyKey(r)
	if err != nil {
		return err
	}
	part, end := memory.Part(r.Context())
	_, err = s.standing(part, who.Account.ID, id) // checked before a long body is read
	if end(); err != nil {
		return err
	}
	if err := s.Accepting(); err != nil {
		return err
	}
	sub, err := s.receiveDocuments(w, r)
	if err != nil {
		return err
	}
	ctx, cancel := arrived(r)
	defer cancel()
	if err := hold(ctx).take(sub.need()); err != nil {
		return err
	}
	m, err := s.acceptAgain(ctx, who, id, sub, key)
	if err != nil {
		return err
	}
	if !who.reads() {
		m.Metadata = nil
	}
	writeJSON(w, http.StatusOK, wire.NewAccepted(m))
	return nil
}

// receiveDocuments reads the body of a request that carries no media. An empty body yields an empty submission.
func (s *Server) receiveDocuments(w http.ResponseWriter, r *http.Request) (submission, error) {
	if r.ContentLength == 0 {
		return submission{}, nil
	}
	if r.ContentLength > documents {
		return submission{}, bodyFault(&http.MaxBytesError{Limit: documents})
	}
	r.Body = http.MaxBytesReader(w, r.Body, documents)
	sub, err := receive(r.Context(), r, vault.Vault{}, nil, 0, s.UploadTime)
	if err == nil && sub.MediaURL != "" {
		err = fault.New(fault.Invalid, fault.CodeMultipart,
			"part mediaUrl: the recording is here already; leave it out, or send the address to /v3/media")
	}
	return sub, err
}

// standing reads the current state of an account's item.
func (s *Server) standing(ctx context.Context, owner account.ID, id media.ID) (b standing, err error) {
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
	before, err := s.standing(ctx, owner, id)
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
		return nil, needsRead("publish.callbacks of a recording that is here already")
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
func (b standing) streamNames() []string {
	names := []string{}
	for _, s := range b.streams {
		names = append(names, s.Name)
	}
	return names
}

// ready checks whether an item can be reprocessed: it must be finished and still readable, and the audio must exist if
// it is needed.
func (b standing) ready(aligning bool) error {
	id := b.media.ID
	has := func(names ...string) bool {
		return slices.ContainsFunc(b.streamNames(), func(name string) bool { return slices.Contains(names, name) })
	}
	switch {
	case b.media.Sealing != nil:
		return conflict("media %s is encrypted for its owner once it is done, and cannot be read here then; send the "+
			"recording again to /v3/media", id)
	case !b.media.Status.Done():
		return conflict("media %s is %s and can be processed again once it has finished; GET /v3/media/%s/progress "+
			"tells how far it is", id, b.media.Status, id)
	case b.media.Status == media.Rejected || b.media.Status == media.Failed && !has(media.Original):
		return conflict("media %s is %s and its recording was never had, or is not kept any more; send it again to "+
			"/v3/media", id, b.media.Status)
	case aligning && !has(media.Original, media.RedactedAudio):
		return conflict("the recording of media %s is not kept any more, so that no transcript can be put to it; "+
			"leave out the transcript", id)
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
	ctx context.Context, owner account.ID, before standing, sub submission,
) (repetition, error) {
	metadata, metadataErr := readMetadata(ctx, sub.Metadata)
	given, givenErr := readGiven(ctx, sub.Transcript)
	p, source, planErr := s.resolveAgain(ctx, owner, before, sub, given)
	if err := together(within("metadata", metadataErr), givenErr, within("configuration", planErr)); err != nil {
		return repetition{}, err
	}
	o := repetition{metadata: metadata, plan: p, source: s.Codec.EncodeSource(source)}
	switch {
	case given != nil:
		var err error
		if o.given, err = rendered(ctx, func() []byte {
			return s.Codec.EncodeTranscript(given.Transcript)
		}); err != nil {
			return repetition{}, err
		}
	case before.media.Status == media.Failed:
		o.given = before.given
	}
	return o, nil
}

// resolveAgain checks the configuration against the words that will be available: those of the submitted transcript,
// those of the result or, for an item without a result, those available before. Without a configuration, it uses the
// one in force, with names resolved to current definitions.
func (s *Server) resolveAgain(
	ctx context.Context, owner account.ID, before standing, sub submission, given *importer.Result,
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
func (s *Server) begin(tx *store.Tx, before standing, o repetition, key string, hash []byte) (media.Media, error) {
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
		return m, conflict("media %s is processed again by another request that was quicker; wait until it has "+
			"finished", id)
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
