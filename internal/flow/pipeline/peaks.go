package pipeline

import (
	"context"

	"parley/internal/analysis/redact"
	"parley/internal/speech/audio"
	"parley/internal/speech/waveform"
	"parley/internal/storage/store"
	"parley/internal/words/list"
	"parley/internal/words/media"
	"parley/internal/words/sound"
)

// peaks stores the waveform of the recording that was decoded, flat where beeps are; made is the stream that replaces
// the recording, if any. It returns nil if nothing was decoded, so that the present waveform still holds, and for items
// that are to be sealed.
func (a *attempt) peaks(ctx context.Context, f *analysis, made *product) (*media.Stream, error) {
	if len(a.decoded) == 0 || f.key != nil {
		return nil, nil
	}
	decoded := a.decoded[len(a.decoded)-1]
	heard, codec := media.Stream{}, ""
	var err error
	if made != nil {
		heard = made.stored
	} else if heard, err = a.source(ctx); err != nil {
		return nil, err
	} else {
		codec = decoded.Codec
	}
	s, err := a.put(ctx, media.Peaks, waveform.ContentType, decoded.Waveform(flat(heard.Name, f)))
	if err == nil {
		s.Unplayable, err = audio.Unplayable(ctx, a.Vault.ReaderAt(ctx, heard), heard.Size, heard.ContentType, codec)
	}
	if err != nil {
		a.discard(ctx, s.Blob)
		return nil, err
	}
	return &s, nil
}

// flat returns when the recording of a stream is redacted: now, or in earlier runs.
func flat(stream string, f *analysis) []sound.Segment {
	if stream != media.RedactedAudio {
		return nil
	}
	now := list.Map(f.concealed.Beeps, func(b sound.Beep) sound.Segment { return b.Segment })
	return append(now, redact.Hidden(f.concealed.Transcript)...)
}

// renewPeaks puts a new waveform in place, of the recording that is played now, and removes what was derived from
// recordings that are not. It returns the blobs that nothing refers to any more.
func renewPeaks(tx *store.Tx, id media.ID, peaks *media.Stream) (gone []string, err error) {
	if peaks != nil {
		kept, err := tx.Kept(id)
		if err != nil {
			return nil, err
		}
		if heard, ok := media.Heard(kept); ok {
			renewed := *peaks
			renewed.Source = heard.Blob
			old, err := tx.PutStream(id, renewed)
			if err != nil {
				return nil, err
			}
			gone = append(gone, old)
		}
	}
	stale, err := tx.DropStale(id)
	return append(gone, stale...), err
}
