package api

import (
	"net/netip"
	"sync"
	"time"
)

// mostTries is how many attempts to sign in an address may fail within a minute.
const mostTries = 10

// mostAddresses bounds the addresses in each of the two maps of tries.
const mostAddresses = 2048

// tries counts failed attempts to sign in by client address on this node. It remembers the addresses seen last, at
// least mostAddresses of them and at most twice as many, whatever the number of clients: an attacker with more
// addresses than that has more attempts anyway.
type tries struct {
	mu            sync.Mutex
	recent, older map[netip.Prefix]*attempts
}

// attempts is a leaky bucket: a level that falls by mostTries a minute.
type attempts struct {
	level float64
	at    time.Time // when the level was right
}

// begin counts an attempt of an address; forgive takes it back. If the address has no attempt left, begin counts
// nothing and returns the time to wait for one.
func (t *tries) begin(address string, now time.Time) (wait time.Duration) {
	const each = time.Minute / mostTries
	t.mu.Lock()
	defer t.mu.Unlock()
	a := t.of(network(address))
	a.level = max(a.level-float64(now.Sub(a.at))/float64(each), 0)
	a.at = now
	if over := a.level + 1 - mostTries; over > 0 {
		return max(time.Duration(over*float64(each)), 1)
	}
	a.level++
	return 0
}

// forgive takes back an attempt.
func (t *tries) forgive(address string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	a := t.of(network(address))
	a.level = max(a.level-1, 0)
}

// of returns the attempts of a network, which moves among the recent ones.
func (t *tries) of(n netip.Prefix) *attempts {
	if a := t.recent[n]; a != nil {
		return a
	}
	a := t.older[n]
	if a == nil {
		a = &attempts{}
	}
	if len(t.recent) >= mostAddresses || t.recent == nil {
		t.recent, t.older = map[netip.Prefix]*attempts{}, t.recent
	}
	t.recent[n] = a
	return a
}

// network returns what counts as one client: an address or, with IPv6, the network of a host, which chooses among many
// addresses. Addresses that cannot be parsed count as one client.
func network(address string) netip.Prefix {
	a, err := netip.ParseAddr(address)
	if err != nil {
		return netip.Prefix{}
	}
	bits := a.BitLen()
	if a.Is6() && !a.Is4In6() {
		bits = 64
	}
	n, err := a.WithZone("").Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return n
}
