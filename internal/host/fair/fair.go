// Package fair shares this process among accounts: Room bounds how many operations run concurrently, Processors shares
// processor time between them. However much one account requests, another one that arrives finds room immediately, and
// gets a processor within a slice.
//
// It does not know what the work is, stores nothing beyond the process (package job shares workers between nodes) and
// ignores request rates (package api limits those).
package fair

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// ErrFull is the error when an account's queue is full.
var ErrFull = errors.New("fair: the queue of the account is full")

// Room admits operations. It is safe for concurrent use.
type Room struct {
	Limits
	mu     sync.Mutex
	free   int
	turn   int64 // rises with each admission
	guests map[string]*guest
}

// Limits of a Room.
type Limits struct {
	All   int // running concurrently
	Each  int // running concurrently for one account
	Queue int // waiting for one account; further ones are refused
	Keep  Keep
}

// Keep is how much is reserved for other accounts.
type Keep int

// The reservations.
const (
	Half    Keep = iota // an account runs at most as many as it leaves free
	Last                // the last place is reserved for an account that has none
	Nothing             // an account may use all; the next free place goes to another account
)

// guest is the state of one account in a Room.
type guest struct {
	running int
	served  int64 // turn of its last admission
	waiting []chan struct{}
}

// NewRoom returns an empty room.
func NewRoom(l Limits) *Room {
	return &Room{Limits: l, free: l.All, guests: map[string]*guest{}}
}

// Enter waits until an operation of an account may run; call leave when it ends. It returns ErrFull immediately if the
// account's queue is full, and the cause of ctx if ctx ends.
func (r *Room) Enter(ctx context.Context, account string) (leave func(), err error) {
	r.mu.Lock()
	g := r.guests[account]
	if g == nil {
		g = &guest{}
		r.guests[account] = g
	}
	if len(g.waiting) == 0 && r.fits(g) {
		r.admit(g)
		r.mu.Unlock()
		return r.leave(account), nil
	}
	defer func() {
		if err != nil {
			r.mu.Lock()
			r.forget(account)
			r.mu.Unlock()
		}
	}()
	if len(g.waiting) >= r.Queue {
		r.mu.Unlock()
		return nil, ErrFull
	}
	mine := make(chan struct{})
	g.waiting = append(g.waiting, mine)
	r.mu.Unlock()
	select {
	case <-mine:
		return r.leave(account), nil
	case <-ctx.Done():
	}
	r.mu.Lock()
	at := slices.Index(g.waiting, mine)
	if at >= 0 {
		g.waiting = slices.Delete(g.waiting, at, at+1)
	}
	r.mu.Unlock()
	if at < 0 { // admitted in the meantime
		r.leave(account)()
	}
	return nil, context.Cause(ctx)
}

// fits reports whether one more operation of an account may run.
func (r *Room) fits(g *guest) bool {
	most := r.Each
	switch {
	case r.free == 0:
		return false
	case r.Keep == Half:
		most = min(most, r.free)
	case r.Keep == Last && r.free == 1:
		most = 1
	}
	return g.running < most
}

func (r *Room) admit(g *guest) {
	r.free--
	r.turn++
	g.running, g.served = g.running+1, r.turn
}

// leave returns a function that ends an operation; further calls of it do nothing.
func (r *Room) leave(account string) func() {
	return sync.OnceFunc(func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.free++
		r.guests[account].running--
		for g := r.next(); g != nil; g = r.next() {
			r.admit(g)
			close(g.waiting[0])
			g.waiting = g.waiting[1:]
		}
		r.forget(account)
	})
}

// next returns the account to admit: of those with a waiting operation that may run, the one with the fewest running;
// among equals, the one served longest ago.
func (r *Room) next() (best *guest) {
	for _, g := range r.guests {
		if len(g.waiting) == 0 || !r.fits(g) {
			continue
		}
		if best == nil || g.running < best.running || g.running == best.running && g.served < best.served {
			best = g
		}
	}
	return best
}

// forget drops an account that neither runs nor waits.
func (r *Room) forget(account string) {
	if g := r.guests[account]; g != nil && g.running == 0 && len(g.waiting) == 0 {
		delete(r.guests, account)
	}
}
