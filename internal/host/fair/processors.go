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
	// Slice is the minimum time that work runs before it yields its place to another account.
	Slice = 5 * time.Millisecond
	// credit bounds how far the used time of an arriving account lags that of the others. Small jobs finish within it
	// without a pause.
	credit = 100 * time.Millisecond
	// overdue is the minimum duration of a slice after which an account that has used less gets an additional place.
	overdue = 2 * Slice
	// mostLent bounds the additional places per regular place. The server runs more threads than that.
	mostLent = 3
	// present is how long an account counts as present after it last took or gave back a place.
	present = time.Second
	// mostIdle is the number of accounts above which those without relevant history are dropped.
	mostIdle = 1024
)

// Processors are places for work that needs a processor, one per processor. An account may have all of them while no
// other account waits. Otherwise each place goes to the account that has used the least time, and work yields its place
// between slices. All time in a place counts as processor time, so work must not block in a place.
//
// Much of what an account waits for happens outside of places: in the database, the network and child processes. One
// place therefore stays free of the accounts that have used more while one that has used less is present. This costs
// them at most one processor, and saves the other account a wait for the operating system's scheduler at each of its
// steps.
//
// Some work cannot yield, such as decoding the record of a huge call. It does not delay other accounts: when a slice
// lasts too long, an account that has used less is lent an additional place, and the operating system divides the
// processors between both. The loan is repaid by the first account that gives a place back, or that yields one although
// others have used less.
type Processors struct {
	waiting atomic.Int64 // waiting places
	lent    atomic.Int64 // additional places on loan
	several atomic.Bool  // more than one account may be present

	mu      sync.Mutex
	places  int
	free    int
	watched bool // a timer watches for slices that last too long
	turn    int64
	clock   time.Duration // used time of the account that has used the least; it never decreases
	shares  map[string]*share
	taken   map[*Place]bool
}

// share is one account's share of the processors.
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
	began time.Time // start of its slice; guarded by the lock, as are the fields below
	since time.Time // time up to which it is charged

	ready chan struct{} // closed when the place is granted; new for each wait
	turn  int64         // sequence number of its wait
	held  bool
}

// NewProcessors returns n free places.
func NewProcessors(n int) *Processors {
	n = max(n, 1)
	return &Processors{places: n, free: n, shares: map[string]*share{}, taken: map[*Place]bool{}}
}

// Take waits for a place. The error is the cause of ctx, if that ends first.
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

// Yield gives the place to a waiting goroutine of an account that has used less, or of the same account, and waits for
// the next place. It repays a place on loan to an account that has used less. Long work calls it at least every few
// milliseconds. After an error, which is the cause of ctx, the goroutine has no place any more.
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

// Give gives the place back. Repeated calls are allowed, also after an error of Yield.
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

// serve grants free places to waiting accounts.
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

// lend grants free places, and additional places to accounts that wait for slices that last too long. It schedules the
// next check while an account waits.
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

// owed reports whether a slice of an account that has used more lasts too long and no place is on loan for it yet.
func (p *Processors) owed(s *share, now time.Time) bool {
	long := 0
	for place := range p.taken {
		if place.share != s && place.share.used > s.used && now.Sub(place.began) >= overdue {
			long++
		}
	}
	return int(p.lent.Load()) < min(long, mostLent*p.places)
}

// owes reports whether an account that has used less holds a place.
func (p *Processors) owes(s *share) bool {
	for place := range p.taken {
		if place.share.used < s.used {
			return true
		}
	}
	return false
}

// charge adds the time of all places to the used time of their accounts.
func (p *Processors) charge(now time.Time) {
	for place := range p.taken {
		place.charge(now)
	}
}

// charge adds the time since the last charge to the account's used time.
func (l *Place) charge(now time.Time) {
	l.share.used += now.Sub(l.since)
	l.since = now
}

// give grants the place to its goroutine.
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

// wait returns when the place is granted.
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
	if !waits { // granted in the meantime
		l.Give()
	}
	return context.Cause(ctx)
}

// least returns the lowest used time of the present accounts.
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

// most returns how many places an account may have: all but one while an account that has used less is present.
func (p *Processors) most(s *share, least time.Duration) int {
	if s.used > least {
		return max(p.places-1, 1)
	}
	return p.places
}

// next returns the place to grant next: of the account that has used the least; among equals, the one that has waited
// longest; nil if no waiting account may have one.
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

// shareOf returns the share of an account. An arriving account starts with the used time of the others less a credit,
// so it cannot catch up on time that it did not use long ago.
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

// advance moves the clock to the lowest used time of the active accounts.
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

// forget drops the accounts that would start like new ones, if there are many.
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

// owner is the account that work under a context belongs to.
type owner struct {
	processors *Processors
	account    string
}

// With returns a context for work of an account on the given processors.
func With(ctx context.Context, p *Processors, account string) context.Context {
	return context.WithValue(ctx, contextKey{}, owner{p, account})
}

// Account returns the account that work under a context belongs to, empty for none.
func Account(ctx context.Context) string {
	o, _ := ctx.Value(contextKey{}).(owner)
	return o.account
}

// Work runs f in a place of the account of ctx, or immediately if ctx has no account. f needs a processor and must not
// block. f calls yield at least every few milliseconds: yield returns the cause of ctx if that has ended; otherwise it
// may wait while other accounts use the processors.
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
