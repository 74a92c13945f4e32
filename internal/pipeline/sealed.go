package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"parley/internal/account"
	"parley/internal/callback"
	"parley/internal/delivery"
	"parley/internal/fault"
	"parley/internal/media"
	"parley/internal/plan"
	"parley/internal/result"
	"parley/internal/seal"
	"parley/internal/store"
)

// Ended is an item whose processing is about to end, as it will be then.
type Ended struct {
	Media    media.Media
	Progress media.Progress
	Streams  []media.Stream
	Result   *result.Open // nil of one that failed
}

// Texts are what is said of an item, in the clear.
type Texts struct {
	Document []byte   // all of it
	Bodies   [][]byte // of callbacks, one for each; nil where a stream is delivered, or nothing
}

// Writer makes what is said of an item that will be readable to its owner alone, from what it is given.
type Writer func(ctx context.Context, of account.Account, e Ended, callbacks []delivery.Callback) (Texts, error)

// ending is how the processing of an item ends.
type ending struct {
	status   media.Status
	length   time.Duration // of the recording; 0 where it failed
	used     store.Usage   // of it
	problems []fault.Problem
	warnings []fault.Problem
	result   *result.Open // nil where it failed
}

func (e ending) failed() bool { return e.status != media.Finished }

// encrypted is the Content-Type of what only its owner can read.
const encrypted = "application/octet-stream"

// locking is after how many times that the metadata has changed while it was being sealed it is kept from changing
// meanwhile.
const locking = 3

// errStale says that what was written does not tell of the item as it is now.
var errStale = errors.New("pipeline: the metadata has changed meanwhile")

// recipient is the public key that an item is to be sealed with: the copy that it was accepted with, used as it was then.
func recipient(source plan.Source, s *media.Sealing) (*seal.Key, error) {
	keys := source.Definitions.Keys
	at := slices.IndexFunc(keys, func(k plan.Key) bool { return strings.EqualFold(k.ID, s.PublicKeyID) })
	if at < 0 {
		return nil, fault.New(fault.Internal, fault.CodeInternal, "the copy of public key %s is not kept with what is to be encrypted with it", s.PublicKeyID)
	}
	key, err := seal.ParseKey(keys[at].Content, keys[at].Checked)
	if err != nil {
		return nil, fault.New(fault.Internal, fault.CodeInternal, "public key %s was taken and cannot be used: %w", s.PublicKeyID, err)
	}
	return key, nil
}

// seal publishes how the processing of an item has ended that only its owner is to read from then on. What takes long is
// done first: its streams become messages under names that no row has yet. Then one transaction puts everything in its
// place, destroys the data key and ends the job: a crash leaves the item under its data key, with a job, or sealed.
func (r *run) seal(ctx context.Context, e ending) error {
	ctx, cancel := context.WithTimeout(ctx, Settle)
	defer cancel()
	err := r.sealStreams(ctx, e)
	for round := 0; err == nil; round++ {
		if err = r.sealItem(ctx, e, round >= locking); !errors.Is(err, errStale) {
			break
		}
		err = nil
	}
	if err != nil {
		for _, s := range r.sealed {
			r.discard(ctx, s.Blob)
		}
		r.sealed = nil
		return err
	}
	r.over(ctx, e.status, e.length, e.used.Total(), e.problems)
	return nil
}

// sealStreams makes messages of the streams that the item is to have, as far as there are none yet. Of one that failed
// those are left out whose bytes are lost.
func (r *run) sealStreams(ctx context.Context, e ending) error {
	var kept []media.Stream
	err := r.Store.View(ctx, func(tx *store.Tx) (err error) {
		kept, err = tx.Kept(r.media.ID)
		return err
	})
	if err != nil {
		return err
	}
	for _, s := range kept {
		if !e.failed() && !r.stays(s.Name) || r.hasSealed(s.Name) {
			continue
		}
		err := r.sealKept(ctx, s, e.failed())
		switch {
		case err == nil:
		case !e.failed() || ctx.Err() != nil || fault.Is(err, fault.Unavailable):
			return err
		default:
			r.Log.ErrorContext(ctx, "the recording of an item that failed is lost and cannot be sealed", "media", r.media.ID, "stream", s.Name, "error", err)
		}
	}
	return nil
}

// stays reports whether a stream is to be had when the item has finished.
func (r *run) stays(name string) bool {
	return name != media.Original || !r.plan.RedactsAudio() || r.KeepOriginals
}

func (r *run) hasSealed(name string) bool {
	return slices.ContainsFunc(r.sealed, func(s media.Stream) bool { return s.Name == media.EncryptedName(name) })
}

// sealKept makes a message of a stream that there is. What is kept for processing alone because that failed is so sealed,
// too.
func (r *run) sealKept(ctx context.Context, s media.Stream, failed bool) error {
	content, err := r.Vault.Open(ctx, s, 0, -1)
	if err != nil {
		return err
	}
	defer content.Close()
	sealed, err := r.sealStream(ctx, s.Name, content)
	if err == nil {
		sealed.Withheld = s.Withheld && failed
		r.sealed = append(r.sealed, sealed)
	}
	return err
}

// sealStream stores content as a message, which is a stream that no row has yet.
func (r *run) sealStream(ctx context.Context, name string, content io.Reader) (s media.Stream, err error) {
	message := r.key.Reader(content)
	defer message.Close()
	s = media.Stream{Name: media.EncryptedName(name), ContentType: encrypted}
	s.Blob = s.Name + "/" + uuid.NewString()
	s.Key, s.Size, err = r.Vault.Put(ctx, s.Blob, message)
	return s, err
}

// known is what is said of an item beside what was found in it.
type known struct {
	media   media.Media
	version int64 // of the metadata
	of      account.Account
	at      time.Time // when it is read
}

func (r *run) know(tx *store.Tx) (k known, err error) {
	if k.media, err = tx.MediaByID(r.media.ID); err != nil {
		return k, err
	}
	if _, k.version, err = tx.Metadata(k.media.Account, k.media.ID); err != nil {
		return k, err
	}
	if k.of, err = tx.Account(k.media.Account); err != nil {
		return k, err
	}
	k.at, err = tx.Now()
	return k, err
}

// draft is what an item is to be, sealed.
type draft struct {
	version  int64 // of the metadata that it tells of
	at       time.Time
	progress media.Progress
	document []byte
	bodies   [][]byte // of callbacks; nil where there is none
}

// sealItem seals the item as it is now; errStale when it has changed before all was written, which locked rules out.
func (r *run) sealItem(ctx context.Context, e ending, locked bool) error {
	var d draft
	if !locked {
		var k known
		err := r.Store.View(ctx, func(tx *store.Tx) (err error) {
			k, err = r.know(tx)
			return err
		})
		if err != nil {
			return err
		}
		if d, err = r.draft(ctx, k, e); err != nil {
			return err
		}
	}
	return r.Store.Update(ctx, func(tx *store.Tx) error {
		if err := tx.CompleteJob(r.job); err != nil {
			return err
		}
		if _, err := tx.LockMedia(r.media.Account, r.media.ID); err != nil {
			return err
		}
		k, err := r.know(tx)
		if err == nil && locked {
			d, err = r.draft(ctx, k, e)
		}
		if err != nil {
			return err
		}
		if d.version != k.version {
			return errStale
		}
		return r.putSealed(tx, e, d)
	})
}

// draft writes all that is said of an item, for its owner alone.
func (r *run) draft(ctx context.Context, k known, e ending) (d draft, err error) {
	d = draft{version: k.version, at: k.at, progress: r.steps.ended(e.status, k.at)}
	m := k.media
	m.Status, m.Finished, m.Length, m.Problems, m.Warnings = e.status, d.at, e.length, e.problems, e.warnings
	m.ContentType = r.contentType()
	if m.TimeToLive > 0 && !slices.ContainsFunc(r.callbacks(), func(c delivery.Callback) bool { return callback.Due(c, e.failed()) }) {
		m.Expires = d.at.Add(m.TimeToLive)
	}
	streams := slices.DeleteFunc(slices.Clone(r.sealed), func(s media.Stream) bool { return s.Withheld })
	texts, err := r.Write(ctx, k.of, Ended{m, d.progress, streams, e.result}, r.callbacks())
	if err != nil {
		return d, err
	}
	if d.document, err = r.key.Armored(texts.Document); err != nil {
		return d, err
	}
	d.bodies = make([][]byte, len(texts.Bodies))
	for i, body := range texts.Bodies {
		if body == nil {
			continue
		}
		if d.bodies[i], err = r.key.Armored(body); err != nil {
			return d, err
		}
	}
	return d, nil
}

// putSealed puts a draft in the place of everything that can be read of the item.
func (r *run) putSealed(tx *store.Tx, e ending, d draft) error {
	m := &r.media
	var gone []string
	for _, write := range []func() error{
		func() error { return tx.SetStatus(m.ID, e.status, media.Accepted, media.Scheduled, media.Running) },
		func() error { return tx.SetFinished(m.ID, d.at) },
		func() error { return tx.SetLength(m.ID, e.length) },
		func() error { return tx.SetOriginal(m.ID, r.contentType(), m.Size, "") },
		func() error { return tx.SetProblems(m.ID, e.problems) },
		func() error { return tx.SetWarnings(m.ID, r.warnings()) }, // those of processing may tell of what was said
		func() error { return tx.SetProgress(m.ID, d.progress) },
		func() error { return tx.ReleaseClassifiers(m.ID) },
		func() (err error) { gone, err = tx.Seal(m.ID, d.document); return err },
		func() error { return r.putStreams(tx) },
		func() error { return tx.SetSearchable(m.ID, false) },
		func() error { return r.bill(tx, e, d.at) },
		func() error { return r.putDeliveries(tx, e, d) },
	} {
		if err := write(); err != nil {
			return fmt.Errorf("seal media %s: %w", m.ID, err)
		}
	}
	_, err := tx.Enqueue(destroyJob(gone))
	return err
}

// contentType is that of what the item's stream is when it is decrypted.
func (r *run) contentType() string { return cmp.Or(r.inside, r.media.ContentType) }

// bill counts what was listened to, or given.
func (r *run) bill(tx *store.Tx, e ending, at time.Time) error {
	if e.failed() {
		return nil
	}
	return tx.AddUsage(r.media.Account, at, e.used)
}

func (r *run) putStreams(tx *store.Tx) error {
	for _, s := range r.sealed {
		if _, err := tx.PutStream(r.media.ID, s); err != nil {
			return err
		}
	}
	return nil
}

// putDeliveries adds the callbacks with their bodies.
func (r *run) putDeliveries(tx *store.Tx, e ending, d draft) error {
	made, err := callback.Jobs(tx, &r.media, r.callbacks(), e.failed(), d.at)
	if err != nil {
		return err
	}
	for _, m := range made {
		if d.bodies[m.Position] == nil {
			continue
		}
		if err := tx.PutDeliveryBody(r.media.ID, m.ID, d.bodies[m.Position]); err != nil {
			return err
		}
	}
	return nil
}
