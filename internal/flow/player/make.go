package player

import (
	"context"
	"io"
	"os"
	"time"

	"github.com/google/uuid"

	"parley/internal/analysis/redact"
	"parley/internal/flow/payload"
	"parley/internal/flow/pipeline"
	"parley/internal/speech/audio"
	"parley/internal/speech/waveform"
	"parley/internal/storage/store"
	"parley/internal/words/fault"
	"parley/internal/words/media"
	wordsound "parley/internal/words/sound"
)

// make decodes a recording, makes something from it and stores it with the item.
func (p *Player) make(ctx context.Context, s *sound, name string) error {
	decoded, err := p.decode(ctx, s)
	if err != nil {
		return absent(err)
	}
	defer decoded.Close()
	unplayable, err := audio.Unplayable(ctx, p.Vault.ReaderAt(ctx, s.heard), s.heard.Size, s.heard.ContentType, decoded.Codec)
	if err != nil {
		return err
	}
	if name == media.Peaks {
		flat, err := p.hidden(ctx, s)
		if err != nil {
			return err
		}
		return p.keep(ctx, s, media.Stream{Name: name, ContentType: waveform.ContentType, Unplayable: unplayable},
			decoded.Waveform(flat))
	}
	if !unplayable {
		return ErrPlayable
	}
	playable, err := p.Decoder.Playable(ctx, decoded)
	if err != nil {
		return absent(err)
	}
	defer playable.Close()
	return p.keep(ctx, s, media.Stream{Name: name, ContentType: playable.ContentType}, playable)
}

// absent returns the error for something that cannot be made from a recording, with the codes that say why.
func absent(err error) error {
	switch fault.KindOf(err) {
	case fault.Invalid, fault.TooLarge, fault.Unsupported:
		return &fault.Error{Kind: fault.NotFound, Problems: fault.ProblemsOf(err)}
	}
	return err
}

// decode copies a recording to a temporary file and decodes it.
func (p *Player) decode(ctx context.Context, s *sound) (*audio.Decoded, error) {
	path, err := pipeline.Spool(ctx, p.Vault, p.Temp, s.item.ID, s.heard)
	if err != nil {
		return nil, err
	}
	defer os.Remove(path)
	return p.Decoder.Decode(ctx, path, s.heard.ContentType)
}

// hidden returns when the recording of an item is redacted, as far as its transcript says.
func (p *Player) hidden(ctx context.Context, s *sound) ([]wordsound.Segment, error) {
	if s.heard.Name != media.RedactedAudio {
		return nil, nil
	}
	v, err := payload.Load(ctx, p.Store, p.Codec, s.item.Account, s.item.ID, true)
	if err != nil || v.Result == nil || v.Result.Transcript == nil {
		return nil, err
	}
	return redact.Hidden(v.Result.Transcript), nil
}

// keep stores something that was made from the recording of an item, unless the item has another one by now.
func (p *Player) keep(ctx context.Context, s *sound, made media.Stream, content io.Reader) (err error) {
	made.Source, made.Blob = s.heard.Blob, made.Name+"/"+uuid.NewString()
	if made.Key, made.Size, err = p.Vault.Put(ctx, made.Blob, content); err == nil {
		err = p.Store.Update(ctx, func(tx *store.Tx) error {
			old, err := tx.PutDerived(s.item.Account, s.item.ID, made)
			if err != nil || old == "" {
				return err
			}
			_, err = tx.Enqueue(pipeline.PurgeJob([]string{old}, false))
			return err
		})
	}
	if err != nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		defer cancel()
		if left := pipeline.Discard(ctx, p.Store, p.Vault, made.Blob); left != nil {
			return left
		}
	}
	return err
}
