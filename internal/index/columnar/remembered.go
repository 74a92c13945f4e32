package columnar

import (
	"slices"
	"sync"
	"time"
	"weak"

	"parley/internal/host/memory"
	"parley/internal/index/callindex"
	"parley/internal/index/segment"
	"parley/internal/query/callset"
	"parley/internal/words/account"
)

// Limits of the answers that a server remembers.
const (
	rememberedFor     = time.Minute
	mostRemembered    = 16 << 20 // bytes
	mostRememberedOne = 4 << 20  // bytes of one account
)

// remembered are answers that stay valid while the calls of their account stay the same. If there is no room for
// another one, the account with the most bytes loses its oldest. It is safe for concurrent use, and empty at first.
type remembered struct {
	mu      sync.Mutex
	entries map[rememberedKey]*rememberedAnswer
	sizes   map[account.ID]int64
	size    int64
}

// rememberedKey identifies a question of an account by its hash.
type rememberedKey struct {
	owner    account.ID
	question [32]byte
}

// rememberedAnswer is an answer with the calls that it is about.
type rememberedAnswer struct {
	calls  []seen
	answer Distributions
	size   int64
	at     time.Time
}

// seen is the calls of a segment that an answer is about, with their values.
type seen struct {
	segment weak.Pointer[segment.Segment]
	newer   weak.Pointer[callindex.Values]
	calls   callset.Set
}

func seenOf(parts []*part) []seen {
	all := make([]seen, len(parts))
	for i, p := range parts {
		all[i] = seen{weak.Make(p.Segment), weak.Make(p.Newer), p.Visible}
	}
	return all
}

func (s seen) equal(o seen) bool {
	return s.segment == o.segment && s.newer == o.newer && slices.Equal(s.calls, o.calls)
}

// get returns the answer to a question, if the same calls are there as when it was found.
func (r *remembered) get(key rememberedKey, parts []*part) (Distributions, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.entries[key]
	if e == nil || time.Since(e.at) > rememberedFor || !slices.EqualFunc(e.calls, seenOf(parts), seen.equal) {
		return Distributions{}, false
	}
	return e.answer, true
}

// put remembers an answer, unless it is too large. It forgets answers that are too old.
func (r *remembered) put(key rememberedKey, parts []*part, answer Distributions) {
	e := &rememberedAnswer{calls: seenOf(parts), answer: answer, at: time.Now()}
	if e.size = memory.Size(e.answer.All) + memory.Size(e.calls); e.size > mostRememberedOne {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.entries == nil {
		r.entries, r.sizes = map[rememberedKey]*rememberedAnswer{}, map[account.ID]int64{}
	}
	r.drop(key)
	for old, o := range r.entries {
		if e.at.Sub(o.at) > rememberedFor {
			r.drop(old)
		}
	}
	r.entries[key] = e
	r.size += e.size
	r.sizes[key.owner] += e.size
	for r.sizes[key.owner] > mostRememberedOne {
		r.dropOldest(key.owner)
	}
	for r.size > mostRemembered {
		r.dropOldest(r.largest())
	}
}

// largest returns the account with the most bytes.
func (r *remembered) largest() (most account.ID) {
	for a, size := range r.sizes {
		if size > r.sizes[most] {
			most = a
		}
	}
	return most
}

// dropOldest forgets the oldest answer of an account.
func (r *remembered) dropOldest(a account.ID) {
	var oldest rememberedKey
	for key, e := range r.entries {
		if key.owner == a && (oldest.owner == "" || e.at.Before(r.entries[oldest].at)) {
			oldest = key
		}
	}
	r.drop(oldest)
}

func (r *remembered) drop(key rememberedKey) {
	e := r.entries[key]
	if e == nil {
		return
	}
	delete(r.entries, key)
	r.size -= e.size
	if r.sizes[key.owner] -= e.size; r.sizes[key.owner] == 0 {
		delete(r.sizes, key.owner)
	}
}
