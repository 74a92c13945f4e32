package payload

import (
	"bytes"
	"context"
	"io"
	"strings"

	"parley/internal/call/caption"
	"parley/internal/call/delivery"
	"parley/internal/call/wire"
	"parley/internal/flow/callback"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// Write renders an item that is about to be sealed: the document, which is the whole item with the formats that
// callbacks carry, and the bodies of callbacks, nil where a callback delivers a stream or nothing. Stream URLs in
// bodies are signed and work without a token for a while; in the document, which is kept, they need a token.
func (r *Renderer) Write(
	ctx context.Context, of account.Account, v View, callbacks []delivery.Callback,
) (document []byte, bodies [][]byte, err error) {
	signed := r.locations(ctx, v)
	if document, err = wire.Marshal(wire.NewMedia(v.Item(of, unsigned(signed), caption.Delivered...))); err != nil {
		return nil, nil, err
	}
	bodies = make([][]byte, len(callbacks))
	for i, c := range callbacks {
		if c.Type == delivery.Media || c.Type == delivery.Transcript && v.Result == nil {
			continue
		}
		if bodies[i], err = body(v, of, signed, c); err != nil {
			return nil, nil, err
		}
	}
	return document, bodies, nil
}

// locations returns the signed URLs of an item's streams.
func (r *Renderer) locations(ctx context.Context, v View) []wire.StreamAt {
	return v.Locations(func(m *media.Media, stream string) string { return r.Location(ctx, m, stream) })
}

// unsigned returns URLs without their signatures.
func unsigned(at []wire.StreamAt) []wire.StreamAt {
	plain := make([]wire.StreamAt, len(at))
	for i, s := range at {
		address, _, _ := strings.Cut(s.Location, "?")
		plain[i] = wire.StreamAt{Name: s.Name, Location: address}
	}
	return plain
}

// sealed returns the body of a delivery of a sealed item, which was rendered when the item was sealed.
func (r *Renderer) sealed(ctx context.Context, d delivery.Delivery) (callback.Body, error) {
	content, err := store.Read(ctx, r.Store, func(tx *store.Tx) ([]byte, error) { return tx.DeliveryBody(d.ID) })
	return text(d.ContentType(true), content), err
}

// text is a body that is held in memory.
func text(contentType string, content []byte) callback.Body {
	return callback.Body{ContentType: contentType, Length: int64(len(content)),
		Open: func(context.Context) (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(content)), nil
		}}
}
