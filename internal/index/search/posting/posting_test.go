package posting

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"parley/internal/query/callset"
)

var vocabulary = []string{"a", "ab", "abc", "b", "ba", "49.99", "über", "ü", "z"}

func someCalls(t *rapid.T, label string, most int) []Call {
	calls := make([]Call, rapid.IntRange(1, most).Draw(t, label))
	distinct := func(label string) []string {
		return rapid.SliceOfNDistinct(rapid.SampledFrom(vocabulary), 0, len(vocabulary), rapid.ID).Draw(t, label)
	}
	for i := range calls {
		for _, text := range distinct("words") {
			number := uint32(slices.Index(vocabulary, text) + 1)
			if text == "49.99" {
				number |= 1 << 31
			}
			calls[i].Words = append(calls[i].Words, Word{number, text})
		}
		calls[i].Title, calls[i].Description = distinct("title"), distinct("description")
		calls[i].Pairs = rapid.SliceOfNDistinct(rapid.Uint32Range(0, Hashes-1), 0, 5, rapid.ID).Draw(t, "pairs")
		calls[i].Triples = rapid.SliceOfNDistinct(rapid.Uint32Range(0, Hashes-1), 0, 5, rapid.ID).Draw(t, "triples")
	}
	return calls
}

// stored is a segment as stored in a database.
type stored struct{ firsts, blocks [][]byte }

func (s *stored) emit(first, block []byte) error {
	s.firsts, s.blocks = append(s.firsts, bytes.Clone(first)), append(s.blocks, bytes.Clone(block))
	return nil
}

// next reads the blocks one after another.
func (s *stored) next() func() ([]byte, error) {
	rest := s.blocks
	return func() ([]byte, error) {
		if len(rest) == 0 {
			return nil, nil
		}
		block := rest[0]
		rest = rest[1:]
		return block, nil
	}
}

func (s *stored) find(t *rapid.T, key []byte, calls int) []int {
	in := callset.New(calls)
	for i := len(s.firsts) - 1; i >= 0; i-- {
		if bytes.Compare(s.firsts[i], key) <= 0 {
			if err := Find(s.blocks[i], key, in); err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	return slices.Collect(in.All)
}

// check compares a segment with its calls.
func check(t *rapid.T, s *stored, calls []Call) {
	want := func(has func(*Call) bool) (all []int) {
		for i := range calls {
			if has(&calls[i]) {
				all = append(all, i)
			}
		}
		return all
	}
	compare := func(key []byte, has func(*Call) bool) {
		if got, want := s.find(t, key, len(calls)), want(has); !slices.Equal(got, want) {
			t.Fatalf("%q: %v, want %v", key, got, want)
		}
	}
	if !slices.IsSortedFunc(s.firsts, bytes.Compare) {
		t.Fatalf("blocks begin with %q", s.firsts)
	}
	for _, text := range vocabulary {
		compare(Anywhere(text), func(c *Call) bool {
			return slices.ContainsFunc(c.Words, func(w Word) bool { return w.Text == text })
		})
		compare(InTitle(text), func(c *Call) bool { return slices.Contains(c.Title, text) })
		compare(InDescription(text), func(c *Call) bool { return slices.Contains(c.Description, text) })
		begin, in := Anywhere(text), callset.New(len(calls))
		for _, block := range s.blocks {
			if more, err := FindBeginning(block, begin, in); err != nil {
				t.Fatal(err)
			} else if !more {
				break
			}
		}
		all := want(func(c *Call) bool {
			return slices.ContainsFunc(c.Words, func(w Word) bool { return bytes.HasPrefix(Anywhere(w.Text), begin) })
		})
		if got := slices.Collect(in.All); !slices.Equal(got, all) {
			t.Fatalf("%q*: %v, want %v", begin, got, all)
		}
	}
	for _, c := range calls {
		for _, hash := range c.Pairs {
			compare(hashKey(pair, hash), func(c *Call) bool { return slices.Contains(c.Pairs, hash) })
		}
		for _, hash := range c.Triples {
			compare(hashKey(triple, hash), func(c *Call) bool { return slices.Contains(c.Triples, hash) })
		}
	}
}

func built(t *rapid.T, calls []Call, size int) *stored {
	s := &stored{}
	if err := Build(calls, size, s.emit); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestASegmentHasTheCallsThatHaveAKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		calls := someCalls(t, "calls", 30)
		check(t, built(t, calls, rapid.IntRange(1, 200).Draw(t, "size")), calls)
	})
}

func TestAMergedSegmentIsThatOfAllCallsThatAreLeft(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 200).Draw(t, "size")
		var sources []Source
		var all []Call
		var of [][2]int // for each call: its source, and its number there
		for i := range rapid.IntRange(1, 3).Draw(t, "sources") {
			calls := someCalls(t, "calls", 12)
			sources = append(sources, Source{Next: built(t, calls, size).next(), Moved: make([]int, len(calls))})
			for c := range calls {
				if sources[i].Moved[c] = -1; rapid.IntRange(0, 3).Draw(t, "left") > 0 {
					at := rapid.IntRange(0, len(all)).Draw(t, "at")
					all, of = slices.Insert(all, at, calls[c]), slices.Insert(of, at, [2]int{i, c})
				}
			}
		}
		for at, from := range of {
			sources[from[0]].Moved[from[1]] = at
		}
		merged := &stored{}
		if err := Merge(sources, len(all), size, merged.emit); err != nil {
			t.Fatal(err)
		}
		check(t, merged, all)
		if want := built(t, all, size); !slices.EqualFunc(merged.blocks, want.blocks, bytes.Equal) {
			t.Fatalf("merged to\n%q, built as\n%q", merged.blocks, want.blocks)
		}
	})
}

func TestLongListsAreBitmapsAndReadTheSame(t *testing.T) {
	const calls = 60_000
	for _, step := range []int{1, 2, 7, 8, 9, 127, 128, 129, 20_000} {
		var list []uint16
		for c := step - 1; c < calls; c += step {
			list = append(list, uint16(c))
		}
		data := appendList(nil, list, calls)
		if len(data) > calls/8+4 {
			t.Errorf("every %d takes %d bytes", step, len(data))
		}
		cut, rest, bitmap, err := readList(append(data, "rest"...))
		if err != nil || string(rest) != "rest" {
			t.Fatalf("every %d: %v", step, err)
		}
		in := callset.New(calls)
		if err := addTo(in, cut, bitmap); err != nil || in.Len() != len(list) {
			t.Errorf("every %d: %d of %d, %v", step, in.Len(), len(list), err)
		}
		for at, c := range slices.Collect(in.All) {
			if c != int(list[at]) {
				t.Fatalf("every %d: %d, want %d", step, c, list[at])
			}
		}
	}
}

func FuzzBlocksOfOthersAreReadOrRefused(f *testing.F) {
	s := &stored{}
	if err := Build([]Call{{Words: []Word{{1, "a"}, {2, "ab"}}, Title: []string{"a"}, Pairs: []uint32{7}},
		{Words: []Word{{1, "a"}}}}, 1000, s.emit); err != nil {
		f.Fatal(err)
	}
	f.Add(s.blocks[0])
	f.Add([]byte{0, 1, 'w', 3, 255})
	f.Fuzz(func(t *testing.T, block []byte) {
		in := callset.New(2)
		err := Find(block, Anywhere("zz"), in) // reads to the end
		_, again := FindBeginning(block, []byte{0xff}, in)
		if err == nil && again != nil && again != ErrDamaged || in.Len() > 2 {
			t.Fatalf("%v, %v, %d", err, again, in.Len())
		}
	})
}
