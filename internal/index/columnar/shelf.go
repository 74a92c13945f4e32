package columnar

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"parley/internal/index/segment"
	"parley/internal/query/callset"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// part is a segment with the set of its current calls. It is immutable and is replaced on changes.
type part struct {
	*segment.Segment
	path    string      // of its file; empty: in memory only
	alive   callset.Set // current calls
	visible callset.Set // those of them posted for the analytic database
}

func newPart(s *segment.Segment, path string) *part {
	p := &part{s, path, callset.New(s.Len()).Fill(s.Len()), callset.New(s.Len())}
	for call := range s.Len() {
		if s.Indexed(call) {
			p.visible.Add(call)
		}
	}
	return p
}

// without returns the part without some calls.
func (p *part) without(calls ...int) *part {
	q := *p
	q.alive, q.visible = slices.Clone(p.alive), slices.Clone(p.visible)
	for _, call := range calls {
		q.alive.Remove(call)
		q.visible.Remove(call)
	}
	return &q
}

// place is the location of a call.
type place struct{ part, call int32 }

// shelf is all segments of one account.
type shelf struct {
	account account.ID
	dir     string
	busy    chan struct{}                       // holds a token while a goroutine updates the shelf
	taken   atomic.Pointer[store.AnalyticClock] // of the changes on the shelf; nil while it is being loaded

	mu       sync.Mutex
	loaded   bool
	parts    map[int32]*part
	next     int32
	where    map[uuid.UUID]place
	seen     store.AnalyticClock
	done, of int64     // progress of a large update
	tidied   time.Time // when segments were last rewritten to drop deleted calls
}

func newShelf(a account.ID, dir string) *shelf {
	s := &shelf{account: a, dir: dir, busy: make(chan struct{}, 1), parts: map[int32]*part{},
		where: map[uuid.UUID]place{}}
	return s
}

// snapshot returns the segments with current calls, those with the newest calls first.
func (s *shelf) snapshot() []*part {
	s.mu.Lock()
	defer s.mu.Unlock()
	var parts []*part
	for _, p := range s.parts {
		if p.alive.Next(0) >= 0 {
			parts = append(parts, p)
		}
	}
	slices.SortFunc(parts, func(a, b *part) int {
		x, y := a.Key(0), b.Key(0)
		return -slices.Compare(x[:], y[:])
	})
	return parts
}

// load opens the files of the shelf. Calls that are in two files because of a crash count once.
func (s *shelf) load(damaged func(path string, err error)) error {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	paths, err := segmentFiles(s.dir)
	if err != nil {
		return err
	}
	for _, path := range paths {
		g, err := mapSegment(path)
		if errors.Is(err, segment.ErrDamaged) {
			damaged(path, err)
			os.Remove(path)
			continue
		}
		if err != nil {
			return err
		}
		s.add(newPart(g, path))
	}
	return nil
}

// add puts a part on the shelf. If a call is there already, the later change wins.
func (s *shelf) add(p *part) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.next
	s.next++
	s.parts[n] = p
	gone := map[int32][]int{}
	for call := range p.Len() {
		if !p.alive.Has(call) {
			continue
		}
		id := p.Key(call)
		old, there := s.where[id]
		if there && s.parts[old.part].Change(int(old.call)) >= p.Change(call) {
			gone[n] = append(gone[n], call)
			continue
		}
		if there {
			gone[old.part] = append(gone[old.part], int(old.call))
		}
		s.where[id] = place{n, int32(call)}
	}
	s.bury(gone)
}

// bury removes calls from their parts.
func (s *shelf) bury(gone map[int32][]int) {
	for n, calls := range gone {
		s.parts[n] = s.parts[n].without(calls...)
	}
}

// forget removes the calls of deleted items.
func (s *shelf) forget(ids []uuid.UUID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	gone := map[int32][]int{}
	for _, id := range ids {
		if at, there := s.where[id]; there {
			gone[at.part] = append(gone[at.part], int(at.call))
			delete(s.where, id)
		}
	}
	s.bury(gone)
}

// compare compares the shelf with all items, and returns those missing or outdated, and those deleted.
func (s *shelf) compare(tx *store.Tx) (missing []media.ID, gone []uuid.UUID, err error) {
	current := map[uuid.UUID]int64{}
	for after := media.ID(""); ; {
		items, err := tx.AnalyticItems(s.account, after, 10_000)
		if err != nil {
			return nil, nil, err
		}
		for _, i := range items {
			id, err := uuid.Parse(string(i.Media))
			if err != nil {
				continue // not an item id
			}
			current[id] = i.Change
			change := s.changeOf(id)
			if change != i.Change {
				missing = append(missing, i.Media)
			}
			if change > i.Change { // the database went back in time
				gone = append(gone, id)
			}
		}
		if len(items) < 10_000 {
			break
		}
		after = items[len(items)-1].Media
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for id := range s.where {
		if _, there := current[id]; !there {
			gone = append(gone, id)
		}
	}
	return missing, gone, nil
}

func (s *shelf) changeOf(id uuid.UUID) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, there := s.where[id]
	if !there {
		return -1
	}
	return s.parts[at.part].Change(int(at.call))
}

// Sizes of the work on segments.
const (
	fewToMerge = 8 // parts of similar size that are merged into one
	// calls of a segment that is written to a file; smaller ones are rebuilt after a restart
	leastKept    = 64
	tidyPatience = 10 * time.Minute // how long words of deleted calls may stay in a file
	muchGone     = 20               // or until one in so many calls is deleted
)

// merge merges small segments into fewer, larger ones, or rewrites one with deleted calls. It reports whether there is
// more to do. Only one goroutine may call it at a time; others may update the shelf meanwhile.
func (s *shelf) merge(ctx context.Context) (more bool, err error) {
	some, parts := s.mergeable()
	if len(some) == 0 {
		return false, nil
	}
	var b segment.Builder
	for _, p := range parts {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if err := b.Take(p.Segment, p.alive); err != nil {
			return false, err
		}
	}
	var p *part
	if b.Len() > 0 {
		if p, err = s.build(&b); err != nil {
			return false, err
		}
	}
	s.replace(some, p)
	return true, nil
}

// build makes a part from a builder, in a file if it is large enough.
func (s *shelf) build(b *segment.Builder) (*part, error) {
	data, err := b.Build()
	if err != nil {
		return nil, err
	}
	if b.Len() >= leastKept {
		g, path, err := storeSegment(s.dir, data)
		if err != nil {
			return nil, err
		}
		return newPart(g, path), nil
	}
	g, err := segment.Open(data)
	if err != nil {
		return nil, err
	}
	return newPart(g, ""), nil
}

// mergeable selects current parts to merge: many of similar size, or one with deleted calls.
func (s *shelf) mergeable() (some []int32, parts []*part) {
	s.mu.Lock()
	defer s.mu.Unlock()
	some = s.chosen()
	for _, n := range some {
		parts = append(parts, s.parts[n])
	}
	return some, parts
}

func (s *shelf) chosen() []int32 {
	tiers := map[int][]int32{}
	var stale int32 = -1
	for n, p := range s.parts {
		alive := p.alive.Len()
		gone := p.Len() - alive
		if gone > 0 && (p.path == "" || gone*muchGone >= p.Len() || time.Since(s.tidied) > tidyPatience) {
			stale = n
		}
		if alive <= segment.MaxCalls/2 {
			tiers[tier(alive)] = append(tiers[tier(alive)], n)
		}
	}
	for _, some := range tiers {
		if len(some) >= fewToMerge {
			return s.fitting(some)
		}
	}
	if stale >= 0 {
		s.tidied = time.Now()
		return []int32{stale}
	}
	return nil
}

// fitting returns as many parts, smallest first, as fit into one segment.
func (s *shelf) fitting(some []int32) (fit []int32) {
	slices.SortFunc(some, func(a, b int32) int { return cmp.Compare(s.parts[a].alive.Len(), s.parts[b].alive.Len()) })
	total := 0
	for _, n := range some {
		if total += s.parts[n].alive.Len(); total > segment.MaxCalls {
			break
		}
		fit = append(fit, n)
	}
	return fit
}

// tier returns how often a size can be divided by fewToMerge.
func tier(calls int) (n int) {
	for ; calls >= fewToMerge; calls /= fewToMerge {
		n++
	}
	return n
}

// replace replaces parts by the merged one (nil for none). Calls changed or removed meanwhile stay so.
func (s *shelf) replace(old []int32, p *part) {
	s.mu.Lock()
	var paths []string
	if p != nil {
		n := s.next
		s.next++
		s.parts[n] = p
		var gone []int
		for call := range p.Len() {
			at, there := s.where[p.Key(call)]
			if there && slices.Contains(old, at.part) {
				s.where[p.Key(call)] = place{n, int32(call)}
			} else {
				gone = append(gone, call)
			}
		}
		s.bury(map[int32][]int{n: gone})
	}
	for _, n := range old {
		if path := s.parts[n].path; path != "" {
			paths = append(paths, path)
		}
		delete(s.parts, n)
	}
	s.mu.Unlock()
	for _, path := range paths {
		os.Remove(path)
	}
}
