package auth

import (
	"context"
	"errors"
	"net/url"
	"sync"
	"time"

	"parley/internal/words/media"
)

// Ring signs and checks stream URLs with the keys that all nodes share, and reads them again as time goes by.
// It may be used by many goroutines.
type Ring struct {
	load func(context.Context) (Keys, error)

	mu   sync.Mutex
	keys Keys
	read time.Time
}

// NewRing returns a ring that gets its keys from load, for the first time now.
func NewRing(ctx context.Context, load func(context.Context) (Keys, error)) (*Ring, error) {
	keys, err := load(ctx)
	return &Ring{load: load, keys: keys, read: time.Now()}, err
}

// Sign returns the query parameters that carry a grant.
func (r *Ring) Sign(ctx context.Context, g Grant) url.Values {
	return r.after(ctx, KeyRefresh).Sign(g, time.Now())
}

// Address returns the absolute address of a stream below a base address, signed: it works without a token for
// StreamTTL.
func (r *Ring) Address(ctx context.Context, base string, m *media.Media, stream string) string {
	g := Grant{Account: m.Account, Media: m.ID, Stream: stream, Expires: time.Now().Add(StreamTTL)}
	return base + "/v3/media/" + string(m.ID) + "/streams/" + url.PathEscape(stream) + "?" + r.Sign(ctx, g).Encode()
}

// Check returns the grant of a query for a stream, as Keys.Check does. Before a signature is called wrong the
// keys are read again, at most once a second: another node may sign with one that is newer.
func (r *Ring) Check(ctx context.Context, query url.Values, id media.ID, stream string) (Grant, error) {
	g, err := r.after(ctx, KeyRefresh).Check(query, id, stream, time.Now())
	if errors.Is(err, errForged) {
		g, err = r.after(ctx, time.Second).Check(query, id, stream, time.Now())
	}
	return g, err
}

// after returns the keys, read again when that is longer ago than age. While they cannot be read, those there
// are serve on; while somebody reads them, too.
func (r *Ring) after(ctx context.Context, age time.Duration) Keys {
	r.mu.Lock()
	keys, now := r.keys, time.Now()
	stale := now.Sub(r.read) > age
	if stale {
		r.read = now
	}
	r.mu.Unlock()
	if !stale {
		return keys
	}
	fresh, err := r.load(ctx)
	if err != nil {
		return keys
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keys = fresh
	return fresh
}
