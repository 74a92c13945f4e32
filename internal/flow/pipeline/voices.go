package pipeline

import (
	"context"
	"encoding/binary"
	"io"
	"time"

	"parley/internal/call/plan"
	"parley/internal/speech/audio"
	"parley/internal/speech/diarize"
	"parley/internal/words/transcript"
)

// Voices finds who speaks when on one channel. audio writes its samples: 16 bits, little endian, 16 kHz. speakers is
// the number of speakers, 0 if unknown. Turns may overlap and have any order.
type Voices func(ctx context.Context, audio func(io.Writer) error, length time.Duration, speakers int) ([]diarize.Turn,
	error)

// Diarize separates the speakers of a mixed recording if the plan asks for it, and gives them the plan's names.
// Speakers with a channel are already known. Without voices, or if voices fails or finds nobody, package diarize does
// it.
func Diarize(
	ctx context.Context, voices Voices, d *audio.Decoded, t *transcript.Transcript, p *plan.Plan,
) (*transcript.Transcript, error) {
	if !p.Diarization {
		return t, nil
	}
	tracks, _, err := layout(d, p.Ingest)
	if err != nil || len(tracks) != 1 {
		return t, err
	}
	var found *diarize.Result
	if voices != nil {
		write := func(w io.Writer) error {
			return blocks(d, tracks[0], func(samples []int16) error {
				return binary.Write(w, binary.LittleEndian, samples)
			})
		}
		turns, err := voices(ctx, write, d.Length, len(p.Ingest.Parties))
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err == nil {
			found = diarize.Settle(turns, d.Length)
		}
	}
	if found == nil || found.Speakers == 0 {
		if found, err = byFeatures(d, tracks, len(p.Ingest.Parties)); err != nil {
			return nil, err
		}
	}
	return diarize.Name(found.Apply(t), p.Ingest.Parties), nil
}

// byFeatures separates speakers without neural models.
func byFeatures(d *audio.Decoded, tracks []track, speakers int) (*diarize.Result, error) {
	speech, err := find(d, tracks)
	if err != nil {
		return nil, err
	}
	features := diarize.NewFeatures(audio.Rate, d.SourceRate)
	features.Reserve(d.Length)
	if err := blocks(d, tracks[0], always(features.Add)); err != nil {
		return nil, err
	}
	return diarize.Find(&diarize.Request{Features: features, Speech: speech.Speech[0], Speakers: speakers}), nil
}
