package player

import (
	"context"
	"time"

	"parley/internal/speech/audio"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// LongestClip is the length of the longest clip.
const LongestClip = time.Minute

// Clip is a part of a recording.
type Clip struct {
	*audio.Cut
	Item   media.Media
	Source string // the blob that it was taken from
}

// Clip returns the part of the recording of an account's item between two times. NotFound if the item has no recording
// that may be played; Invalid if the recording ends before the part does.
func (p *Player) Clip(ctx context.Context, owner account.ID, id media.ID, from, to time.Duration) (*Clip, error) {
	s, err := p.load(ctx, owner, id)
	if err == nil {
		err = s.unreadable()
	}
	if err != nil {
		return nil, err
	}
	if s.item.Status == media.Finished && to.Milliseconds() > (s.item.Length+time.Millisecond-1).Milliseconds() {
		return nil, beyond(s.item.Length, to)
	}
	source := s.heard
	if playable, ok := s.derived[media.Playable]; ok {
		source = playable
	}
	ctx, cancel := context.WithTimeoutCause(ctx, longestClip,
		fault.New(fault.Unavailable, fault.CodeUnavailable, "making the clip took longer than %v; try again later", longestClip))
	defer cancel()
	leave, err := enter(ctx, p.clips, owner, "clips")
	if err != nil {
		return nil, err
	}
	defer leave()
	cut, err := p.Decoder.Cut(ctx, audio.Stored{ReaderAt: p.Vault.ReaderAt(ctx, source), Size: source.Size,
		ContentType: source.ContentType}, from, to)
	if err != nil {
		return nil, absent(err)
	}
	if cut.Frames == 0 {
		cut.Close()
		return nil, fault.New(fault.Invalid, fault.CodeParameter, "the recording has no audio at s=%d", from.Milliseconds())
	}
	return &Clip{Cut: cut, Item: s.item, Source: source.Blob}, nil
}

func beyond(length, to time.Duration) error {
	return fault.New(fault.Invalid, fault.CodeParameter, "e=%d is after the end of the recording, which is at %d", to.Milliseconds(),
		length.Milliseconds())
}
