package pipeline

import (
	"context"
	"io"
	"os"

	"parley/internal/audio"
	"parley/internal/fault"
	"parley/internal/media"
	"parley/internal/plan"
	"parley/internal/result"
	"parley/internal/sound"
)

// redact makes the stream in which the beeps are heard. There is one also where nothing was found. When it cannot be
// made nothing is published: what cannot be hidden is not shown.
func (r *run) redact(ctx context.Context, open *result.Open, beeps []sound.Beep) error {
	r.steps.start(ctx, media.StepPublish)
	source, err := r.source(ctx)
	if err != nil || source.Name == media.RedactedAudio && len(beeps) == 0 && r.plan.Transcode == nil {
		return err
	}
	if err := r.decodedOnce(ctx); err != nil {
		return err
	}
	to, warning := format(r.plan.Transcode, r.decoded)
	open.Warnings = append(open.Warnings, warning...)
	path, err := r.spool(ctx, source)
	if err != nil {
		return err
	}
	defer os.Remove(path)
	file, contentType, err := r.beeped(ctx, path, source.ContentType, beeps, to)
	if err != nil {
		return err
	}
	defer file.Close()
	return r.keep(ctx, media.RedactedAudio, contentType, file)
}

// beeped is the recording with the beeps; as it is, where there are none and no other format is asked for.
func (r *run) beeped(ctx context.Context, path, contentType string, beeps []sound.Beep, to *audio.Format) (io.ReadCloser, string, error) {
	if len(beeps) == 0 && (to == nil || to.Already(r.decoded)) {
		file, err := os.Open(path)
		return file, contentType, err
	}
	return r.Decoder.Redact(ctx, path, contentType, r.decoded, beeps, to)
}

// format is the format that a redacted recording is to be written in, nil for its own: also where it has more channels
// than the one asked for can hold.
func format(asked *plan.Transcode, d *audio.Decoded) (*audio.Format, []fault.Problem) {
	if asked == nil {
		return nil, nil
	}
	to := audio.Format{File: asked.Format, Codec: asked.Codec}
	if err := to.Takes(d); err != nil {
		return nil, []fault.Problem{untranscoded(err.Error())}
	}
	return &to, nil
}
