package api

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"parley/internal/call/plan"
	"parley/internal/call/wire"
	"parley/internal/flow/pipeline"
	"parley/internal/speech/importer"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
	"parley/internal/words/media"
	"parley/internal/words/storable"
)

// documents is the allowance in bytes for the parts of an upload other than media.
const documents = 64 << 20

// Limits of accepting a submission.
const (
	acceptTime        = 30 * time.Second
	maxIdempotencyKey = 255 // bytes
)

// receiveMedia reads the body of a submission, within the size limits of this server.
func (s *Server) receiveMedia(r *request) (submission, error) {
	sub, err := s.receive(r, s.Vault, s.MaxUpload)
	if err == nil && sub.Media != nil && sub.Media.stale() {
		s.discard(r.Context(), sub)
		return submission{}, fault.New(fault.Invalid, fault.CodeTimeout,
			"the parts after the recording took longer than %s; send them before the recording", pipeline.Settle)
	}
	return sub, err
}

// stale reports whether the bytes were stored so long ago that the row that names them might be committed later than
// pipeline.Settle. It uses the wall clock, which advances while a machine sleeps.
func (u *upload) stale() bool {
	return time.Now().Round(0).Sub(u.Stored.Round(0)) > pipeline.Settle-acceptTime
}

// idempotencyKey reads the Idempotency-Key header.
func idempotencyKey(r *request) (string, error) {
	key := r.Header.Get("Idempotency-Key")
	if len(key) > maxIdempotencyKey {
		return "", fault.New(fault.Invalid, fault.CodeIdempotency,
			"the Idempotency-Key has %d bytes; use at most %d", len(key), maxIdempotencyKey)
	}
	if !storable.Text(key) {
		return "", fault.New(fault.Invalid, fault.CodeIdempotency,
			"the Idempotency-Key is not UTF-8; use letters, digits and hyphens")
	}
	return key, nil
}

// postMedia accepts a recording. Its bytes, its metadata, its configuration and the job are durable before the answer
// is sent.
func (s *Server) postMedia(r *request) (any, error) {
	key, err := idempotencyKey(r)
	if err != nil {
		return nil, err
	}
	if err := s.Accepting(); err != nil {
		return nil, err
	}
	if err := s.Store.View(r.Context(), func(tx *store.Tx) error {
		return s.roomToStore(r.Context(), tx, r.who.Account, max(r.ContentLength-documents, 1))
	}); err != nil {
		return nil, err
	}
	sub, err := s.receiveMedia(r)
	if err != nil {
		return nil, err
	}
	ctx, cancel := arrived(r)
	defer cancel()
	if err := hold(ctx).take(sub.need()); err != nil {
		s.discard(ctx, sub)
		return nil, err
	}
	m, kept, err := s.accept(ctx, r.who.Account, sub, key)
	if !kept {
		s.discard(ctx, sub)
	}
	if err != nil {
		return nil, err
	}
	switch {
	case kept:
		s.accepted(ctx, m, sub, false)
		m.Status = media.Accepted // the outcome of this request, even if a worker has already changed the state
	case !r.who.reads():
		m.Metadata = nil // another request may have changed it since
	}
	return wire.NewAccepted(m), nil
}

// discard deletes the recording of a submission that creates no item.
func (s *Server) discard(ctx context.Context, sub submission) {
	if sub.Media != nil {
		s.Vault.Blobs.Delete(context.WithoutCancel(ctx), sub.Media.Blob)
	}
}

// arrived returns the context for work after a request has arrived completely: it continues even if the client
// disconnects.
func arrived(r *request) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(r.Context()), acceptTime)
}

// order is a validated submission.
type order struct {
	media  media.Media
	stream *media.Stream // nil for a mediaUrl
	source []byte        // encoded plan.Source
	given  []byte        // encoded transcript that came with it; nil without one
	models []store.ModelID
}

// accept validates a submission and makes it durable. kept reports whether an item refers, or may refer, to the
// uploaded bytes; it is false if an earlier request with the same Idempotency-Key created the item.
func (s *Server) accept(
	ctx context.Context, owner account.Account, sub submission, idempotency string,
) (m *media.Media, kept bool, err error) {
	o, err := s.check(ctx, owner.ID, sub)
	if err != nil {
		return nil, false, err
	}
	err = s.Store.Update(ctx, func(tx *store.Tx) (err error) {
		if m, kept, err = s.insert(tx, owner.ID, o, idempotency, sub.hash()); err != nil {
			return err
		}
		visitOf(ctx).setResource(m.ID, "")
		if kept {
			return s.roomToStore(ctx, tx, owner, 0)
		}
		return nil
	})
	if err != nil && kept {
		kept, err = s.committed(ctx, m, err)
	}
	if ctx.Err() != nil && err != nil {
		err = fault.New(fault.Unavailable, fault.CodeUnavailable, "the database does not answer: %w", err)
	}
	return m, kept, err
}

// committed finds out whether an item exists after its transaction failed only in the commit: the confirmation may have
// been lost rather than the commit. As long as the outcome is unknown, the bytes are kept.
func (s *Server) committed(ctx context.Context, m *media.Media, cause error) (kept bool, err error) {
	err = s.Store.View(ctx, func(tx *store.Tx) error {
		_, err := tx.Media(m.Account, m.ID)
		return err
	})
	if err == nil {
		return true, nil
	}
	return !fault.Is(err, fault.NotFound), cause
}

// insert writes the rows of an order in one transaction with its job and its idempotency key.
func (s *Server) insert(tx *store.Tx, owner account.ID, o order, key string, hash []byte) (*media.Media, bool, error) {
	m := o.media
	var err error
	if m.ID, err = media.NewID(); err != nil {
		return nil, false, err
	}
	if key != "" {
		first, err := tx.RememberKey(owner, key, hash, m.ID)
		if err != nil {
			return nil, false, err
		}
		if first != m.ID {
			earlier, err := tx.Media(owner, first)
			return &earlier, false, err
		}
	}
	if m, err = tx.InsertMedia(m, o.source, o.given); err != nil {
		return nil, false, err
	}
	if err := tx.UseClassifiers(owner, m.ID, o.models); err != nil {
		return nil, false, err
	}
	if o.stream != nil {
		if _, err := tx.PutStream(m.ID, *o.stream); err != nil {
			return nil, false, err
		}
	}
	id, err := tx.Enqueue(pipeline.ProcessJob(&m))
	if err != nil {
		return nil, false, err
	}
	return &m, true, tx.SetProgress(m.ID, media.NewProgress(string(id)))
}

// check validates a submission and reports all problems together.
func (s *Server) check(ctx context.Context, owner account.ID, sub submission) (order, error) {
	metadata, metadataErr := readMetadata(ctx, sub.Metadata)
	given, givenErr := readGiven(ctx, sub.Transcript)
	p, source, planErr := s.resolve(ctx, owner, sub, given)
	if err := together(s.checkMedia(sub), within("metadata", metadataErr), givenErr,
		within("configuration", planErr)); err != nil {
		return order{}, err
	}
	o := order{media: media.Media{
		Account: owner, Status: media.Accepted, SourceURL: sub.MediaURL, Metadata: metadata,
		Priority: p.Priority, TimeToLive: p.TimeToLive, Warnings: p.Warnings,
	}, source: s.Codec.EncodeSource(source), models: trainedModels(p)}
	if p.Sealing != nil {
		o.media.Sealing = &media.Sealing{PublicKeyID: p.Sealing.ID, PublicKeyHash: p.Sealing.Hash}
	}
	if u := sub.Media; u != nil {
		o.media.Status, o.media.ContentType, o.media.Size, o.media.SHA256 = media.Scheduled, u.ContentType, u.Size,
			u.SHA256
		o.stream = &media.Stream{Name: media.Original, Blob: u.Blob, Key: u.Key, ContentType: u.ContentType,
			Size: u.Size, Withheld: p.Redacts()}
	}
	var err error
	o.given, err = s.encodeGiven(ctx, given)
	return o, err
}

// encodeGiven encodes a transcript that came with a recording for storage; nil without one.
func (s *Server) encodeGiven(ctx context.Context, given *importer.Result) ([]byte, error) {
	if given == nil {
		return nil, nil
	}
	return rendered(ctx, func() []byte { return s.Codec.EncodeTranscript(given.Transcript) })
}

// together returns the first error that is not a problem of the request; otherwise it combines all problems in one
// error.
func together(errs ...error) error {
	var problems []fault.Problem
	for _, err := range errs {
		if err != nil && !fault.Is(err, fault.Invalid) {
			return err
		}
		if err != nil {
			problems = append(problems, fault.ProblemsOf(err)...)
		}
	}
	return fault.All(fault.Invalid, problems)
}

// within adds the name of the part to an error.
func within(part string, err error) error {
	if !fault.Is(err, fault.Invalid) {
		return err
	}
	return fault.All(fault.Invalid, jsondoc.Within(part, fault.ProblemsOf(err)))
}

// checkMedia makes sure that there is exactly one source of audio.
func (s *Server) checkMedia(sub submission) error {
	switch {
	case sub.Media != nil && sub.MediaURL != "":
		return fault.New(fault.Invalid, fault.CodeNoMedia, "both media and mediaUrl are sent; send one of them")
	case sub.Media == nil && sub.MediaURL == "":
		return fault.New(fault.Invalid, fault.CodeNoMedia,
			"neither media nor mediaUrl is sent; send the recording as part media, or its address as part mediaUrl")
	case sub.Media != nil && sub.Media.Size == 0:
		return fault.New(fault.Invalid, fault.CodeMediaUnreadable,
			"the media in part %q is empty; send the recording's bytes", sub.Media.Part)
	case sub.MediaURL != "":
		return s.checkURL(sub.MediaURL)
	}
	return nil
}

// checkURL adds the name of the part to errors about a URL.
func (s *Server) checkURL(address string) error {
	err := s.CheckURL(address)
	if fault.Is(err, fault.Invalid) {
		return fault.New(fault.Invalid, fault.CodeMediaURLMalformed,
			"mediaUrl: %w; send a public http or https address", err)
	}
	return err
}

// readGiven parses the part transcript; it returns nil without one.
func readGiven(ctx context.Context, part []byte) (*importer.Result, error) {
	if len(part) == 0 {
		return nil, nil
	}
	return work(ctx, func() (*importer.Result, error) { return importer.Parse(part) })
}

func readMetadata(ctx context.Context, part []byte) (*media.Metadata, error) {
	return work(ctx, func() (*media.Metadata, error) { return media.ParseMetadata(part) })
}

// resolve checks the configuration against the capabilities of this server, the definitions of the account, and the
// transcript that came with it.
func (s *Server) resolve(
	ctx context.Context, owner account.ID, sub submission, given *importer.Result,
) (*plan.Plan, plan.Source, error) {
	env := s.Environment()
	// A transcript that cannot be parsed also counts as supplied words, which need no engine.
	env.WordsGiven = len(sub.Transcript) > 0 && (given == nil || given.Timed)
	env.TextGiven = given != nil && !given.Timed
	if err := s.retention(ctx, owner, &env); err != nil {
		return nil, plan.Source{}, err
	}
	return s.resolveFor(ctx, owner, sub.Configuration, env)
}

// resolveFor checks a configuration against an environment and the definitions of the account.
func (s *Server) resolveFor(
	ctx context.Context, owner account.ID, configuration []byte, env plan.Environment,
) (*plan.Plan, plan.Source, error) {
	request, err := work(ctx, func() (*plan.Request, error) { return plan.Parse(configuration) })
	if err != nil {
		return nil, plan.Source{}, err
	}
	if env.Definitions, err = s.definitions(ctx, owner, request.References()); err != nil {
		return nil, plan.Source{}, err
	}
	p, err := work(ctx, func() (*plan.Plan, error) { return plan.Resolve(request, env) })
	return p, plan.NewSource(configuration, env), err
}

// retention sets the time to live of media whose configuration has none: the account's default, otherwise the server's.
func (s *Server) retention(ctx context.Context, owner account.ID, env *plan.Environment) error {
	return s.Store.View(ctx, func(tx *store.Tx) error {
		own, err := tx.Retention(owner)
		if own != nil {
			env.TimeToLive = *own
		}
		return err
	})
}

// hash identifies a submission for Idempotency-Key.
func (sub submission) hash() []byte {
	h := sha256.New()
	sum := ""
	if sub.Media != nil {
		sum = sub.Media.SHA256
	}
	for _, part := range [][]byte{[]byte(sum), []byte(sub.MediaURL), sub.Configuration, sub.Metadata, sub.Transcript} {
		fmt.Fprintf(h, "%d:", len(part))
		h.Write(part)
	}
	return h.Sum(nil)
}
