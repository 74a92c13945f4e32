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

	"parley/internal/speech/audio"
	"parley/internal/storage/store"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// Limits of fetching a mediaUrl.
const (
	fetchTries  = 3               // for temporary failures: no answer, a broken connection, a busy server
	fetchPause  = 2 * time.Second // before the second try; doubled before each further try
	sniffLength = 4096
)

// rejection means that a mediaUrl could not be downloaded: the item is rejected, not failed.
type rejection struct{ error }

func (r *rejection) Unwrap() error { return r.error }

// fetch downloads the recording of a mediaUrl into the blob store, unless it is already there. It returns the request
// with the updated item.
func (a *attempt) fetch(ctx context.Context, r *request) (*request, error) {
	if r.media.SourceURL == "" || r.media.Status != media.Accepted {
		a.steps.skip(ctx, media.StepFetch)
		return r, nil
	}
	a.steps.start(ctx, media.StepFetch)
	fetched := *r
	var err error
	for try := range fetchTries {
		if try > 0 && !pause(ctx, fetchPause<<(try-1)) {
			return nil, context.Cause(ctx)
		}
		if fetched.media, err = a.download(ctx, r); err == nil {
			a.steps.finish(ctx, media.StepFetch)
			return &fetched, nil
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if broken, ok := errors.AsType[*brokenStore](err); ok {
			return nil, broken.error
		}
		if !fault.Is(err, fault.Unavailable) {
			break // retrying would give the same result
		}
	}
	return nil, &rejection{err}
}

// brokenStore is a failure of the blob store during a download.
type brokenStore struct{ error }

// download streams the recording into the vault and records it. It returns the item with its stream.
func (a *attempt) download(ctx context.Context, r *request) (m media.Media, err error) {
	got, err := a.Fetch(ctx, r.media.SourceURL)
	if err != nil {
		return m, err
	}
	defer got.Body.Close()
	sum := sha256.New()
	source := &sourceReader{r: io.TeeReader(got.Body, sum)}
	body := bufio.NewReaderSize(source, sniffLength)
	head, err := body.Peek(sniffLength)
	if err != nil && err != io.EOF {
		return m, unreachable(err)
	}
	stream := media.Stream{
		Name: media.Original, Blob: "original/" + uuid.NewString(),
		ContentType: audio.ContentType(head, got.Name), Withheld: r.plan.Redacts(),
	}
	if stream.Key, stream.Size, err = a.Vault.Put(ctx, stream.Blob, body); err != nil {
		if source.err != nil {
			return m, unreachable(source.err)
		}
		return m, &brokenStore{err}
	}
	if stream.Size == 0 {
		a.Vault.Blobs.Delete(ctx, stream.Blob)
		return m, fault.New(fault.Invalid, fault.CodeMediaUnreadable, "the mediaUrl returned an empty file")
	}
	if err := a.putOriginal(ctx, stream, hex.EncodeToString(sum.Sum(nil))); err != nil {
		a.discard(ctx, stream.Blob)
		return m, &brokenStore{err}
	}
	m = r.media
	m.Status, m.ContentType, m.Size = media.Running, stream.ContentType, stream.Size
	return m, nil
}

// putOriginal records a downloaded original and marks the item as running.
func (a *attempt) putOriginal(ctx context.Context, stream media.Stream, sum string) error {
	ctx, cancel := context.WithTimeout(ctx, Settle)
	defer cancel()
	return a.fenced(ctx, a.job, func(tx *store.Tx) error {
		if _, err := tx.PutStream(a.media, stream); err != nil {
			return err
		}
		if err := tx.SetOriginal(a.media, stream.ContentType, stream.Size, sum); err != nil {
			return err
		}
		return tx.SetStatus(a.media, media.Running, media.Accepted)
	})
}

func unreachable(err error) error {
	if fault.KindOf(err) != fault.Internal {
		return err
	}
	return fault.New(fault.Unavailable, fault.CodeMediaURLUnreachable, "the download of the mediaUrl failed: %w", err)
}

// sourceReader keeps the read error, to distinguish a broken download from a broken store.
type sourceReader struct {
	r   io.Reader
	err error
}

func (r *sourceReader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	if err != nil && err != io.EOF {
		r.err = err
	}
	return n, err
}

// pause waits, and reports whether the whole time passed before ctx ended.
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
