package pipeline

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"parley/internal/analysis/spot"
	"parley/internal/call/plan"
)

// looked returns the keys that must be made when the given keys are looked up one after another.
func looked(r *cache[string, string], weight int, keys ...string) []string {
	made := []string{}
	for _, key := range keys {
		r.find(key, weight, func() (string, error) {
			made = append(made, key)
			return key, nil
		})
	}
	return made
}

func TestWhatWasUsedLatelyIsMadeOnce(t *testing.T) {
	r := &cache[string, string]{most: 6}
	for i, step := range []struct {
		weight int
		keys   string
		made   string
	}{
		{2, "a b c a", "a b c"},
		{2, "d", "d"}, // b was least recently used
		{2, "a c d", ""},
		{2, "b", "b"},       // a is evicted
		{3, "e b", "e"},     // c and d are evicted, since e needs more than the place of one
		{7, "f f", "f f"},   // too heavy by itself
		{2, "b", ""},        // it has evicted nothing
		{6, "g g b", "g b"}, // fills the cache, until b comes back
	} {
		if got := fmt.Sprint(looked(r, step.weight, strings.Fields(step.keys)...)); got != fmt.Sprint(
			strings.Fields(step.made)) {
			t.Errorf("step %d: %s were made, want %s", i, got, step.made)
		}
		if r.weight > r.most || r.order.Len() != len(r.by) {
			t.Errorf("step %d: weight %d, %d in order, %d by key", i, r.weight, r.order.Len(), len(r.by))
		}
	}
}

func TestWhatManyWantAtOnceIsMadeOnce(t *testing.T) {
	r := &cache[int, *int]{most: 10}
	var made atomic.Int32
	var group sync.WaitGroup
	values := make([]*int, 16)
	for i := range values {
		group.Go(func() {
			values[i], _ = r.find(1, 1, func() (*int, error) {
				made.Add(1)
				return new(int), nil
			})
		})
	}
	group.Wait()
	if made.Load() != 1 || len(slices.Compact(values)) != 1 {
		t.Errorf("made %d times, %d different values", made.Load(), len(slices.Compact(values)))
	}
}

func TestWhatCouldNotBeMadeIsMadeByTheNextWhoWantsIt(t *testing.T) {
	r := &cache[int, string]{most: 10}
	away := errors.New("away")
	if _, err := r.find(1, 1, func() (string, error) { return "", away }); !errors.Is(err, away) {
		t.Fatal(err)
	}
	if got, err := r.find(1, 1, func() (string, error) { return "there", nil }); got != "there" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := r.find(1, 1, func() (string, error) { return "", away }); got != "there" || err != nil {
		t.Errorf("%q, %v: it was not kept", got, err)
	}
}

func TestGroupsOfTheSameContentAreMadeReadyOnce(t *testing.T) {
	a := &Analyst{groups: cache[fingerprint, *spot.Index]{most: 100}}
	one := a.index([]plan.Group{{Name: "g", Keywords: []string{"a", "b"}}})
	if again := a.index([]plan.Group{{Name: "g", Keywords: []string{"a", "b"}}}); again != one {
		t.Error("the same groups were made ready twice")
	}
	for _, other := range [][]plan.Group{
		{{Name: "g", Keywords: []string{"ab"}}},
		{{Name: "g", Keywords: []string{"b", "a"}}},
		{{Name: "ga", Keywords: []string{"b"}}},
		{{Name: "g", Keywords: []string{"a"}}, {Name: "b"}},
		{{Name: "g"}, {Name: "a", Keywords: []string{"b"}}},
		{},
	} {
		if a.index(other) == one {
			t.Errorf("%v is taken for other groups", other)
		}
	}
}

// BenchmarkGroups measures the cost of a recording's keyword groups before the first word is examined: for groups not
// used before, and for cached ones. kept-B is their memory in the cache.
func BenchmarkGroups(b *testing.B) {
	for _, size := range [][2]int{{20, 100}, {300, 1000}} {
		asked := make([]plan.Group, size[0])
		for i := range asked {
			asked[i].Name = fmt.Sprint("group", i)
			for k := range size[1] {
				asked[i].Keywords = append(asked[i].Keywords, fmt.Sprintf("word%d of%d", k*7919%20_000, i))
			}
		}
		name := fmt.Sprintf("groups=%d/keywords=%d", size[0], size[1])
		b.Run(name+"/new", func(b *testing.B) {
			before := heap()
			a := &Analyst{}
			for b.Loop() {
				a = &Analyst{groups: cache[fingerprint, *spot.Index]{most: mostKeywords}}
				a.index(asked)
			}
			b.ReportMetric(float64(heap()-before), "kept-B")
			runtime.KeepAlive(a)
		})
		b.Run(name+"/again", func(b *testing.B) {
			a := &Analyst{groups: cache[fingerprint, *spot.Index]{most: mostKeywords}}
			a.index(asked)
			for b.Loop() {
				a.index(asked)
			}
		})
	}
}

// heap returns the memory in use in bytes.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
