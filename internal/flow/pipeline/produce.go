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

	"parley/internal/call/plan"
	"parley/internal/flow/seal"
	"parley/internal/speech/audio"
	"parley/internal/storage/store"
	"parley/internal/storage/vault"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// Settle is the longest time between storing a blob and committing the row that names it. An older blob that no row
// names is an orphan: its writer has died.
const Settle = 30 * time.Minute

// streams is the output of produce: the findings of a recording, and the stream made from it.
type streams struct {
	*analysis
	product  *product        // nil if the streams are unchanged
	peaks    *media.Stream   // the waveform, stored, but no row names it yet; nil if it is unchanged
	warnings []fault.Problem // about the product
}

// product is a stream made from the recording. It is stored, but no row names it yet.
type product struct {
	name        string // name of the stream
	contentType string // type of its content, even if that is stored as a message
	stored      media.Stream
	sha256      string // of its content; empty if it is stored as a message
}

// produce makes the stream that the item is to have: a redacted one, or one in another format.
func (a *attempt) produce(ctx context.Context, f *analysis) (*streams, error) {
	write := a.transcode
	if f.plan.RedactsAudio() {
		write = a.redact
	}
	made, warnings, err := write(ctx, f)
	if err != nil {
		return nil, err
	}
	peaks, err := a.peaks(ctx, f, made)
	if err != nil {
		if made != nil {
			a.discard(ctx, made.stored.Blob)
		}
		return nil, err
	}
	return &streams{f, made, peaks, warnings}, nil
}

// transcode makes the stream in the format that the plan asks for. A recording that cannot be encoded in it keeps its
// format, with a warning: the transcript matters more.
func (a *attempt) transcode(ctx context.Context, f *analysis) (*product, []fault.Problem, error) {
	asked := f.plan.Transcode
	if asked == nil || asked.OnlyIfRedacted {
		return nil, nil, nil
	}
	a.steps.start(ctx, media.StepPublish)
	made, err := a.convert(ctx, f, audio.Format{File: asked.Format, Codec: asked.Codec})
	if err == nil || ctx.Err() != nil || fault.Is(err, fault.Unavailable) {
		return made, nil, err
	}
	a.Log.WarnContext(ctx, "transcoding failed", "media", a.media, "error", err)
	why := "transcoding failed; see the server's log"
	if fault.Is(err, fault.Unsupported) {
		why = err.Error()
	}
	return nil, untranscoded(why), nil
}

func untranscoded(why string) []fault.Problem {
	return []fault.Problem{{
		Code: fault.CodeIgnored, Message: "publish.audioTranscode: the recording keeps its format: " + why,
	}}
}

// convert encodes the recording in a format and stores it; it does nothing if the recording already has that format.
func (a *attempt) convert(ctx context.Context, f *analysis, to audio.Format) (*product, error) {
	decoded, err := a.decodedOnce(ctx, f)
	if err != nil || to.Already(decoded) {
		return nil, err
	}
	path, source, err := a.spoolSource(ctx)
	if err != nil {
		return nil, err
	}
	file, err := a.Decoder.Transcode(ctx, path, source.ContentType, decoded, to)
	os.Remove(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return a.store(ctx, f.key, source.Name, to.ContentType(), file)
}

// redact makes the stream with the beeps, even if nothing was detected. If it cannot be made, nothing is published:
// what cannot be hidden must not be shown.
func (a *attempt) redact(ctx context.Context, f *analysis) (*product, []fault.Problem, error) {
	a.steps.start(ctx, media.StepPublish)
	beeps := f.concealed.Beeps
	source, err := a.source(ctx)
	if err != nil || source.Name == media.RedactedAudio && len(beeps) == 0 && f.plan.Transcode == nil {
		return nil, nil, err
	}
	decoded, err := a.decodedOnce(ctx, f)
	if err != nil {
		return nil, nil, err
	}
	to, warnings := format(f.plan.Transcode, decoded)
	path, err := a.spool(ctx, source)
	if err != nil {
		return nil, nil, err
	}
	defer os.Remove(path)
	var file io.ReadCloser
	contentType := source.ContentType
	if len(beeps) == 0 && (to == nil || to.Already(decoded)) {
		file, err = os.Open(path)
	} else {
		file, contentType, err = a.Decoder.Redact(ctx, path, contentType, decoded, beeps, to)
	}
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	made, err := a.store(ctx, f.key, media.RedactedAudio, contentType, file)
	return made, warnings, err
}

// format returns the format for a redacted recording; nil to keep its own, also if the recording has more channels than
// the requested format supports.
func format(asked *plan.Transcode, d *audio.Decoded) (*audio.Format, []fault.Problem) {
	if asked == nil {
		return nil, nil
	}
	to := audio.Format{File: asked.Format, Codec: asked.Codec}
	if err := to.Takes(d); err != nil {
		return nil, untranscoded(err.Error())
	}
	return &to, nil
}

// decodedOnce returns the decoded recording, with its samples freed. It decodes the recording if that was not needed before.
func (a *attempt) decodedOnce(ctx context.Context, f *analysis) (*audio.Decoded, error) {
	if f.decoded != nil {
		return f.decoded, nil
	}
	decoded, err := a.decode(ctx)
	if err != nil {
		return nil, err
	}
	return decoded, decoded.Free()
}

// store stores the content of a stream under a new key; as an encrypted message if the item is to be sealed.
func (p *Pipeline) store(
	ctx context.Context, key *seal.Key, name, contentType string, content io.Reader,
) (*product, error) {
	if key != nil {
		message, err := p.storeMessage(ctx, key, name, content)
		return &product{name: name, contentType: contentType, stored: message}, err
	}
	sum := sha256.New()
	s, err := p.put(ctx, name, contentType, io.TeeReader(content, sum))
	return &product{name, contentType, s, hex.EncodeToString(sum.Sum(nil))}, err
}

// put stores a stream that no row names yet, under a new key.
func (p *Pipeline) put(ctx context.Context, name, contentType string, content io.Reader) (s media.Stream, err error) {
	s = media.Stream{Name: name, Blob: name + "/" + uuid.NewString(), ContentType: contentType}
	s.Key, s.Size, err = p.Vault.Put(ctx, s.Blob, content)
	return s, err
}

// main reports whether a stream is the one that describes the item.
func (p *Pipeline) main(stream string) bool { return stream == media.Original || !p.KeepOriginals }

// replace puts a product in place and schedules the old blobs for deletion. If something was redacted, the original is
// deleted too. So is what was derived from a recording that is not played any more; peaks is the new waveform, if any.
func (p *Pipeline) replace(tx *store.Tx, id media.ID, asked *plan.Plan, made *product, peaks *media.Stream) error {
	var old, original string
	var err error
	if made != nil {
		if old, err = p.exchange(tx, id, made); err != nil {
			return err
		}
	}
	if asked.RedactsAudio() && !p.KeepOriginals {
		if original, err = tx.DeleteStream(id, media.Original); err != nil {
			return err
		}
	}
	gone, err := renewPeaks(tx, id, peaks)
	if err != nil {
		return err
	}
	gone = slices.DeleteFunc(append(gone, old, original), func(key string) bool { return key == "" })
	return purgeLater(tx, purge{Blobs: gone, Scrub: asked.Redacts()})
}

// exchange replaces the stream with the product's name, and returns the old blob.
func (p *Pipeline) exchange(tx *store.Tx, id media.ID, made *product) (old string, err error) {
	if p.main(made.name) {
		if err := tx.SetOriginal(id, made.contentType, made.stored.Size, made.sha256); err != nil {
			return "", err
		}
	}
	return tx.PutStream(id, made.stored)
}

// discard deletes a blob whose row could not be committed. If the row was committed after all, or nobody can tell now,
// the blob stays, and doctor finds it if it is an orphan.
func (p *Pipeline) discard(ctx context.Context, key string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	if err := Discard(ctx, p.Store, p.Vault, key); err != nil {
		p.Log.WarnContext(ctx, "deleting an orphaned blob failed", "blob", key, "error", err)
	}
}

// Discard deletes a blob that no row names.
func Discard(ctx context.Context, db *store.Store, v vault.Vault, key string) error {
	named, err := store.Read(ctx, db, func(tx *store.Tx) (map[string]bool, error) {
		return tx.NamedBlobs([]string{key})
	})
	if err == nil && !named[key] {
		err = v.Blobs.Delete(ctx, key)
	}
	return err
}
