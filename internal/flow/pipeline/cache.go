package pipeline

import (
	"container/list"
	"sync"
)

// cache keeps recently used values, keyed by what they were made from. It is safe for concurrent use; concurrent
// requests for a key make its value once.
type cache[K comparable, V any] struct {
	most int // maximum total weight of all values

	mu     sync.Mutex
	weight int
	order  list.List // of *entry[K, V], most recently used last
	by     map[K]*list.Element
}

// entry is a value that is or will be made.
type entry[K comparable, V any] struct {
	key    K
	weight int

	mu    sync.Mutex
	done  bool
	value V
}

// find returns the value of a key, and makes it if it is not cached. Failures are not cached: each waiting caller tries
// again.
func (r *cache[K, V]) find(key K, weight int, make func() (V, error)) (V, error) {
	m := r.place(key, weight)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.done {
		return m.value, nil
	}
	value, err := make()
	if err != nil {
		r.drop(m)
		return value, err
	}
	m.value, m.done = value, true
	return value, nil
}

// place returns the entry of a key, and evicts the least recently used entries when the total weight is too large. It
// does not cache a value that is too heavy by itself.
func (r *cache[K, V]) place(key K, weight int) *entry[K, V] {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e, ok := r.by[key]; ok {
		r.order.MoveToBack(e)
		return e.Value.(*entry[K, V])
	}
	m := &entry[K, V]{key: key, weight: weight}
	if weight > r.most {
		return m
	}
	if r.by == nil {
		r.by = map[K]*list.Element{}
	}
	r.by[key] = r.order.PushBack(m)
	for r.weight += weight; r.weight > r.most; {
		r.remove(r.order.Front())
	}
	return m
}

// drop removes an entry, unless that has happened.
func (r *cache[K, V]) drop(m *entry[K, V]) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e := r.by[m.key]; e != nil && e.Value == m {
		r.remove(e)
	}
}

func (r *cache[K, V]) remove(e *list.Element) {
	m := r.order.Remove(e).(*entry[K, V])
	delete(r.by, m.key)
	r.weight -= m.weight
}
