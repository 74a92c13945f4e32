// Package payload renders media items for use outside a request: it builds the bodies of deliveries from stored data
// when they are needed.
//
// It does not decide when, where or whether something is sent (package callback), and has no JSON shapes of its own
// (package wire).
package payload

import (
	"cmp"
	"context"
	"io"

	"parley/internal/call/caption"
	"parley/internal/call/codec"
	"parley/internal/call/delivery"
	"parley/internal/call/result"
	"parley/internal/call/wire"
	"parley/internal/flow/callback"
	"parley/internal/host/fair"
	"parley/internal/host/memory"
	"parley/internal/storage/store"
	"parley/internal/storage/vault"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/list"
	"parley/internal/words/media"
)

// View is everything that can be shown of one media item.
type View struct {
	Media    media.Media
	Progress media.Progress
	Streams  []media.Stream
	Result   *result.Open // nil until there is one
	Revision int64        // of Result: another one for each result and each change of it; 0 without one
}

// Load reads an account's item and, if results is set, its results. It accounts for the memory under ctx before it
// allocates it. It decodes the result in a processor slot of the account of ctx.
func Load(
	ctx context.Context, db *store.Store, codec *codec.Codec, owner account.ID, id media.ID, results bool,
) (View, error) {
	var v View
	var kept []byte
	err := db.View(ctx, func(tx *store.Tx) (err error) {
		if v.Media, err = tx.Media(owner, id); err != nil {
			return err
		}
		if v.Progress, err = tx.Progress(owner, id); err != nil {
			return err
		}
		if v.Streams, err = tx.Streams(owner, id); err != nil {
			return err
		}
		if v.Revision, err = tx.ResultRevision(owner, id); err != nil { // before the result: that is not older
			return err
		}
		if results {
			kept, err = tx.Published(owner, id)
		}
		if fault.Is(err, fault.NotFound) {
			err = nil // no result yet
		}
		return err
	})
	if err == nil && kept != nil {
		err = fair.Work(ctx, func(yield func() error) (err error) {
			count := memory.Counter(ctx)
			v.Result, err = codec.DecodeResultWithin(kept, func(bytes int64) error {
				return cmp.Or(count(bytes), yield())
			})
			return err
		})
		memory.Give(ctx, int64(len(kept)))
	}
	return v, err
}

// Item renders the item as in the API's answer.
func (v *View) Item(of account.Account, streams []wire.StreamAt, alternates ...caption.Format) wire.Item {
	item := wire.Item{Media: &v.Media, Account: of, Alternates: alternates, Streams: streams}
	if v.Result != nil {
		item.Transcript, item.Findings = v.Result.Transcript, v.Result.Findings
	}
	if v.Media.Status != media.Finished || v.Media.Sealed {
		item.Progress = &v.Progress
	}
	return item
}

// Locations returns the URLs of the item's streams, given how to sign one.
func (v *View) Locations(location func(m *media.Media, stream string) string) []wire.StreamAt {
	return list.Map(v.Streams, func(s media.Stream) wire.StreamAt {
		return wire.StreamAt{Name: s.Name, Location: location(&v.Media, s.Name)}
	})
}

// Renderer renders the bodies of deliveries.
type Renderer struct {
	Store    *store.Store
	Vault    vault.Vault
	Codec    *codec.Codec
	Location func(ctx context.Context, m *media.Media, stream string) string // returns a signed URL
}

// Body renders the body of a delivery; it is a callback.Source. It returns NotFound when there is nothing to deliver:
// the item, its transcript or its stream is gone.
func (r *Renderer) Body(ctx context.Context, d delivery.Delivery) (callback.Body, error) {
	if d.Type == delivery.Media {
		return r.stream(ctx, d)
	}
	v, err := Load(ctx, r.Store, r.Codec, d.Account, d.Media, true)
	if err != nil {
		return callback.Body{}, err
	}
	if v.Media.Sealed {
		return r.sealed(ctx, d)
	}
	of, err := store.Read(ctx, r.Store, func(tx *store.Tx) (account.Account, error) { return tx.Account(d.Account) })
	if err != nil {
		return callback.Body{}, err
	}
	content, err := body(v, of, r.locations(ctx, v), d.Callback)
	return text(d.ContentType(false), content), err
}

// body renders the body of a callback that delivers no stream.
func body(v View, of account.Account, streams []wire.StreamAt, c delivery.Callback) ([]byte, error) {
	if c.Type == delivery.Transcript {
		return transcript(v, c.Format)
	}
	return wire.Marshal(wire.NewDelivery(v.Item(of, streams, caption.Delivered...), c.Include))
}

func transcript(v View, format string) ([]byte, error) {
	if v.Result == nil {
		return nil, fault.New(fault.NotFound, fault.CodeNotFinished, "the item has no transcript")
	}
	if f, ok := caption.ParseFormat(format); ok && f != caption.JSON {
		return caption.Render(v.Result.Transcript, f), nil
	}
	return wire.Marshal(wire.NewTranscript(&v.Media, v.Result.Transcript, nil))
}

// stream delivers a stored stream: the encrypted bytes if the item is sealed.
func (r *Renderer) stream(ctx context.Context, d delivery.Delivery) (callback.Body, error) {
	s, err := store.Read(ctx, r.Store, func(tx *store.Tx) (media.Stream, error) {
		m, err := tx.Media(d.Account, d.Media)
		if err != nil {
			return media.Stream{}, err
		}
		name := d.Stream
		if m.Sealed {
			name = media.EncryptedName(name)
		}
		return tx.Stream(d.Account, d.Media, name)
	})
	if err != nil {
		return callback.Body{}, err
	}
	return callback.Body{ContentType: d.ContentType(false), Length: s.Size,
		Open: func(ctx context.Context) (io.ReadCloser, error) {
			return r.Vault.Open(ctx, s, 0, -1)
		}}, nil
}
