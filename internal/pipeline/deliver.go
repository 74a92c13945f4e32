package pipeline

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"slices"
	"time"

	"github.com/google/uuid"

	"parley/internal/audio"
	"parley/internal/fault"
	"parley/internal/media"
	"parley/internal/result"
	"parley/internal/sound"
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

// deliver makes the stream that the item is to have: the redacted one, or one in another format.
func (r *run) deliver(ctx context.Context, open *result.Open, beeps []sound.Beep) error {
	if r.plan.RedactsAudio() {
		return r.redact(ctx, open, beeps)
	}
	return r.transcode(ctx, open)
}

// transcode makes the stream in the format that the plan asks for. A recording that cannot be written in it stays
// as it came, with a warning: the transcript is what matters.
func (r *run) transcode(ctx context.Context, open *result.Open) error {
	asked := r.plan.Transcode
	if asked == nil || asked.OnlyIfRedacted {
		return nil
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
	open.Warnings = append(open.Warnings, untranscoded(why))
	return nil
}

func untranscoded(why string) fault.Problem {
	return fault.Problem{Code: fault.CodeIgnored, Message: "publish.audioTranscode: the recording stays as it came: " + why}
}

// convert writes the recording in a format, and stores it under a key of its own.
func (r *run) convert(ctx context.Context, to audio.Format) error {
	if err := r.decodedOnce(ctx); err != nil || to.Already(r.decoded) {
		return err
	}
	source, err := r.source(ctx)
	if err != nil {
		return err
	}
	file, err := r.written(ctx, source, to)
	if err != nil {
		return err
	}
	defer file.Close()
	return r.keep(ctx, source.Name, to.ContentType(), file)
}

// decodedOnce makes sure that the recording was decoded once: where the words were there before it was not.
func (r *run) decodedOnce(ctx context.Context) error {
	if r.decoded != nil {
		return nil
	}
	decoded, err := r.decode(ctx)
	if err != nil {
		return err
	}
	return decoded.Close()
}

// keep stores what a stream is to be under a key of its own; as a message, where the item is sealed.
func (r *run) keep(ctx context.Context, name, contentType string, content io.Reader) (err error) {
	if r.key != nil {
		s, err := r.sealStream(ctx, name, content)
		if err != nil {
			return err
		}
		r.sealed = append(r.sealed, s)
		if name == media.Original || !r.KeepOriginals {
			r.inside = contentType
		}
		return nil
	}
	sum := sha256.New()
	m := made{Stream: media.Stream{Name: name, Blob: name + "/" + uuid.NewString(), ContentType: contentType}}
	if m.Key, m.Size, err = r.Vault.Put(ctx, m.Blob, io.TeeReader(content, sum)); err != nil {
		return err
	}
	m.sha256 = hex.EncodeToString(sum.Sum(nil))
	r.made = &m
	return nil
}

// written is a stream in a format, as a nameless temporary file.
func (r *run) written(ctx context.Context, source media.Stream, to audio.Format) (*os.File, error) {
	path, err := r.spool(ctx, source)
	if err != nil {
		return nil, err
	}
	defer os.Remove(path)
	return r.Decoder.Transcode(ctx, path, source.ContentType, r.decoded, to)
}

// replace puts the stream that was made in its place, and has the bytes go that were there. Where something is redacted
// the original goes, too.
func (r *run) replace(tx *store.Tx) error {
	var gone []string
	if r.made != nil {
		old, err := r.exchange(tx)
		if err != nil {
			return err
		}
		gone = append(gone, old)
	}
	if r.plan.RedactsAudio() && !r.KeepOriginals {
		original, err := tx.DeleteStream(r.media.ID, media.Original)
		if err != nil {
			return err
		}
		gone = append(gone, original)
	}
	gone = slices.DeleteFunc(gone, func(key string) bool { return key == "" })
	if !r.plan.Redacts() {
		return purgeLater(tx, gone, nil)
	}
	_, err := tx.Enqueue(scrubJob(gone))
	return err
}

// exchange puts the stream that was made in the place of its namesake, whose blob it returns.
func (r *run) exchange(tx *store.Tx) (old string, err error) {
	if r.made.Name == media.Original || !r.KeepOriginals {
		if err := tx.SetOriginal(r.media.ID, r.made.ContentType, r.made.Size, r.made.sha256); err != nil {
			return "", err
		}
	}
	return tx.PutStream(r.media.ID, r.made.Stream)
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
		err = r.Vault.Blobs.Delete(ctx, key)
	}
	if err != nil {
		r.Log.WarnContext(ctx, "a blob that no row names may stay", "blob", key, "error", err)
	}
}
