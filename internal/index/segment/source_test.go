package segment

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"parley/internal/index/tokenfile"
	"parley/internal/query"
	"parley/internal/words/phrase"
)

var errBroken = errors.New("broken")

// faulty is a source whose reads fail from one of them on; with a negative number, they never do.
type faulty struct {
	Source
	good   atomic.Int64 // reads left
	failed atomic.Bool
}

func (f *faulty) Range(at, n int) ([]byte, error) {
	if f.good.Load() >= 0 && f.good.Add(-1) < 0 {
		f.good.Store(0)
		f.failed.Store(true)
		return nil, errBroken
	}
	return f.Source.Range(at, n)
}

// answers is everything that a segment can be asked.
type answers struct {
	Words   []string
	Calls   []string
	Changes []int64
	Flags   []byte
	Tokens  [][]byte
	Have    [][]uint64 // candidates of each word, and of each pair of words, also of one speaker
	Numbers [][]uint32
	Fields  []query.Field
	Values  [][]any
}

// ask asks everything, about at most 100 of the words.
func ask(s *Segment) (a answers) {
	a.Words, a.Fields = s.Words(), s.Fields()
	for call := range s.Len() {
		a.Calls, a.Changes = append(a.Calls, string(s.ID(call))), append(a.Changes, s.Change(call))
		a.Flags, a.Tokens = append(a.Flags, s.flags(call)), append(a.Tokens, bytes.Clone(s.Tokens(call)))
	}
	for i := 0; i < len(a.Words); i += 1 + len(a.Words)/100 {
		w := a.Words[i]
		exact := phrase.Pattern{Kind: phrase.Exact, Text: w}
		other := phrase.Pattern{Kind: phrase.Exact, Text: a.Words[(i+1)%len(a.Words)]}
		start := phrase.Pattern{Kind: phrase.Prefix, Text: w[:len(w)/2]}
		for _, run := range [][]phrase.Pattern{{exact}, {start}, {exact, other}} {
			calls, _ := s.Having(phrase.NeedRun{Fields: phrase.Everywhere, Patterns: run})
			a.Have = append(a.Have, calls)
			for _, who := range []query.Speaker{"agent", "caller"} {
				sure, may := s.Lists().Saying(phrase.NeedRun{Patterns: run}, who)
				a.Have = append(a.Have, sure, may)
			}
		}
		numbers, _ := s.Numbers(start)
		a.Numbers = append(a.Numbers, numbers)
	}
	for i := range s.Columns() {
		values := make([]query.Value, s.Len())
		s.Read(i, values, nil)
		var all []any
		for _, v := range values {
			all = append(all, v.Any())
		}
		a.Values = append(a.Values, all)
	}
	return a
}

func TestReadingOutsideASourceIsAnError(t *testing.T) {
	data := []byte("0123456789")
	for _, source := range []Source{Plain(data), encryptedSource(t, NewBlocks(1), data)} {
		for _, r := range [][2]int{{-1, 2}, {0, 11}, {10, 1}, {3, -1}, {1, int(^uint(0) >> 1)}} {
			if b, err := source.Range(r[0], r[1]); !errors.Is(err, ErrDamaged) || b != nil {
				t.Errorf("%T %v: %q %v", source, r, b, err)
			}
		}
		if b, err := source.Range(2, 3); string(b) != "234" || err != nil || source.Size() != len(data) {
			t.Errorf("%T: %q %v", source, b, err)
		}
		if b, err := source.Range(10, 0); len(b) != 0 || err != nil {
			t.Errorf("%T: %q %v", source, b, err)
		}
	}
}

func TestAFailedReadIsAnErrorOfTheSegment(t *testing.T) {
	data := stored(t, drafts(3))
	source := &faulty{Source: Plain(data)}
	source.good.Store(-1)
	s := opened(t, source)
	ask(s)
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
	for name, read := range map[string]func(*Segment){
		"key":     func(s *Segment) { s.Key(1) },
		"change":  func(s *Segment) { s.Change(1) },
		"flags":   func(s *Segment) { s.Indexed(1) },
		"tokens":  func(s *Segment) { s.Tokens(1) },
		"words":   func(s *Segment) { s.Words() },
		"numbers": func(s *Segment) { s.Numbers(phrase.Pattern{Text: "the"}) },
		"candidates": func(s *Segment) {
			s.Having(phrase.NeedRun{Fields: phrase.Everywhere, Patterns: []phrase.Pattern{{Text: "the"}}})
		},
		"voices": func(s *Segment) {
			s.Lists().Saying(phrase.NeedRun{Patterns: []phrase.Pattern{{Text: "the"}}}, "agent")
		},
		"column": func(s *Segment) { s.Read(0, make([]query.Value, s.Len()), nil) },
	} {
		source.good.Store(-1)
		s := opened(t, source)
		source.good.Store(0)
		read(s)
		source.good.Store(-1)
		read(s)
		if s.Err() != errBroken {
			t.Errorf("%s: %v", name, s.Err())
		}
	}
}

func TestWhereverReadingFailsTheAnswersAreRightOrThereIsAnError(t *testing.T) {
	source := &faulty{Source: Plain(stored(t, drafts(4)))}
	source.good.Store(1 << 40)
	want := ask(opened(t, source))
	reads := int(1<<40 - source.good.Load())
	for range 200 {
		source.good.Store(rand.Int64N(int64(reads)))
		s, err := Open(source)
		if err == nil {
			ask(s)
			err = s.Err()
		}
		if err != errBroken {
			t.Fatalf("%v", err)
		}
	}
	source.good.Store(int64(reads))
	if s := opened(t, source); !equal(ask(s), want) || s.Err() != nil {
		t.Errorf("the answers differ (%v)", s.Err())
	}
}

// checked adds a valid checksum to bytes.
func checked(data []byte) []byte {
	if len(data) >= header {
		data = bytes.Clone(data)
		binary.LittleEndian.PutUint32(data[checksumAt:], checksum(data))
	}
	return data
}

func FuzzOpen(f *testing.F) {
	f.Add(stored(f, drafts(2)), 200, byte(7), int64(-1))
	f.Add(stored(f, drafts(2)), 0, byte('p'), int64(9))
	f.Add([]byte("pas"), 0, byte(0), int64(-1))
	f.Add(storedAs(f, Oldest, drafts(2)), 200, byte(7), int64(-1))
	f.Add(storedAs(f, Latest, goldenDrafts(Latest)), 200, byte(7), int64(-1))
	f.Fuzz(func(t *testing.T, data []byte, at int, with byte, good int64) {
		if at >= 0 && at < len(data) {
			data = bytes.Clone(data)
			data[at] = with
		}
		readHostile(t, checked(data), good)
	})
}

// readHostile reads bytes of unknown origin as a segment, from a source that fails after some reads, and rewrites it.
func readHostile(t *testing.T, data []byte, good int64) {
	source := &faulty{Source: Plain(data)}
	source.good.Store(good)
	s, err := Open(source)
	if err != nil {
		return
	}
	a := ask(s)
	var file tokenfile.File
	for _, tokens := range a.Tokens {
		file.Decode(tokens)
	}
	if source.failed.Load() && s.Err() == nil {
		t.Fatal("a failed read is no error")
	}
	if s, err = Open(Plain(data)); err != nil {
		t.Fatal(err)
	}
	var b Builder
	if b.Take(s, full(s)) == nil {
		b.Build()
	}
	some := full(s)
	if s.Len() > 1 {
		some.Remove(0)
	}
	s.only(some, Written)
}

func TestHostileBytesAreRefusedOrRead(t *testing.T) {
	data := [][]byte{stored(t, drafts(2)), storedAs(t, Oldest, drafts(2)), stored(t, goldenDrafts(Latest))}
	for i := range 3000 {
		changed := bytes.Clone(data[i%len(data)])
		for range 1 + rand.IntN(3) {
			at := rand.IntN(len(changed))
			if rand.IntN(2) == 0 {
				at = rand.IntN(header)
			}
			changed[at] = byte(rand.IntN(256) >> rand.IntN(8))
		}
		readHostile(t, checked(changed), rand.Int64N(200)-20)
	}
}
