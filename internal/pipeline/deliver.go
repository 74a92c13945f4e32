package pipeline

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"time"

	"github.com/google/uuid"

	"parley/internal/audio"
	"parley/internal/fault"
	"parley/internal/media"
	"parley/internal/result"
	"parley/internal/store"
)

// Settle is the longest time between the end of storing a blob and the commit of the row that names it. A blob
// that is older and that no row names belongs to nobody: its writer has died.
const Settle = 30 * time.Minute

// made is a stream in another format that waits for publication.
type made struct {
	media.Stream
	sha256 string
}

// transcode makes the stream in the format that the plan asks for. A recording that cannot be written in it stays
// as it came, with a warning: the transcript is what matters. Here is the place of redacted audio, too: with
// OnlyIfRedacted that alone is written in the format.
func (r *run) transcode(ctx context.Context, open *result.Open) error {
	asked := r.plan.Transcode
	if asked == nil || asked.OnlyIfRedacted {
		return nil // there is no redaction here yet
	}
	r.steps.start(ctx, media.StepPublish)
	err := r.convert(ctx, audio.Format{File: asked.Format, Codec: asked.Codec})
	if err == nil || ctx.Err() != nil || fault.Is(err, fault.Unavailable) {
		return err
	}
	r.Log.WarnContext(ctx, "cannot transcode", "media", r.media.ID, "error", err)
	why := "the server's log says why"
	if fault.Is(err, fault.Unsupported) {
		why = err.Error()
	}
	open.Warnings = append(open.Warnings, fault.Problem{Code: fault.CodeIgnored, Message: "publish.audioTranscode: the recording stays as it came: " + why})
	return nil
}

// convert writes the original in a format, and stores it under a key of its own.
func (r *run) convert(ctx context.Context, to audio.Format) error {
	if r.decoded == nil { // the words were there before
		decoded, err := r.decode(ctx)
		if err != nil {
			return err
		}
		decoded.Close()
	}
	if to.Already(r.decoded) {
		return nil
	}
	file, err := r.written(ctx, to)
	if err != nil {
		return err
	}
	defer file.Close()
	sum := sha256.New()
	m := made{Stream: media.Stream{Name: media.Original, Blob: media.Original + "/" + uuid.NewString(), ContentType: to.ContentType()}}
	if m.Size, err = r.Blobs.Put(ctx, m.Blob, io.TeeReader(file, sum)); err != nil {
		return err
	}
	m.sha256 = hex.EncodeToString(sum.Sum(nil))
	r.made = &m
	return nil
}

// written is the original in a format, as a nameless temporary file.
func (r *run) written(ctx context.Context, to audio.Format) (*os.File, error) {
	path, contentType, err := r.spoolOriginal(ctx)
	if err != nil {
		return nil, err
	}
	defer os.Remove(path)
	return r.Decoder.Transcode(ctx, path, contentType, r.decoded, to)
}

// replace puts the stream in the asked format in the place of the original, whose bytes go.
func (r *run) replace(tx *store.Tx) error {
	if r.made == nil {
		return nil
	}
	if err := tx.SetOriginal(r.media.ID, r.made.ContentType, r.made.Size, r.made.sha256); err != nil {
		return err
	}
	old, err := tx.PutStream(r.media.ID, r.made.Stream)
	if old == "" {
		return err
	}
	return purgeLater(tx, []string{old}, err)
}

// discard deletes a blob whose row could not be committed, unless it was all the same, or nobody can tell now: then
// it stays, for doctor to find.
func (r *run) discard(ctx context.Context, key string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	var named map[string]bool
	err := r.Store.View(ctx, func(tx *store.Tx) (err error) {
		named, err = tx.NamedBlobs([]string{key})
		return err
	})
	if err == nil && !named[key] {
		err = r.Blobs.Delete(ctx, key)
	}
	if err != nil {
		r.Log.WarnContext(ctx, "a blob that no row names may stay", "blob", key, "error", err)
	}
}
