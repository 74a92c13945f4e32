package pipeline

import (
	"container/list"
	"sync"
)

// recent keeps what was made lately, by what it was made of. It may be used by many goroutines; what several want at
// once is made once.
type recent[K comparable, V any] struct {
	most int // the weight of all that is kept together

	mu     sync.Mutex
	weight int
	order  list.List // of *entry[K, V], the last used last
	by     map[K]*list.Element
}

// entry is a value, or what will become one.
type entry[K comparable, V any] struct {
	key    K
	weight int

	mu    sync.Mutex
	done  bool
	value V
}

// find returns the value of a key, made now if it is not kept. What cannot be made is not kept, and made again by
// whoever waits for it.
func (r *recent[K, V]) find(key K, weight int, make func() (V, error)) (V, error) {
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

// place returns where the value of a key is or will be, and drops what was not used for longest where there is too
// much. What is too much alone is not kept.
func (r *recent[K, V]) place(key K, weight int) *entry[K, V] {
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

// drop forgets a value, unless that has happened.
func (r *recent[K, V]) drop(m *entry[K, V]) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e := r.by[m.key]; e != nil && e.Value == m {
		r.remove(e)
	}
}

func (r *recent[K, V]) remove(e *list.Element) {
	m := r.order.Remove(e).(*entry[K, V])
	delete(r.by, m.key)
	r.weight -= m.weight
}
