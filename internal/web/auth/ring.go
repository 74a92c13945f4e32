package auth

import (
	"context"
	"errors"
	"net/url"
	"sync"
	"time"

	"parley/internal/words/media"
)

// Ring signs and checks stream URLs with the keys that all nodes share, and refreshes them periodically. It is safe for
// concurrent use.
type Ring struct {
	load func(context.Context) (Keys, error)

	mu   sync.Mutex
	keys Keys
	read time.Time
}

// NewRing returns a ring that reads its keys with load, the first time immediately.
func NewRing(ctx context.Context, load func(context.Context) (Keys, error)) (*Ring, error) {
	keys, err := load(ctx)
	return &Ring{load: load, keys: keys, read: time.Now()}, err
}

// Sign returns the query parameters that carry a grant.
func (r *Ring) Sign(ctx context.Context, g Grant) url.Values {
	return r.after(ctx, KeyRefresh).Sign(g, time.Now())
}

// Address returns the absolute, signed URL of a stream under a base URL. It works without a token for StreamTTL.
func (r *Ring) Address(ctx context.Context, base string, m *media.Media, stream string) string {
	g := Grant{Account: m.Account, Media: m.ID, Stream: stream, Expires: time.Now().Add(StreamTTL)}
	return base + "/v3/media/" + string(m.ID) + "/streams/" + url.PathEscape(stream) + "?" + r.Sign(ctx, g).Encode()
}

// Check returns the grant of a query for a stream, like Keys.Check. Before it rejects a signature, it reads the keys
// again, at most once per second: another node may have signed with a newer key.
func (r *Ring) Check(ctx context.Context, query url.Values, id media.ID, stream string) (Grant, error) {
	g, err := r.after(ctx, KeyRefresh).Check(query, id, stream, time.Now())
	if errors.Is(err, errForged) {
		g, err = r.after(ctx, time.Second).Check(query, id, stream, time.Now())
	}
	return g, err
}

// after returns the keys, and refreshes them if they are older than age. While they cannot be read, or another
// goroutine is reading them, it returns the old ones.
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
