package fair

import (
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// Slice is how long work goes on at least before it hands its place to another account.
	Slice = 5 * time.Millisecond
	// credit is how much less than the others an account has used, at most, when it comes. Small work is done within it
	// without a pause.
	credit = 100 * time.Millisecond
	// overdue is how long a slice lasts at least before an account that has used less gets a place beside it.
	overdue = 2 * Slice
	// mostLent is how many places beyond those that there are may be lent, for each of them. The server runs more
	// threads than that.
	mostLent = 3
	// present is how long an account counts as present after it last took or gave back a place.
	present = time.Second
	// mostIdle is how many accounts are remembered before those are forgotten that have nothing to remember.
	mostIdle = 1024
)

// Processors are places for work that needs a processor: as many as there are processors. An account may have all of
// them while nobody else wants one. Otherwise each place goes to the account that has used the least time, and work
// hands its place over between its slices. Time in a place is taken for time on a processor, so nobody waits for others
// in a place.
//
// Much of what an account waits for is done outside of places: by the database, the network and child processes. One
// place therefore stays free of the accounts that have used more while one that has used less is present. It costs them
// at most one processor, and spares the other from waiting for the system's scheduler at each of its steps.
//
// Some work cannot stop between slices, such as unpacking the record of a huge call. It holds up no other account:
// beside a slice that lasts too long an account that has used less is lent a place, so that the system divides the
// processors between both. The first one to give a place back, or to hand one over although others have used less, pays
// for it.
type Processors struct {
	waiting atomic.Int64 // places that are waited for
	lent    atomic.Int64 // places that are given beyond those that there are
	several atomic.Bool  // more than one account may be present

	mu      sync.Mutex
	places  int
	free    int
	watched bool // a timer looks for slices that last too long
	turn    int64
	clock   time.Duration // what the account that has used the least had used; it never goes back
	shares  map[string]*share
	taken   map[*Place]bool
}

// share is what one account has of the processors.
type share struct {
	used    time.Duration
	seen    time.Time // when it last took or gave back a place
	held    int
	waiting []*Place
}

func (s *share) idle() bool { return s.held == 0 && len(s.waiting) == 0 }

// Place is a processor's time for one goroutine.
type Place struct {
	of    *Processors
	share *share
	began time.Time // its slice; changed under the lock, as the fields below
	since time.Time // until when its time was counted

	ready chan struct{} // closed when the place is given; new for each wait
	turn  int64         // when it began to wait
	held  bool
}

// NewProcessors returns n places, all free.
func NewProcessors(n int) *Processors {
	n = max(n, 1)
	return &Processors{places: n, free: n, shares: map[string]*share{}, taken: map[*Place]bool{}}
}

// Take waits for a place. The error is the cause of the end of ctx.
func (p *Processors) Take(ctx context.Context, account string) (*Place, error) {
	p.mu.Lock()
	now := time.Now()
	s := p.shareOf(account)
	s.seen = now
	p.several.Store(len(p.shares) > 1)
	place := &Place{of: p, share: s}
	if p.free > 0 && s.held < p.most(s, p.least(now)) {
		p.free--
		place.give(now)
		p.mu.Unlock()
		return place, nil
	}
	place.queue()
	p.lend(now)
	p.mu.Unlock()
	return place, place.wait(ctx)
}

// Yield hands the place over when another one waits whose account has used less, or one of the same account, and waits
// for the next. It pays for a place that was lent to an account that has used less. Long work calls it every few
// milliseconds or more often. After an error, the cause of the end of ctx, it has no place any more.
func (l *Place) Yield(ctx context.Context) error {
	p := l.of
	if p.waiting.Load() == 0 && p.lent.Load() == 0 && !p.several.Load() {
		return nil
	}
	now := time.Now()
	if now.Sub(l.began) < Slice {
		return nil
	}
	p.mu.Lock()
	l.began = now
	if !l.held {
		p.mu.Unlock()
		return context.Cause(ctx)
	}
	p.charge(now)
	least := p.least(now)
	next := p.next(least)
	switch {
	case next != nil && next.share.used <= l.share.used:
		l.drop()
		l.queue()
		next.dequeue()
		next.give(now)
	case p.lent.Load() > 0 && p.owes(l.share):
		p.lent.Add(-1)
		l.drop()
		l.queue()
	case l.share.held > p.most(l.share, least):
		p.free++
		l.drop()
		l.queue()
	default:
		p.mu.Unlock()
		return nil
	}
	p.lend(now)
	p.mu.Unlock()
	return l.wait(ctx)
}

// Give gives the place back. It may be called again, and after an error of Yield.
func (l *Place) Give() {
	p := l.of
	p.mu.Lock()
	defer p.mu.Unlock()
	if !l.held {
		return
	}
	now := time.Now()
	p.advance(now)
	l.share.seen = now
	l.drop()
	if p.lent.Load() > 0 {
		p.lent.Add(-1)
		p.lend(now)
	} else {
		p.free++
		p.serve(now)
	}
}

// serve gives free places to those who may have them.
func (p *Processors) serve(now time.Time) {
	for least := p.least(now); p.free > 0; {
		next := p.next(least)
		if next == nil {
			return
		}
		p.free--
		next.dequeue()
		next.give(now)
	}
}

// lend gives free places to those who may have them, and places beyond those that there are to accounts that wait
// beside slices that last too long. It sees to it that this is looked at again while somebody waits.
func (p *Processors) lend(now time.Time) {
	p.charge(now)
	p.serve(now)
	least := p.least(now)
	for next := p.next(least); next != nil && p.owed(next.share, now); next = p.next(least) {
		p.lent.Add(1)
		next.dequeue()
		next.give(now)
	}
	if p.watched || p.waiting.Load() == 0 {
		return
	}
	p.watched = true
	time.AfterFunc(Slice, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.watched = false
		p.lend(time.Now())
	})
}

// owed reports whether a slice of an account that has used more lasts too long, for which no place is lent yet.
func (p *Processors) owed(s *share, now time.Time) bool {
	long := 0
	for place := range p.taken {
		if place.share != s && place.share.used > s.used && now.Sub(place.began) >= overdue {
			long++
		}
	}
	return int(p.lent.Load()) < min(long, mostLent*p.places)
}

// owes reports whether an account that has used less has a place.
func (p *Processors) owes(s *share) bool {
	for place := range p.taken {
		if place.share.used < s.used {
			return true
		}
	}
	return false
}

// charge adds the time of all places to what their accounts have used.
func (p *Processors) charge(now time.Time) {
	for place := range p.taken {
		place.charge(now)
	}
}

// charge adds the time since it was last counted to what the account has used.
func (l *Place) charge(now time.Time) {
	l.share.used += now.Sub(l.since)
	l.since = now
}

// give lets the place's goroutine go on.
func (l *Place) give(now time.Time) {
	l.began, l.since, l.held = now, now, true
	l.share.held++
	l.of.taken[l] = true
	if l.ready != nil {
		close(l.ready)
	}
}

func (l *Place) drop() {
	l.held = false
	l.share.held--
	delete(l.of.taken, l)
}

func (l *Place) queue() {
	p := l.of
	p.turn++
	l.turn, l.ready = p.turn, make(chan struct{})
	l.share.waiting = append(l.share.waiting, l)
	p.waiting.Add(1)
}

func (l *Place) dequeue() {
	at := slices.Index(l.share.waiting, l)
	l.share.waiting = slices.Delete(l.share.waiting, at, at+1)
	l.of.waiting.Add(-1)
}

// wait returns when the place is given.
func (l *Place) wait(ctx context.Context) error {
	select {
	case <-l.ready:
		return nil
	case <-ctx.Done():
	}
	l.of.mu.Lock()
	waits := !l.held
	if waits {
		l.dequeue()
	}
	l.of.mu.Unlock()
	if !waits { // given in this instant
		l.Give()
	}
	return context.Cause(ctx)
}

// least returns the least that an account which is present has used.
func (p *Processors) least(now time.Time) time.Duration {
	least, accounts := time.Duration(math.MaxInt64), 0
	for _, s := range p.shares {
		if !s.idle() || now.Sub(s.seen) < present {
			least = min(least, s.used)
			accounts++
		}
	}
	if accounts < 2 {
		p.several.Store(false)
	}
	return least
}

// most returns how many places an account may have: all but one when another one is present that has used less.
func (p *Processors) most(s *share, least time.Duration) int {
	if s.used > least {
		return max(p.places-1, 1)
	}
	return p.places
}

// next returns the place to give next: of the account that has used the least, and among equals the one that has waited
// longest; nil when nobody waits who may have one.
func (p *Processors) next(least time.Duration) (best *Place) {
	for _, s := range p.shares {
		if len(s.waiting) == 0 || s.held >= p.most(s, least) {
			continue
		}
		first := s.waiting[0]
		if best == nil || s.used < best.share.used || s.used == best.share.used && first.turn < best.turn {
			best = first
		}
	}
	return best
}

// shareOf returns the share of an account. One that comes begins with what the others have used, less a credit: time
// that it did not use long ago is not made up for.
func (p *Processors) shareOf(account string) *share {
	s := p.shares[account]
	if s == nil {
		p.forget()
		s = &share{}
		p.shares[account] = s
	}
	if s.idle() {
		p.advance(time.Now())
		s.used = max(s.used, p.clock-credit)
	}
	return s
}

// advance moves the clock to what the account at work has used that has used the least.
func (p *Processors) advance(now time.Time) {
	p.charge(now)
	least := time.Duration(-1)
	for _, s := range p.shares {
		if !s.idle() && (least < 0 || s.used < least) {
			least = s.used
		}
	}
	p.clock = max(p.clock, least)
}

// forget drops the accounts that would begin like new ones, when there are many.
func (p *Processors) forget() {
	if len(p.shares) < mostIdle {
		return
	}
	for account, s := range p.shares {
		if s.idle() && s.used <= p.clock-credit {
			delete(p.shares, account)
		}
	}
}

type contextKey struct{}

// owner is who work under a context is done for.
type owner struct {
	processors *Processors
	account    string
}

// With returns a context for work that is done for an account on some processors.
func With(ctx context.Context, p *Processors, account string) context.Context {
	return context.WithValue(ctx, contextKey{}, owner{p, account})
}

// Account returns for whom work under a context is done, empty for nobody.
func Account(ctx context.Context) string {
	o, _ := ctx.Value(contextKey{}).(owner)
	return o.account
}

// Work runs f, which needs a processor and waits for nothing and nobody else, in a place of the account that ctx is
// for; at once where it is for none. f calls yield every few milliseconds or more often: it returns the cause of the
// end of ctx, once that has come, and else may wait while other accounts have the processors.
func Work(ctx context.Context, f func(yield func() error) error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	place := &Place{}
	if o, _ := ctx.Value(contextKey{}).(owner); o.processors != nil {
		var err error
		if place, err = o.processors.Take(ctx, o.account); err != nil {
			return err
		}
		defer place.Give()
	}
	return f(func() error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if place.of == nil {
			return nil
		}
		return place.Yield(ctx)
	})
}
