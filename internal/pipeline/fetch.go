package pipeline

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"time"

	"github.com/google/uuid"

	"parley/internal/audio"
	"parley/internal/fault"
	"parley/internal/media"
	"parley/internal/store"
)

// Fetching a mediaUrl.
const (
	fetchTries  = 3               // of what may pass: no answer, a broken connection, a server that is busy
	fetchPause  = 2 * time.Second // before the second try; doubled before each further one
	sniffLength = 4096
)

// rejection says that a mediaUrl could not be had: the item is rejected, not failed.
type rejection struct{ error }

func (r *rejection) Unwrap() error { return r.error }

// fetch brings the recording of a mediaUrl into the blob store, where it is not there yet.
func (r *run) fetch(ctx context.Context) error {
	if r.media.SourceURL == "" || r.media.Status != media.Accepted {
		r.steps.skip(ctx, media.StepFetch)
		return nil
	}
	r.steps.start(ctx, media.StepFetch)
	var err error
	for try := range fetchTries {
		if try > 0 && !pause(ctx, fetchPause<<(try-1)) {
			return context.Cause(ctx)
		}
		if err = r.download(ctx); err == nil {
			r.steps.finish(ctx, media.StepFetch)
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if broken, ok := errors.AsType[*brokenStore](err); ok {
			return broken.error
		}
		if !fault.Is(err, fault.Unavailable) {
			break // the same would come again
		}
	}
	return &rejection{err}
}

// brokenStore is a failure of ours while downloading.
type brokenStore struct{ error }

// download streams the recording into the vault and records it.
func (r *run) download(ctx context.Context) error {
	got, err := r.Fetch(ctx, r.media.SourceURL)
	if err != nil {
		return err
	}
	defer got.Body.Close()
	sum := sha256.New()
	source := &remembering{r: io.TeeReader(got.Body, sum)}
	body := bufio.NewReaderSize(source, sniffLength)
	head, err := body.Peek(sniffLength)
	if err != nil && err != io.EOF {
		return unreachable(err)
	}
	stream := media.Stream{Name: media.Original, Blob: "original/" + uuid.NewString(), ContentType: audio.ContentType(head, got.Name), Withheld: r.plan.Redacts()}
	if stream.Key, stream.Size, err = r.Vault.Put(ctx, stream.Blob, body); err != nil {
		if source.err != nil {
			return unreachable(source.err)
		}
		return &brokenStore{err}
	}
	if stream.Size == 0 {
		r.Vault.Blobs.Delete(ctx, stream.Blob)
		return fault.New(fault.Invalid, fault.CodeMediaUnreadable, "what the mediaUrl gave is empty")
	}
	if err := r.fetched(ctx, stream, hex.EncodeToString(sum.Sum(nil))); err != nil {
		r.discard(ctx, stream.Blob)
		return &brokenStore{err}
	}
	return nil
}

// fetched records a downloaded original and that the item now runs.
func (r *run) fetched(ctx context.Context, stream media.Stream, sum string) error {
	ctx, cancel := context.WithTimeout(ctx, Settle)
	defer cancel()
	err := r.Store.Update(ctx, func(tx *store.Tx) error {
		if err := tx.FenceJob(r.job); err != nil {
			return err
		}
		if _, err := tx.PutStream(r.media.ID, stream); err != nil {
			return err
		}
		if err := tx.SetOriginal(r.media.ID, stream.ContentType, stream.Size, sum); err != nil {
			return err
		}
		return tx.SetStatus(r.media.ID, media.Running, media.Accepted)
	})
	if err == nil {
		r.media.Status, r.media.ContentType, r.media.Size = media.Running, stream.ContentType, stream.Size
	}
	return err
}

func unreachable(err error) error {
	if fault.KindOf(err) != fault.Internal {
		return err
	}
	return fault.New(fault.Unavailable, fault.CodeMediaURLUnreachable, "the download of the mediaUrl broke off: %w", err)
}

// remembering keeps why reading failed, to tell a broken download from a broken store.
type remembering struct {
	r   io.Reader
	err error
}

func (r *remembering) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	if err != nil && err != io.EOF {
		r.err = err
	}
	return n, err
}

// pause waits, and reports whether ctx let it.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
