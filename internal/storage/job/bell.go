package job

import "sync"

// bell wakes all goroutines that wait for it. The zero bell is ready for use.
type bell struct {
	mu   sync.Mutex
	next chan struct{} // closed by the next ring
}

// rung returns a channel that the next ring closes. Take it before looking for work, so that no ring between looking
// and waiting is lost.
func (b *bell) rung() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.next == nil {
		b.next = make(chan struct{})
	}
	return b.next
}

func (b *bell) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.next != nil {
		close(b.next)
		b.next = nil
	}
}
