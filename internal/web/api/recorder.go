package api

import (
	"context"
	"log/slog"
	"maps"
	"sync"
	"time"

	"parley/internal/storage/store"
	"parley/internal/words/audit"
	"parley/internal/words/fault"
)

// Limits for recording audit events after requests.
const (
	recordEvery = 250 * time.Millisecond // maximum delay before an event is written
	recordSoon  = 1_000                  // number of events that are written without delay
	mostWaiting = 20_000                 // events in memory before requests wait for the database
	longestWait = 5 * time.Second        // maximum time that a request waits
	recordRetry = time.Second            // delay after the database was unavailable
)

// AuditRecorder writes the audit events that no request transaction writes, and the times when tokens and
// sessions were last used.
// It writes many events in one transaction after a short delay, so that no request waits for the disk. Events not yet
// written are lost when the process is killed; Run returns only when all are written.
type AuditRecorder struct {
	store *store.Store
	log   *slog.Logger
	wake  chan struct{} // signals that there are enough events to write immediately
	write sync.Mutex    // held while a batch is written

	mu      sync.Mutex
	events  []audit.Event
	used    uses
	drained chan struct{} // closed when the pending events have been taken
}

// uses are the ids of tokens and sessions that were used.
type uses struct{ tokens, sessions map[string]bool }

func newUses() uses { return uses{map[string]bool{}, map[string]bool{}} }

func (u uses) none() bool { return len(u.tokens) == 0 && len(u.sessions) == 0 }

// write records the uses.
func (u uses) write(tx *store.Tx) error {
	for id := range u.tokens {
		if err := tx.TouchToken(id); err != nil {
			return err
		}
	}
	for id := range u.sessions {
		if err := tx.TouchSession(id); err != nil {
			return err
		}
	}
	return nil
}

// NewAuditRecorder returns a recorder; the caller must call Run.
func NewAuditRecorder(db *store.Store, log *slog.Logger) *AuditRecorder {
	return &AuditRecorder{store: db, log: log, wake: make(chan struct{}, 1), used: newUses(),
		drained: make(chan struct{})}
}

// Add records an event. It waits only when very many events are pending, at most for longestWait: after that, the event
// is only in the server's log.
func (c *AuditRecorder) Add(ctx context.Context, e audit.Event) {
	deadline := time.NewTimer(longestWait)
	defer deadline.Stop()
	for {
		taken, ok := c.offer(e)
		if ok {
			return
		}
		select {
		case <-taken:
		case <-deadline.C:
			c.lose(e)
			return
		case <-ctx.Done():
			c.lose(e)
			return
		}
	}
}

func (c *AuditRecorder) lose(e audit.Event) {
	c.log.Error("audit event lost", "reference", e.Reference, "account", e.Account, "action", e.Action,
		"object", e.Object, "media", e.Media)
}

// offer adds an event if there is room. Otherwise it returns a channel that is closed when there may be room.
func (c *AuditRecorder) offer(e audit.Event) (taken <-chan struct{}, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.events) >= mostWaiting {
		return c.drained, false
	}
	if c.events = append(c.events, e); len(c.events) >= recordSoon {
		select {
		case c.wake <- struct{}{}:
		default:
		}
	}
	return nil, true
}

// Used records that a token was used.
func (c *AuditRecorder) Used(token string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.used.tokens[token] = true
}

// UsedSession records that the session of a browser was used.
func (c *AuditRecorder) UsedSession(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.used.sessions[id] = true
}

// take removes and returns all pending events and uses.
func (c *AuditRecorder) take() (events []audit.Event, used uses) {
	c.mu.Lock()
	defer c.mu.Unlock()
	used, c.used = c.used, newUses()
	events, c.events = c.events, nil
	close(c.drained)
	c.drained = make(chan struct{})
	return events, used
}

// giveBack puts events back in front of those added since.
func (c *AuditRecorder) giveBack(events []audit.Event, used uses) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.events = append(events, c.events...)
	maps.Copy(c.used.tokens, used.tokens)
	maps.Copy(c.used.sessions, used.sessions)
}

// Flush writes everything added so far. Its error is Unavailable if the database is.
func (c *AuditRecorder) Flush(ctx context.Context) error {
	c.write.Lock()
	defer c.write.Unlock()
	events, used := c.take()
	if len(events) == 0 && used.none() {
		return nil
	}
	err := c.store.Update(ctx, func(tx *store.Tx) error {
		if err := used.write(tx); err != nil {
			return err
		}
		return tx.AddEvents(events...)
	})
	switch {
	case err == nil:
	case fault.Is(err, fault.Unavailable) || ctx.Err() != nil:
		c.giveBack(events, used)
	default: // another attempt would fail too
		for _, e := range events {
			c.lose(e)
		}
	}
	return err
}

// Run writes events until ctx ends, and then the remaining ones.
func (c *AuditRecorder) Run(ctx context.Context) {
	tick := time.NewTicker(recordEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
			continue
		case <-tick.C:
		case <-c.wake:
		}
		if err := c.Flush(ctx); err != nil && ctx.Err() == nil {
			c.log.Warn("writing audit events failed, trying again", "error", err)
			select {
			case <-ctx.Done():
			case <-time.After(recordRetry):
			}
		}
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), longestWait)
	defer cancel()
	if err := c.Flush(last); err != nil {
		c.log.Error("writing the last audit events failed", "error", err)
		events, _ := c.take() // they are in the log at least
		for _, e := range events {
			c.lose(e)
		}
	}
}
