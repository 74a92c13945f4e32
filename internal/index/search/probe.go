package search

import (
	"slices"

	"parley/internal/index/search/posting"
	"parley/internal/index/tokenfile"
	"parley/internal/query/callset"
	"parley/internal/storage/sqlrow"
	"parley/internal/words/phrase"
)

// probe is a lookup of a need in segments.
type probe interface {
	// look returns the calls of a segment that may satisfy the need.
	look(r *segmentLookup) (callset.Set, error)
}

type (
	allOf []probe // all of them
	anyOf []probe // at least one of them
	none  struct{}
	// place is a word, a prefix, or two or three consecutive words.
	place struct {
		keys      [][]byte // any one suffices
		beginning bool
	}
)

// fewEnough is the number of candidates of a segment at which they are evaluated directly instead of looking up more
// words.
const fewEnough = 3

// probe resolves a need that requires something.
func (s *snapshot) probe(n phrase.Need) (probe, error) {
	switch n := n.(type) {
	case phrase.NeedAll:
		all, err := s.probes(n)
		return allOf(all), err
	case phrase.NeedSome:
		all, err := s.probes(n)
		return anyOf(all), err
	case phrase.NeedRun:
		return s.run(n)
	}
	return none{}, nil
}

func (s *snapshot) probes(needs []phrase.Need) (all []probe, err error) {
	for _, n := range needs {
		if phrase.Nothing(n) {
			continue // never in a NeedSome, which would then require nothing itself
		}
		p, err := s.probe(n)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// run resolves consecutive words. Pairs and triples come first, because they are the most selective.
func (s *snapshot) run(n phrase.NeedRun) (probe, error) {
	var words allOf
	numbers := make([]uint32, len(n.Patterns)) // 0: not a single word
	for i, p := range n.Patterns {
		words = append(words, place{keys(n.Fields, p), p.Kind == phrase.Prefix})
		if p.Kind != phrase.Exact {
			continue
		}
		var ok bool
		var err error
		if numbers[i], ok, err = s.number(p); err != nil || !ok {
			return none{}, err
		}
	}
	return append(together(numbers), words...), nil
}

// together returns lookups of neighbours: triples where possible, else pairs. 0 is an unknown word.
func together(numbers []uint32) (places allOf) {
	for i := 1; i < len(numbers); i++ {
		a, b, c := uint32(0), numbers[i-1], numbers[i]
		if i > 1 {
			a = numbers[i-2]
		}
		switch {
		case b == 0 || c == 0:
		case a != 0:
			places = append(places, place{keys: [][]byte{posting.Triple(a, b, c)}})
		case i+1 == len(numbers) || numbers[i+1] == 0:
			places = append(places, place{keys: [][]byte{posting.Pair(b, c)}})
		}
	}
	return places
}

// number returns the number of a word; false if no call has it.
func (s *snapshot) number(p phrase.Pattern) (uint32, bool, error) {
	if n, plain := tokenfile.Plain(p.Text); plain {
		return n, true, nil
	}
	all, err := s.Numbers(p)
	if err != nil || len(all) == 0 {
		return 0, false, err
	}
	return all[0], true, nil
}

// keys returns the lookup keys of a pattern.
func keys(in phrase.Fields, p phrase.Pattern) (keys [][]byte) {
	if in.Has(phrase.Transcript) {
		return [][]byte{posting.Anywhere(p.Text)}
	}
	if in.Has(phrase.Title) {
		keys = append(keys, posting.InTitle(p.Text))
	}
	if in.Has(phrase.Description) {
		keys = append(keys, posting.InDescription(p.Text))
	}
	return keys
}

func (none) look(r *segmentLookup) (callset.Set, error) { return r.set(), nil }

func (p allOf) look(r *segmentLookup) (found callset.Set, err error) {
	for _, one := range p {
		more, err := one.look(r)
		if err != nil {
			return nil, err
		}
		if found == nil {
			found = more
		} else {
			found.And(more)
		}
		if found.Len() <= fewEnough {
			break
		}
	}
	return found, nil
}

func (p anyOf) look(r *segmentLookup) (callset.Set, error) {
	found := r.set()
	for _, one := range p {
		more, err := one.look(r)
		if err != nil {
			return nil, err
		}
		found.Or(more)
	}
	return found, nil
}

func (p place) look(r *segmentLookup) (callset.Set, error) {
	found := r.set()
	for _, key := range p.keys {
		if err := r.find(key, p.beginning, found); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// segmentLookup is a segment during a lookup.
type segmentLookup struct {
	*snapshot
	segment segment
}

func (r *segmentLookup) set() callset.Set { return callset.New(r.segment.calls) }

// find adds the calls that have a key, or keys with that prefix.
func (r *segmentLookup) find(key []byte, beginning bool, in callset.Set) error {
	blocks, err := r.blocks(key, beginning)
	if err != nil {
		return err
	}
	for _, block := range blocks {
		if !beginning {
			return wrap("look up", posting.Find(block, key, in))
		}
		if _, err := posting.FindBeginning(block, key, in); err != nil {
			return wrap("look up", err)
		}
	}
	return nil
}

// blocks returns the blocks that may contain a key, or keys with that prefix.
func (r *segmentLookup) blocks(key []byte, beginning bool) (all [][]byte, err error) {
	query := `SELECT data FROM ` + r.g.table("posting") +
		` WHERE segment = $1 AND first <= $2 ORDER BY first DESC LIMIT 1`
	args := []any{r.segment.id, key}
	if beginning { // and the blocks that start after it
		query = `SELECT data FROM ` + r.g.table("posting") + ` WHERE segment = $1 AND first <= $3 AND first >=
			COALESCE((SELECT first FROM ` + r.g.table("posting") + ` WHERE segment = $1 AND first <= $2 ORDER BY first DESC LIMIT 1), $2) ORDER BY first`
		args = append(args, append(slices.Clone(key), lastWord...))
	}
	all, err = sqlrow.All(r.query(query, args...), sqlrow.Cell[[]byte])
	return all, wrap("look up", err)
}
