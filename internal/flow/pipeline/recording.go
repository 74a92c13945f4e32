package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"parley/internal/speech/audio"
	"parley/internal/storage/store"
	"parley/internal/storage/vault"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// decode copies the recording to a local file and decodes it. The result is closed when the attempt ends.
func (a *attempt) decode(ctx context.Context) (*audio.Decoded, error) {
	a.steps.start(ctx, media.StepTranscode)
	path, source, err := a.spoolSource(ctx)
	if err != nil {
		return nil, err
	}
	defer os.Remove(path)
	decoded, err := a.Decoder.Decode(ctx, path, source.ContentType)
	if err == nil {
		a.decoded = append(a.decoded, decoded)
		a.steps.finish(ctx, media.StepTranscode)
	}
	return decoded, err
}

// source returns the stream to process: the redacted one if there is one, otherwise the original.
func (a *attempt) source(ctx context.Context) (s media.Stream, err error) {
	streams, err := store.Read(ctx, a.Store, func(tx *store.Tx) ([]media.Stream, error) { return tx.Kept(a.media) })
	s, ok := media.Heard(streams)
	if err == nil && !ok {
		err = fault.New(fault.Invalid, fault.CodeMediaUnreadable, "the recording is no longer stored")
	}
	return s, err
}

// spoolSource copies the stream to process to a temporary file.
func (a *attempt) spoolSource(ctx context.Context) (path string, source media.Stream, err error) {
	if source, err = a.source(ctx); err == nil {
		path, err = a.spool(ctx, source)
	}
	return path, source, err
}

// spool copies a stream from the vault to a temporary file.
func (a *attempt) spool(ctx context.Context, s media.Stream) (path string, err error) {
	return Spool(ctx, a.Vault, a.Temp, a.media, s)
}

// Spool copies the recording of an item from a vault to a file in a folder, which only this process can access.
func Spool(ctx context.Context, v vault.Vault, temp string, id media.ID, s media.Stream) (path string, err error) {
	source, err := v.Open(ctx, s, 0, -1)
	if fault.Is(err, fault.NotFound) {
		return "", fault.New(fault.Internal, fault.CodeInternal,
			"the recording of media %s is not in the blob store: %w", id, err)
	}
	if err != nil {
		return "", err
	}
	defer source.Close()
	file, err := os.CreateTemp(temp, "original-*")
	if err != nil {
		return "", fault.New(fault.Unavailable, fault.CodeUnavailable, "create a temporary file for the recording: %w", err)
	}
	_, err = io.Copy(file, source)
	// only this process can access the folder; a decoder that runs as another user gets the file by its descriptor
	err = errors.Join(err, file.Chmod(0o644))
	if err = errors.Join(err, file.Close()); err != nil {
		os.Remove(file.Name())
		if _, ok := errors.AsType[*fault.Error](err); ok { // the vault has identified the damage: do not retry
			return "", fmt.Errorf("the recording of media %s: %w", id, err)
		}
		return "", fault.New(fault.Unavailable, fault.CodeUnavailable, "copy the recording to a temporary file: %w",
			err)
	}
	return file.Name(), nil
}
