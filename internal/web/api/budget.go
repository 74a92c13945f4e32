package api

import (
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"parley/internal/words/account"
	"parley/internal/words/fault"
)

// returnFrom is how much must have been held for the process to give it back to the operating system at once when it is
// free. Else the runtime does so in time.
const returnFrom = 64 << 20

// budget bounds the memory that the requests of this process hold: what has arrived of bodies that are kept in memory,
// what they become when they are parsed, buffers of uploads, and what is read and made for answers until they are
// taken. No account holds more than its share. When all is in use, an account that holds less than an equal part of the
// budget gets memory from one that holds more: of that one's requests the server ends the one that has waited for its
// client for the longest time.
type budget struct {
	most  int64 // bytes in all; 0: no limit
	share int64 // bytes of one account; 0: no limit

	toSystem  func()      // gives free memory back to the operating system
	returning atomic.Bool // it does so now

	mu       sync.Mutex
	held     int64
	peak     int64 // what was held at most since memory was given back
	accounts map[account.ID]*tenant
}

// tenant is what the requests of one account hold. It exists while one of them holds something.
type tenant struct {
	held     int64
	holdings map[*holding]struct{}
}

// holding is the memory of one request. All its methods work on nil, which is not counted.
type holding struct {
	budget *budget
	owner  account.ID
	cut    func() // ends the request's wait for its client

	// The rest is guarded by the budget's lock.
	held    int64
	reading bool      // it waits for its client, so that it can be ended
	moved   time.Time // when it last got something
	evicted bool
	closed  bool
}

func newBudget(most, share int64) *budget {
	return &budget{most: most, share: share, toSystem: debug.FreeOSMemory, accounts: map[account.ID]*tenant{}}
}

// open returns the holding of a request, which holds nothing yet. cut is called with the budget locked. The caller
// closes it.
func (b *budget) open(owner account.ID, cut func()) *holding {
	return &holding{budget: b, owner: owner, cut: cut, moved: time.Now()}
}

// take adds bytes to what the request holds, or refuses it, at once: with 429 when its account has no more, with 503
// when the server has not.
func (h *holding) take(bytes int64) error {
	if h == nil || bytes <= 0 {
		return nil
	}
	b := h.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case h.evicted:
		return errEvicted
	case h.closed: // what is left to do, such as notes in logs, is small
		return nil
	}
	own := b.accounts[h.owner]
	if own == nil {
		own = &tenant{holdings: map[*holding]struct{}{}}
	}
	if most := b.alone(); most > 0 && h.held+bytes > most {
		return fault.New(fault.TooLarge, fault.CodeTooLarge,
			"the request needs more than %d bytes of memory, the most that one may take; send less, or ask for less",
			most)
	}
	if b.share > 0 && own.held+bytes > b.share {
		return fault.New(fault.Exhausted, fault.CodeMemory,
			"the requests of the account need more than %d bytes of memory, its share of this server; send fewer "+
				"large parts at a time", b.share)
	}
	if b.most > 0 && b.held+bytes > b.most && !b.makeRoom(h.owner, own, bytes) {
		return fault.New(fault.Unavailable, fault.CodeMemory,
			"the requests under way need all memory that this server has for them; send this one again")
	}
	b.accounts[h.owner] = own
	own.holdings[h] = struct{}{}
	h.held, own.held, b.held = h.held+bytes, own.held+bytes, b.held+bytes
	h.moved, b.peak = time.Now(), max(b.peak, b.held)
	return nil
}

// alone is what a request may hold beside which there is no other.
func (b *budget) alone() int64 {
	if b.share > 0 && (b.most <= 0 || b.share < b.most) {
		return b.share
	}
	return b.most
}

// makeRoom ends requests of other accounts until there is room for so many bytes, and reports whether there is. What
// they hold counts as free from then on, though they need a moment to end.
func (b *budget) makeRoom(owner account.ID, own *tenant, bytes int64) bool {
	tenants := int64(len(b.accounts))
	if b.accounts[owner] == nil {
		tenants++
	}
	fair := b.most / tenants
	if own.held+bytes > fair {
		return false
	}
	for b.held+bytes > b.most {
		victim := b.longestWaiting(fair)
		if victim == nil {
			return false
		}
		victim.evicted = true
		victim.cut()
		b.release(victim, victim.held)
	}
	return true
}

// longestWaiting returns the request that has waited for its client for the longest time, of the account that holds
// most, if that is more than a fair part.
func (b *budget) longestWaiting(fair int64) (found *holding) {
	most := fair
	for _, t := range b.accounts {
		if t.held <= most {
			continue
		}
		var oldest *holding
		for h := range t.holdings {
			if h.reading && (oldest == nil || h.moved.Before(oldest.moved)) {
				oldest = h
			}
		}
		if oldest != nil {
			found, most = oldest, t.held
		}
	}
	return found
}

// give takes bytes from what the request holds.
func (h *holding) give(bytes int64) {
	if h == nil {
		return
	}
	h.budget.mu.Lock()
	defer h.budget.mu.Unlock()
	h.budget.release(h, min(bytes, h.held))
}

// close gives everything back.
func (h *holding) close() {
	if h == nil {
		return
	}
	h.budget.mu.Lock()
	defer h.budget.mu.Unlock()
	h.closed = true
	h.budget.release(h, h.held)
}

func (b *budget) release(h *holding, bytes int64) {
	t := b.accounts[h.owner]
	if t == nil {
		return
	}
	h.held, t.held, b.held = h.held-bytes, t.held-bytes, b.held-bytes
	if b.peak >= returnFrom && b.held < b.peak/8 {
		b.peak = b.held
		b.giveBack()
	}
	if h.held > 0 {
		return
	}
	delete(t.holdings, h)
	if len(t.holdings) == 0 {
		delete(b.accounts, h.owner)
	}
}

// inUse is how many bytes are held.
func (b *budget) inUse() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.held
}

// giveBack has free memory given back to the operating system, beside the requests.
func (b *budget) giveBack() {
	if b.returning.Swap(true) {
		return
	}
	go func() {
		defer b.returning.Store(false)
		b.toSystem()
	}()
}

// read marks a request as one that waits for its client, which can be ended, or as one that does not any more. Of one
// that was ended it returns the error.
func (h *holding) read(waits bool) error {
	if h == nil {
		return nil
	}
	h.budget.mu.Lock()
	defer h.budget.mu.Unlock()
	h.reading, h.moved = waits, time.Now()
	if h.evicted {
		return errEvicted
	}
	return nil
}

// errEvicted is how requests end that held more than their account's part when other accounts needed it.
var errEvicted = fault.New(fault.Exhausted, fault.CodeMemory,
	"the server ended this request, since it waited for the client and other accounts needed the memory; send fewer "+
		"large parts at a time, and send this one again")
