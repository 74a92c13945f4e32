package api

import (
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"parley/internal/words/account"
	"parley/internal/words/fault"
)

// returnFrom is how many bytes must have been held for free memory to be returned to the operating system immediately.
// Below it, the runtime returns memory in its own time.
const returnFrom = 64 << 20

// budget bounds the memory that the requests of this process hold: bodies kept in memory, the results of parsing them,
// upload buffers, and data that is read and rendered for answers until the client has taken them. No account holds more
// than its share. When the budget is used up, an account that holds less than an equal part of it gets memory from one
// that holds more: the server ends the request of that account that has waited longest for its client.
type budget struct {
	most  int64 // bytes in total; 0: no limit
	share int64 // bytes per account; 0: no limit

	toSystem  func()      // returns free memory to the operating system
	returning atomic.Bool // toSystem is running

	mu       sync.Mutex
	held     int64
	peak     int64 // maximum held since memory was last returned
	accounts map[account.ID]*tenant
}

// tenant tracks what the requests of one account hold. It exists only while one of them holds memory.
type tenant struct {
	held     int64
	holdings map[*holding]struct{}
}

// holding is the memory of one request. All methods accept a nil receiver, which is not counted.
type holding struct {
	budget *budget
	owner  account.ID
	cut    func() // ends the request's wait for its client

	// The budget's lock guards the fields below.
	held    int64
	reading bool      // the request waits for its client, so it can be ended
	moved   time.Time // when the request last made progress
	evicted bool
	closed  bool
}

func newBudget(most, share int64) *budget {
	return &budget{most: most, share: share, toSystem: debug.FreeOSMemory, accounts: map[account.ID]*tenant{}}
}

// open returns an empty holding for a request. cut is called with the budget locked. The caller must close the holding.
func (b *budget) open(owner account.ID, cut func()) *holding {
	return &holding{budget: b, owner: owner, cut: cut, moved: time.Now()}
}

// take adds bytes to what the request holds, or refuses immediately: with 429 when its account has no memory left, with
// 503 when the server has none left.
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
	case h.closed: // what remains to be done, such as logging, is small
		return nil
	}
	own := b.accounts[h.owner]
	if own == nil {
		own = &tenant{holdings: map[*holding]struct{}{}}
	}
	if most := b.alone(); most > 0 && h.held+bytes > most {
		return fault.New(fault.TooLarge, fault.CodeTooLarge,
			"the request needs more than %d bytes of memory, the limit of one request; send less, or ask for less", most)
	}
	if b.share > 0 && own.held+bytes > b.share {
		return fault.New(fault.Exhausted, fault.CodeMemory,
			"the requests of the account need more than %d bytes of memory, its share of this server; send fewer large "+
				"requests at a time", b.share)
	}
	if b.most > 0 && b.held+bytes > b.most && !b.makeRoom(h.owner, own, bytes) {
		return fault.New(fault.Unavailable, fault.CodeMemory,
			"the requests in progress use all memory that this server has for requests; send this one again")
	}
	b.accounts[h.owner] = own
	own.holdings[h] = struct{}{}
	h.held, own.held, b.held = h.held+bytes, own.held+bytes, b.held+bytes
	h.moved, b.peak = time.Now(), max(b.peak, b.held)
	return nil
}

// alone is the limit of a request when no other request holds memory.
func (b *budget) alone() int64 {
	if b.share > 0 && (b.most <= 0 || b.share < b.most) {
		return b.share
	}
	return b.most
}

// makeRoom ends requests of other accounts until the given number of bytes is free, and reports whether it is. It ends
// none for an account that would then hold more than an equal part of the budget. The memory of ended requests counts
// as free immediately, although they need a moment to end.
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

// longestWaiting returns the request to evict: of the accounts that hold more than a fair part and have requests that
// wait for their clients, it takes the one that holds most, and of its requests the one that has waited longest.
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

// give subtracts bytes from what the request holds.
func (h *holding) give(bytes int64) {
	if h == nil {
		return
	}
	h.budget.mu.Lock()
	defer h.budget.mu.Unlock()
	h.budget.release(h, min(bytes, h.held))
}

// close releases everything that the request holds.
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

// inUse is the number of bytes held.
func (b *budget) inUse() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.held
}

// giveBack returns free memory to the operating system in a separate goroutine, so that requests do not wait for it.
func (b *budget) giveBack() {
	if b.returning.Swap(true) {
		return
	}
	go func() {
		defer b.returning.Store(false)
		b.toSystem()
	}()
}

// read marks a request as waiting for its client, which makes it evictable, or as no longer waiting. It returns an
// error if the request has been ended.
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

// errEvicted is the error of requests that were ended because other accounts needed memory while theirs held more than
// its part.
var errEvicted = fault.New(fault.Exhausted, fault.CodeMemory,
	"the server ended this request because it was waiting for the client and other accounts needed the memory; send "+
		"fewer large requests at a time, and send this one again")
