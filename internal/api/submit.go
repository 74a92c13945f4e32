package api

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"

	"github.com/google/uuid"

	"parley/internal/account"
	"parley/internal/fault"
	"parley/internal/media"
	"parley/internal/pipeline"
	"parley/internal/plan"
	"parley/internal/store"
	"parley/internal/wire"
)

// documents is room for the parts of an upload that are not media.
const documents = maxTranscript + 4*maxDocument

// newOriginal returns the blob key of a new upload. It is not the media id: that is minted by the
// transaction that accepts the upload.
func newOriginal() string { return "original/" + uuid.NewString() }

// postMedia accepts a recording: its bytes are durable, and so are metadata, configuration and the job,
// before the answer is sent.
func (s *Server) postMedia(w http.ResponseWriter, r *http.Request, who caller) error {
	if _, err := readQuery(r); err != nil {
		return err
	}
	r.Body = http.MaxBytesReader(w, r.Body, s.MaxUpload+documents)
	if err := s.Accepting(); err != nil {
		return err
	}
	sub, err := receive(r.Context(), r, s.Blobs, newOriginal)
	if err != nil {
		return err
	}
	m, kept, err := s.accept(r.Context(), who.Account.ID, sub, r.Header.Get("Idempotency-Key"))
	if sub.Media != nil && !kept {
		s.Blobs.Delete(context.WithoutCancel(r.Context()), sub.Media.Key) // what stays is the sweeper's
	}
	if err != nil {
		return err
	}
	if kept {
		m.Status = media.Accepted // what was done, whatever a quick worker has made of it since
	}
	writeJSON(w, http.StatusOK, wire.NewAccepted(m))
	return nil
}

// order is a submission that has been checked.
type order struct {
	media  media.Media
	stream *media.Stream // nil with a mediaUrl
	source []byte        // record of a plan.Source
}

// accept checks a submission and makes it durable. kept is whether the upload's bytes now belong to the
// item; they do not when an earlier request with the same Idempotency-Key made it.
func (s *Server) accept(ctx context.Context, owner account.ID, sub submission, idempotency string) (m *media.Media, kept bool, err error) {
	o, err := s.check(owner, sub)
	if err != nil {
		return nil, false, err
	}
	err = s.Store.Update(ctx, func(tx *store.Tx) (err error) {
		m, kept, err = s.insert(tx, owner, o, idempotency, sub.hash())
		return err
	})
	return m, kept && err == nil, err
}

// insert writes the rows of an order, in one transaction with its job and its idempotency key.
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
	if m, err = tx.InsertMedia(m, o.source, nil); err != nil {
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

// check finds everything that is wrong with a submission, and says it at once.
func (s *Server) check(owner account.ID, sub submission) (order, error) {
	var problems []fault.Problem
	note := func(err error) error {
		if err != nil && !fault.Is(err, fault.Invalid) {
			return err
		}
		if err != nil {
			problems = append(problems, fault.ProblemsOf(err)...)
		}
		return nil
	}
	metadata, metadataErr := media.ParseMetadata(sub.Metadata)
	p, source, planErr := s.resolve(sub)
	for _, err := range []error{s.checkMedia(sub), metadataErr, planErr} {
		if err := note(err); err != nil {
			return order{}, err
		}
	}
	if len(problems) > 0 {
		return order{}, fault.All(fault.Invalid, problems)
	}
	o := order{media: media.Media{
		Account: owner, Status: media.Accepted, SourceURL: sub.MediaURL, Metadata: metadata,
		Priority: p.Priority, TimeToLive: p.TimeToLive, Warnings: p.Warnings,
	}, source: s.Codec.EncodeSource(source)}
	if u := sub.Media; u != nil {
		o.media.Status, o.media.ContentType, o.media.Size, o.media.SHA256 = media.Scheduled, u.ContentType, u.Size, u.SHA256
		o.stream = &media.Stream{Name: media.Original, Blob: u.Key, ContentType: u.ContentType, Size: u.Size}
	}
	return o, nil
}

// checkMedia makes sure that there is exactly one source of words or sound.
func (s *Server) checkMedia(sub submission) error {
	switch {
	case len(sub.Transcript) > 0:
		return fault.New(fault.Invalid, fault.CodeNotBuilt, "part transcript: this version recognises speech itself and takes no transcripts; leave the part out")
	case sub.Media != nil && sub.MediaURL != "":
		return fault.New(fault.Invalid, fault.CodeNoMedia, "both media and mediaUrl; send one of them")
	case sub.Media == nil && sub.MediaURL == "":
		return fault.New(fault.Invalid, fault.CodeNoMedia, "neither media nor mediaUrl; send the recording as part media, or its address as part mediaUrl")
	case sub.Media != nil && sub.Media.Size > s.MaxUpload:
		return fault.New(fault.TooLarge, fault.CodeTooLarge, "the media has %d bytes; this server takes at most %d", sub.Media.Size, s.MaxUpload)
	case sub.MediaURL != "":
		return s.CheckURL(sub.MediaURL)
	}
	return nil
}

// resolve checks the configuration against what this server can do.
func (s *Server) resolve(sub submission) (*plan.Plan, plan.Source, error) {
	request, err := plan.Parse(sub.Configuration)
	if err != nil {
		return nil, plan.Source{}, err
	}
	env, err := s.Environment()
	if err != nil {
		return nil, plan.Source{}, fmt.Errorf("what this server can do: %w", err)
	}
	p, err := plan.Resolve(request, env)
	return p, plan.NewSource(sub.Configuration, env), err
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
