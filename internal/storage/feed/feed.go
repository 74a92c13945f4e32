// Package feed tells clients that wait for changes of an account's recordings that there are some. One loop in each
// server reads the database for all who wait, so that the cost does not depend on their number; it also numbers the
// changes of committed transactions, one server at a time (store.NumberChanges).
//
// It holds no changes: who is told reads them with store.Changes.
package feed

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"parley/internal/host/health"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/fault"
)

// Every is the pause between two looks at the database.
const Every = 500 * time.Millisecond

// Most places for those who wait: in all, and of one account. An account has a small part of all.
const (
	Most          = 10_000
	MostOfAccount = 500
)

// Feed is what the clients of one server wait for. It is safe for concurrent use.
type Feed struct {
	Pulse health.Pulse // of Run

	db  *store.Store
	log *slog.Logger

	mu      sync.Mutex
	waiting map[account.ID]map[*Place]struct{}
	places  int
}

// New returns a feed, which Run has to drive.
func New(db *store.Store, log *slog.Logger) *Feed {
	return &Feed{db: db, log: log, waiting: map[account.ID]map[*Place]struct{}{}}
}

// Place is the place of a client that waits.
type Place struct {
	feed    *Feed
	account account.ID
	changed chan struct{}
}

// Changed receives a value after changes of the account's recordings.
func (p *Place) Changed() <-chan struct{} { return p.changed }

// Join takes a place for changes of an account's recordings: changes that a later transaction does not read are told.
// Leave gives it back. Exhausted if there is no place left.
func (f *Feed) Join(a account.ID) (*Place, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n := len(f.waiting[a]); n >= MostOfAccount {
		return nil, fault.New(fault.Exhausted, fault.CodeConcurrent,
			"%d requests of the account wait for changes, the maximum; wait until one of them has ended, or ask without wait", n)
	}
	if f.places >= Most {
		return nil, fault.New(fault.Exhausted, fault.CodeConcurrent,
			"%d requests wait for changes, the maximum of this server; ask later, or without wait", f.places)
	}
	p := &Place{feed: f, account: a, changed: make(chan struct{}, 1)}
	if f.waiting[a] == nil {
		f.waiting[a] = map[*Place]struct{}{}
	}
	f.waiting[a][p] = struct{}{}
	f.places++
	return p, nil
}

// Leave gives a place back. It may be called once.
func (p *Place) Leave() {
	f := p.feed
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.waiting[p.account], p)
	if len(f.waiting[p.account]) == 0 {
		delete(f.waiting, p.account)
	}
	f.places--
}

// Waiting returns how many clients wait.
func (f *Feed) Waiting() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.places
}

// Run numbers changes and tells those who wait, until ctx ends.
func (f *Feed) Run(ctx context.Context) {
	tick := time.NewTicker(Every)
	defer tick.Stop()
	for told := int64(-1); ; {
		var err error
		if told, err = f.look(ctx, told); err == nil {
			f.Pulse.Beat()
		} else if ctx.Err() == nil {
			f.Pulse.Fail(err)
			f.log.Debug("looking for changes of recordings failed", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// look numbers what is committed, tells those whose accounts have changes after the number told, and returns the last
// number.
func (f *Feed) look(ctx context.Context, told int64) (int64, error) {
	for more := true; more; {
		var err error
		if more, err = f.db.NumberChanges(ctx); err != nil {
			return told, err
		}
	}
	var changed []account.ID
	var all bool
	last, err := store.Read(ctx, f.db, func(tx *store.Tx) (last int64, err error) {
		last, changed, all, err = tx.ChangedAccounts(told)
		return last, err
	})
	if err != nil {
		return told, err
	}
	f.tell(changed, all)
	return last, nil
}

// tell wakes those who wait for accounts, or all.
func (f *Feed) tell(changed []account.ID, all bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if all {
		for _, places := range f.waiting {
			wake(places)
		}
		return
	}
	for _, a := range changed {
		wake(f.waiting[a])
	}
}

func wake(places map[*Place]struct{}) {
	for p := range places {
		select {
		case p.changed <- struct{}{}:
		default: // it has not read yet what it was told before
		}
	}
}
