package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"parley/internal/audio"
	"parley/internal/fault"
	"parley/internal/media"
	"parley/internal/store"
)

// decode brings the recording to a local file and decodes it.
func (r *run) decode(ctx context.Context) (*audio.Decoded, error) {
	r.steps.start(ctx, media.StepTranscode)
	path, contentType, err := r.spoolSource(ctx)
	if err != nil {
		return nil, err
	}
	defer os.Remove(path)
	decoded, err := r.Decoder.Decode(ctx, path, contentType)
	if err == nil {
		r.decoded = decoded
		r.steps.finish(ctx, media.StepTranscode)
	}
	return decoded, err
}

// source is the stream that is worked on: what redaction has left, where there was any, else the original.
func (r *run) source(ctx context.Context) (s media.Stream, err error) {
	var streams []media.Stream
	err = r.Store.View(ctx, func(tx *store.Tx) (err error) {
		streams, err = tx.Kept(r.media.ID)
		return err
	})
	for _, name := range []string{media.RedactedAudio, media.Original} {
		if i := slices.IndexFunc(streams, func(s media.Stream) bool { return s.Name == name }); i >= 0 {
			return streams[i], err
		}
	}
	if err == nil {
		err = fault.New(fault.Invalid, fault.CodeMediaUnreadable, "the recording is not here any more")
	}
	return s, err
}

// spoolSource copies what is worked on to a temporary file.
func (r *run) spoolSource(ctx context.Context) (path, contentType string, err error) {
	source, err := r.source(ctx)
	if err != nil {
		return "", "", err
	}
	path, err = r.spool(ctx, source)
	return path, source.ContentType, err
}

// spool copies a stream from the vault to a temporary file.
func (r *run) spool(ctx context.Context, s media.Stream) (path string, err error) {
	source, err := r.Vault.Open(ctx, s, 0, -1)
	if fault.Is(err, fault.NotFound) {
		return "", fault.New(fault.Internal, fault.CodeInternal, "the recording of media %s is not in the blob store: %w", r.media.ID, err)
	}
	if err != nil {
		return "", err
	}
	defer source.Close()
	file, err := os.CreateTemp(r.Temp, "original-*")
	if err != nil {
		return "", fault.New(fault.Unavailable, fault.CodeUnavailable, "temporary file for the recording: %w", err)
	}
	_, err = io.Copy(file, source)
	// the folder is this process's alone; a decoder that is another user gets the file by its descriptor
	err = errors.Join(err, file.Chmod(0o644))
	if err = errors.Join(err, file.Close()); err != nil {
		os.Remove(file.Name())
		if _, ok := errors.AsType[*fault.Error](err); ok { // the vault knows what it is: damage does not pass
			return "", fmt.Errorf("the recording of media %s: %w", r.media.ID, err)
		}
		return "", fault.New(fault.Unavailable, fault.CodeUnavailable, "copy the recording to a temporary file: %w", err)
	}
	return file.Name(), nil
}
