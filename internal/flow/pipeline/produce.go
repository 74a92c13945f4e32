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
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// Settle is the longest time between the end of storing a blob and the commit of the row that names it. A blob
// that is older and that no row names belongs to nobody: its writer has died.
const Settle = 30 * time.Minute

// streams are what is found in a recording, with the stream that was made of it: the output of produce.
type streams struct {
	*analysis
	product  *product        // nil where the streams stay as they are
	warnings []fault.Problem // about the product
}

// product is a stream that was made of the recording. It is stored, and no row names it yet.
type product struct {
	name        string // of the stream
	contentType string // of its content, also where that is stored as a message
	stored      media.Stream
	sha256      string // of its content; empty where that is stored as a message
}

// produce makes the stream that the item is to have: the redacted one, or one in another format.
func (a *attempt) produce(ctx context.Context, f *analysis) (*streams, error) {
	write := a.transcode
	if f.plan.RedactsAudio() {
		write = a.redact
	}
	made, warnings, err := write(ctx, f)
	if err != nil {
		return nil, err
	}
	return &streams{f, made, warnings}, nil
}

// transcode makes the stream in the format that the plan asks for. A recording that cannot be written in it stays
// as it came, with a warning: the transcript is what matters.
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
	a.Log.WarnContext(ctx, "cannot transcode", "media", a.media, "error", err)
	why := "the server's log says why"
	if fault.Is(err, fault.Unsupported) {
		why = err.Error()
	}
	return nil, untranscoded(why), nil
}

func untranscoded(why string) []fault.Problem {
	return []fault.Problem{{
		Code: fault.CodeIgnored, Message: "publish.audioTranscode: the recording stays as it came: " + why,
	}}
}

// convert writes the recording in a format, and stores it; nothing where it has that format.
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

// redact makes the stream in which the beeps are heard. There is one also where nothing was found. When it cannot be
// made nothing is published: what cannot be hidden is not shown.
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

// format is the format that a redacted recording is to be written in, nil for its own: also where it has more channels
// than the one asked for can hold.
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

// decodedOnce is the recording as it was decoded, closed. It is decoded now where the words were there before it was.
func (a *attempt) decodedOnce(ctx context.Context, f *analysis) (*audio.Decoded, error) {
	if f.decoded != nil {
		return f.decoded, nil
	}
	decoded, err := a.decode(ctx)
	if err != nil {
		return nil, err
	}
	return decoded, decoded.Close()
}

// store stores what a stream is to be under a key of its own; as a message, where there is a key to seal it with.
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

// put stores a stream that no row has yet, under a key of its own.
func (p *Pipeline) put(ctx context.Context, name, contentType string, content io.Reader) (s media.Stream, err error) {
	s = media.Stream{Name: name, Blob: name + "/" + uuid.NewString(), ContentType: contentType}
	s.Key, s.Size, err = p.Vault.Put(ctx, s.Blob, content)
	return s, err
}

// main reports whether a stream is the one that an item is described by.
func (p *Pipeline) main(stream string) bool { return stream == media.Original || !p.KeepOriginals }

// replace puts a product in its place, and has the bytes go that were there. Where something is redacted the original
// goes, too.
func (p *Pipeline) replace(tx *store.Tx, id media.ID, asked *plan.Plan, made *product) error {
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
	gone := slices.DeleteFunc([]string{old, original}, func(key string) bool { return key == "" })
	if !asked.Redacts() {
		return purgeLater(tx, gone, nil)
	}
	_, err = tx.Enqueue(scrubJob(gone))
	return err
}

// exchange puts a product in the place of its namesake, whose blob it returns.
func (p *Pipeline) exchange(tx *store.Tx, id media.ID, made *product) (old string, err error) {
	if p.main(made.name) {
		if err := tx.SetOriginal(id, made.contentType, made.stored.Size, made.sha256); err != nil {
			return "", err
		}
	}
	return tx.PutStream(id, made.stored)
}

// discard deletes a blob whose row could not be committed, unless it was all the same, or nobody can tell now: then
// it stays, for doctor to find.
func (p *Pipeline) discard(ctx context.Context, key string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	var named map[string]bool
	err := p.Store.View(ctx, func(tx *store.Tx) (err error) {
		named, err = tx.NamedBlobs([]string{key})
		return err
	})
	if err == nil && !named[key] {
		err = p.Vault.Blobs.Delete(ctx, key)
	}
	if err != nil {
		p.Log.WarnContext(ctx, "a blob that no row names may stay", "blob", key, "error", err)
	}
}
