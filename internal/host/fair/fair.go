// Package fair shares this process among accounts: Room bounds how many pieces of work run at once, Processors shares
// processor time between those that run. However much one account asks for, another one that comes finds room at once,
// and has a processor within a slice.
//
// It does not know what the work is, keeps nothing beyond the process (package job shares workers between nodes) and
// never looks at a request's rate (package api does).
package fair

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// ErrFull says that an account has as many waiting as it may.
var ErrFull = errors.New("fair: too much of the account is waiting")

// Room admits pieces of work. It may be used by many goroutines.
type Room struct {
	Limits
	mu     sync.Mutex
	free   int
	turn   int64 // rises with each admission
	guests map[string]*guest
}

// Limits of a Room.
type Limits struct {
	All   int // run at once
	Each  int // of one account run at once
	Queue int // of one account wait; further ones are refused
	Keep  Keep
}

// Keep is what is kept free for other accounts.
type Keep int

// What is kept free.
const (
	Half    Keep = iota // an account has at most as many as it leaves free
	Last                // the last place is for an account that has none
	Nothing             // an account may have all; another one comes next
)

// guest is what one account has in a Room.
type guest struct {
	running int
	served  int64 // turn of its last admission
	waiting []chan struct{}
}

// NewRoom returns an empty room.
func NewRoom(l Limits) *Room {
	return &Room{Limits: l, free: l.All, guests: map[string]*guest{}}
}

// Enter waits until a piece of an account's work may run, which ends with leave. It returns ErrFull at once when too
// much of the account waits already, and the cause of the end of ctx.
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
	if at < 0 { // admitted in this instant
		r.leave(account)()
	}
	return nil, context.Cause(ctx)
}

// fits reports whether one more piece of an account's work may run.
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

// leave returns what ends a piece of work, once.
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

// next returns the account whose turn it is: of those that have something waiting which may run the one with the fewest
// running, and among equals the one that was served longest ago.
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

// forget drops an account that has nothing here.
func (r *Room) forget(account string) {
	if g := r.guests[account]; g != nil && g.running == 0 && len(g.waiting) == 0 {
		delete(r.guests, account)
	}
}
