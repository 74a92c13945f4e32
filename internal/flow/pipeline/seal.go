package pipeline

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"parley/internal/call/delivery"
	"parley/internal/call/result"
	"parley/internal/flow/callback"
	"parley/internal/flow/seal"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// View is an item whose processing is about to end, as it will be then.
type View struct {
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
type Writer func(ctx context.Context, of account.Account, v View, callbacks []delivery.Callback) (Texts, error)

// encrypted is the Content-Type of what only its owner can read.
const encrypted = "application/octet-stream"

// locking is after how many times that the metadata has changed while it was being sealed it is kept from changing
// meanwhile.
const locking = 3

// errStale says that what was written does not tell of the item as it is now.
var errStale = errors.New("pipeline: the metadata has changed meanwhile")

// seal publishes an outcome that only the owner of the item is to read from then on. What takes long is done first: its
// streams become messages under names that no row has yet. Then one transaction puts everything in its place, destroys
// the data key and ends the job: a crash leaves the item under its data key, with a job, or sealed.
func (p *Pipeline) seal(ctx context.Context, o *outcome) error {
	ctx, cancel := context.WithTimeout(ctx, Settle)
	defer cancel()
	sealed := *o
	var err error
	sealed.messages, err = p.messages(ctx, o)
	for round := 0; err == nil; round++ {
		if err = p.sealItem(ctx, &sealed, round >= locking); !errors.Is(err, errStale) {
			break
		}
		err = nil
	}
	if err != nil {
		for _, s := range sealed.messages {
			p.discard(ctx, s.Blob)
		}
	}
	return err
}

// messages makes messages of the streams that the item is to have; of its product there is one already. Of an item that
// failed those are left out whose bytes are lost. With an error it returns the messages that are stored.
func (p *Pipeline) messages(ctx context.Context, o *outcome) (all []media.Stream, err error) {
	if o.product != nil {
		all = append(all, o.product.stored)
	}
	var kept []media.Stream
	err = p.Store.View(ctx, func(tx *store.Tx) (err error) {
		kept, err = tx.Kept(o.media.ID)
		return err
	})
	if err != nil {
		return all, err
	}
	for _, s := range kept {
		if !o.failed() && !p.stays(o, s.Name) || o.product != nil && o.product.name == s.Name {
			continue
		}
		message, err := p.message(ctx, o, s)
		switch {
		case err == nil:
			all = append(all, message)
		case !o.failed() || ctx.Err() != nil || fault.Is(err, fault.Unavailable):
			return all, err
		default:
			p.Log.ErrorContext(ctx, "the recording of an item that failed is lost and cannot be sealed",
				"media", o.media.ID, "stream", s.Name, "error", err)
		}
	}
	return all, nil
}

// stays reports whether a stream is to be had when the item has finished.
func (p *Pipeline) stays(o *outcome, name string) bool {
	return name != media.Original || !o.plan.RedactsAudio() || p.KeepOriginals
}

// message makes a message of a stream that there is. What is kept for processing alone stays so where that failed.
func (p *Pipeline) message(ctx context.Context, o *outcome, s media.Stream) (media.Stream, error) {
	content, err := p.Vault.Open(ctx, s, 0, -1)
	if err != nil {
		return s, err
	}
	defer content.Close()
	message, err := p.storeMessage(ctx, o.key, s.Name, content)
	message.Withheld = s.Withheld && o.failed()
	return message, err
}

// storeMessage stores the content of a stream as a message.
func (p *Pipeline) storeMessage(
	ctx context.Context, key *seal.Key, name string, content io.Reader,
) (media.Stream, error) {
	message := key.Reader(content)
	defer message.Close()
	return p.put(ctx, media.EncryptedName(name), encrypted, message)
}

// snapshot is what is said of an item beside what was found in it.
type snapshot struct {
	media   media.Media
	version int64 // of the metadata
	account account.Account
	at      time.Time // when it is read
}

func snapshotOf(tx *store.Tx, id media.ID) (s snapshot, err error) {
	if s.media, err = tx.MediaByID(id); err != nil {
		return s, err
	}
	if _, s.version, err = tx.Metadata(s.media.Account, id); err != nil {
		return s, err
	}
	if s.account, err = tx.Account(s.media.Account); err != nil {
		return s, err
	}
	s.at, err = tx.Now()
	return s, err
}

// draft is what an item is to be, sealed; of one that stays readable it is empty.
type draft struct {
	media    media.Media // in its last state
	progress media.Progress
	document []byte
	bodies   [][]byte // of callbacks; nil where there is none
}

// sealItem seals the item as it is now; errStale when it has changed before all was written, which locked rules out.
func (p *Pipeline) sealItem(ctx context.Context, o *outcome, locked bool) error {
	sealed := *o
	if locked {
		sealed.describe = func(s *snapshot) (draft, error) { return p.draft(ctx, s, o) }
	} else {
		var before snapshot
		err := p.Store.View(ctx, func(tx *store.Tx) (err error) {
			before, err = snapshotOf(tx, o.media.ID)
			return err
		})
		if err != nil {
			return err
		}
		d, err := p.draft(ctx, &before, o)
		if err != nil {
			return err
		}
		sealed.describe = func(s *snapshot) (draft, error) {
			if s.version != before.version {
				return d, errStale
			}
			return d, nil
		}
	}
	return p.complete(ctx, o.job, func(tx *store.Tx) error { return p.finish(tx, &sealed) })
}

// draft writes all that is said of an item, for its owner alone.
func (p *Pipeline) draft(ctx context.Context, s *snapshot, o *outcome) (d draft, err error) {
	m := s.media
	m.Status, m.Finished, m.Length, m.Problems, m.Warnings = o.status, s.at, o.length, o.problems, o.warnings
	if o.product != nil && p.main(o.product.name) {
		m.ContentType = o.product.contentType
	}
	due := func(c delivery.Callback) bool { return callback.Due(c, o.failed()) }
	if m.TimeToLive > 0 && !slices.ContainsFunc(o.callbacks(), due) {
		m.Expires = s.at.Add(m.TimeToLive)
	}
	d = draft{media: m, progress: ended(o.progress, o.status, s.at)}
	streams := slices.DeleteFunc(slices.Clone(o.messages), func(s media.Stream) bool { return s.Withheld })
	texts, err := p.Write(ctx, s.account, View{m, d.progress, streams, o.result}, o.callbacks())
	if err != nil {
		return d, err
	}
	if d.document, err = o.key.Armored(texts.Document); err != nil {
		return d, err
	}
	d.bodies = make([][]byte, len(texts.Bodies))
	for i, body := range texts.Bodies {
		if body == nil {
			continue
		}
		if d.bodies[i], err = o.key.Armored(body); err != nil {
			return d, err
		}
	}
	return d, nil
}

// putSealed puts the draft of an item in the place of everything that can be read of it, and returns it.
func (p *Pipeline) putSealed(tx *store.Tx, o *outcome) (d draft, err error) {
	id := o.media.ID
	if _, err := tx.LockMedia(o.media.Account, id); err != nil {
		return d, err
	}
	now, err := snapshotOf(tx, id)
	if err != nil {
		return d, err
	}
	if d, err = o.describe(&now); err != nil {
		return d, err
	}
	m := &d.media
	var gone []string
	return d, inOrder(
		func() error { return tx.SetStatus(id, m.Status, underWay...) },
		func() error { return tx.SetFinished(id, m.Finished) },
		func() error { return tx.SetLength(id, m.Length) },
		func() error { return tx.SetOriginal(id, m.ContentType, m.Size, "") },
		func() error { return tx.SetProblems(id, m.Problems) },
		func() error { return tx.SetWarnings(id, o.planWarnings()) }, // those of processing may tell of what was said
		func() error { return tx.SetProgress(id, d.progress) },
		func() error { return tx.ReleaseClassifiers(id) },
		func() (err error) { gone, err = tx.Seal(id, d.document); return err },
		func() error {
			for _, s := range o.messages {
				if _, err := tx.PutStream(id, s); err != nil {
					return err
				}
			}
			return nil
		},
		func() error { return tx.SetSearchable(id, false) },
		func() error {
			if o.failed() {
				return nil
			}
			return tx.AddUsage(o.media.Account, m.Finished, o.usage)
		},
		func() error { _, err := tx.Enqueue(destroyJob(gone)); return err },
	)
}
