package pipeline

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"parley/internal/call/delivery"
	"parley/internal/flow/callback"
	"parley/internal/flow/payload"
	"parley/internal/flow/seal"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// Writer renders an item that only its owner will be able to read, from the given values: the whole item, and a body
// for each callback, nil where a stream is delivered, or nothing.
type Writer func(ctx context.Context, of account.Account, v payload.View, callbacks []delivery.Callback) (
	document []byte, bodies [][]byte, err error)

// encrypted is the Content-Type of content that only its owner can decrypt.
const encrypted = "application/octet-stream"

// locking is the number of attempts to seal that fail because the metadata changed, after which the metadata is locked
// while the item is sealed.
const locking = 3

// errStale means that the draft does not describe the item as it is now.
var errStale = errors.New("pipeline: the metadata changed while the item was sealed")

// seal publishes an outcome that only the owner of the item can read. The slow work is done first: the item's streams
// are encrypted as messages under keys that no row names yet. Then one transaction puts everything in place, destroys
// the data key and ends the job: after a crash the item is either still under its data key, with a job, or sealed.
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

// messages encrypts the streams that the item is to have; its product already is a message. For a failed item, streams
// with lost bytes are left out. On error it returns the messages stored so far.
func (p *Pipeline) messages(ctx context.Context, o *outcome) (all []media.Stream, err error) {
	if o.product != nil {
		all = append(all, o.product.stored)
	}
	kept, err := store.Read(ctx, p.Store, func(tx *store.Tx) ([]media.Stream, error) { return tx.Kept(o.media.ID) })
	if err != nil {
		return all, err
	}
	for _, s := range kept {
		if media.IsDerived(s.Name) || !o.failed() && !p.stays(o, s.Name) || o.product != nil && o.product.name == s.Name {
			continue
		}
		message, err := p.message(ctx, o, s)
		switch {
		case err == nil:
			all = append(all, message)
		case !o.failed() || ctx.Err() != nil || fault.Is(err, fault.Unavailable):
			return all, err
		default:
			p.Log.ErrorContext(ctx, "recording of a failed item lost, not sealed", "media", o.media.ID, "stream", s.Name,
				"error", err)
		}
	}
	return all, nil
}

// stays reports whether a stream is available after the item has finished.
func (p *Pipeline) stays(o *outcome, name string) bool {
	return name != media.Original || !o.plan.RedactsAudio() || p.KeepOriginals
}

// message encrypts an existing stream as a message. A stream kept only for processing stays so if the item failed.
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

// snapshot is the current state of an item, other than its results.
type snapshot struct {
	media   media.Media
	version int64 // of the metadata
	account account.Account
	at      time.Time // when it was read
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

// draft is an item in its sealed form; empty if the item stays readable.
type draft struct {
	media    media.Media // in its final state
	progress media.Progress
	document []byte
	bodies   [][]byte // of callbacks; nil where there is none
}

// sealItem seals the item as it is now. It returns errStale if the item changed before everything was written, which
// locked prevents.
func (p *Pipeline) sealItem(ctx context.Context, o *outcome, locked bool) error {
	sealed := *o
	if locked {
		sealed.describe = func(s *snapshot) (draft, error) { return p.draft(ctx, s, o) }
	} else {
		before, err := store.Read(ctx, p.Store, func(tx *store.Tx) (snapshot, error) { return snapshotOf(tx, o.media.ID) })
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

// draft renders and encrypts everything about an item for its owner.
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
	v := payload.View{Media: m, Progress: d.progress, Streams: streams, Result: o.result}
	document, bodies, err := p.Write(ctx, s.account, v, o.callbacks())
	if err != nil {
		return d, err
	}
	if d.document, err = o.key.Armored(document); err != nil {
		return d, err
	}
	d.bodies = make([][]byte, len(bodies))
	for i, body := range bodies {
		if body == nil {
			continue
		}
		if d.bodies[i], err = o.key.Armored(body); err != nil {
			return d, err
		}
	}
	return d, nil
}

// putSealed replaces everything readable of an item with its draft, and returns the draft.
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
		func() error { return tx.SetWarnings(id, o.planWarnings()) }, // processing warnings may reveal what was said
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
		func() error { return purgeLater(tx, purge{Blobs: gone, Keys: true}) },
	)
}
