package segment

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
	"testing"

	"parley/internal/call/fact"
	"parley/internal/index/tokenfile"
	"parley/internal/lab/corpus"
	"parley/internal/query"
	"parley/internal/query/callset"
	"parley/internal/words/phrase"
)

// drafts returns generated calls.
func drafts(n int) (all []*Draft) {
	calls := corpus.New(corpus.Config{Words: 60})
	for i := range n {
		c := calls.Call(i)
		all = append(all, &Draft{
			ID: c.ID, Change: int64(100 + i), Indexed: i%3 > 0, Words: tokenfile.Of(c.Transcript, "", ""),
			Values: fact.Values{
				{Field: query.Field{Space: query.Media, Path: []string{"wordCount"}},
					Value: query.Number(float64(len(c.Transcript.Words)))},
				{Field: query.Field{Space: query.Metadata, Path: []string{"extended", fmt.Sprint("k", i%2)}},
					Value: query.Text(c.Topic)},
			},
		})
	}
	return all
}

func built(t testing.TB, all []*Draft) *Segment {
	t.Helper()
	var b Builder
	for _, d := range all {
		if err := b.Add(d); err != nil {
			t.Fatal(err)
		}
	}
	data, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(data)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// same checks that a segment contains the given drafts, newest first.
func same(t *testing.T, s *Segment, all []*Draft) {
	t.Helper()
	if s.Len() != len(all) {
		t.Fatalf("%d calls, want %d", s.Len(), len(all))
	}
	words := s.Words()
	var file tokenfile.File
	for i, d := range slices.Backward(all) {
		call := len(all) - 1 - i
		if s.ID(call) != d.ID || s.Change(call) != d.Change || s.Indexed(call) != d.Indexed {
			t.Fatalf("call %d: %s %d %v", call, s.ID(call), s.Change(call), s.Indexed(call))
		}
		if err := file.Decode(s.Tokens(call)); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, n := range file.Words {
			got = append(got, words[n])
		}
		times, err := file.Times()
		if err != nil || !slices.Equal(got, d.Words.Words) || !slices.Equal(times, d.Words.Times) ||
			!slices.Equal(file.Parts, d.Words.Parts) {
			t.Fatalf("call %d: %v %v", call, err, got)
		}
		for _, e := range d.Values {
			column := slices.IndexFunc(s.Fields(), func(f query.Field) bool { return f.String() == e.Field.String() })
			values := make([]query.Value, s.Len())
			s.Read(column, values, nil)
			if values[call] != e.Value {
				t.Fatalf("call %d: %s is %v, want %v", call, e.Field, values[call].Any(), e.Value.Any())
			}
		}
	}
}

func TestASegmentHoldsWhatWasPutIn(t *testing.T) {
	all := drafts(130)
	s := built(t, all)
	same(t, s, all)
	if again := built(t, all); !bytes.Equal(again.Bytes(), s.Bytes()) {
		t.Error("made twice it differs")
	}
}

func TestSegmentsAreMadeOfSegments(t *testing.T) {
	all := drafts(40)
	first, second := built(t, all[:25]), built(t, all[25:])
	var b Builder
	for _, s := range []*Segment{second, first} {
		some := callset.New(s.Len()).Fill(s.Len())
		if s == second {
			some.Remove(0) // the newest
		}
		if err := b.Take(s, some); err != nil {
			t.Fatal(err)
		}
	}
	data, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(data)
	if err != nil {
		t.Fatal(err)
	}
	same(t, s, all[:39])
}

func TestWordsAreFoundInTheCallsThatHaveThem(t *testing.T) {
	all := drafts(70)
	s := built(t, all)
	having := func(fits func(word string) bool) (calls []int) {
		for i, d := range slices.Backward(all) {
			if slices.ContainsFunc(d.Words.Words, fits) {
				calls = append(calls, len(all)-1-i)
			}
		}
		return calls
	}
	list := func(set callset.Set) (calls []int) {
		for call := range set.All {
			calls = append(calls, call)
		}
		return calls
	}
	for _, word := range append([]string{"nosuchword", ""}, all[3].Words.Words...) {
		exact, prefix := phrase.Pattern{Kind: phrase.Exact, Text: word},
			phrase.Pattern{Kind: phrase.Prefix, Text: word[:len(word)/2]}
		if got, want := list(s.Candidates(phrase.NeedRun{Patterns: []phrase.Pattern{exact}})),
			having(func(w string) bool { return w == word }); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", word, got, want)
		}
		if got, want := list(s.Candidates(phrase.NeedRun{Patterns: []phrase.Pattern{prefix}})),
			having(prefix.Matches); !slices.Equal(got, want) {
			t.Errorf("%s*: %v, want %v", prefix.Text, got, want)
		}
	}
	if s.Candidates(phrase.NeedAll{}) != nil ||
		s.Candidates(phrase.NeedSome{phrase.NeedAll{},
			phrase.NeedRun{Patterns: []phrase.Pattern{{Text: "nosuchword"}}}}) != nil {
		t.Error("what asks for nothing has candidates")
	}
}

// checked adds a valid checksum to bytes.
func checked(data []byte) []byte {
	if len(data) >= header {
		data = bytes.Clone(data)
		binary.LittleEndian.PutUint32(data[header-8:], crc32.Checksum(data[header:], castagnoli))
	}
	return data
}

func TestDamagedSegmentsAreRefused(t *testing.T) {
	data := built(t, drafts(5)).Bytes()
	for _, at := range []int{0, 3, header + 1, len(data) / 2, len(data) - 1} {
		broken := bytes.Clone(data)
		broken[at] ^= 1
		if _, err := Open(broken); err != ErrDamaged {
			t.Errorf("byte %d is wrong: %v", at, err)
		}
	}
	if _, err := Open(data[:len(data)-3]); err != ErrDamaged {
		t.Errorf("cut short: %v", err)
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(built(f, drafts(2)).Bytes(), 200, byte(7))
	f.Add([]byte("pas"), 0, byte(0))
	f.Fuzz(func(t *testing.T, data []byte, at int, with byte) {
		if at >= 0 && at < len(data) {
			data = bytes.Clone(data)
			data[at] = with
		}
		s, err := Open(checked(data))
		if err != nil {
			return
		}
		words := s.Words()
		var file tokenfile.File
		for call := range s.Len() {
			file.Decode(s.Tokens(call))
		}
		for _, w := range words {
			s.Candidates(phrase.NeedRun{Patterns: []phrase.Pattern{{Kind: phrase.Exact, Text: w}}})
		}
		for i := range s.Columns() {
			s.Read(i, make([]query.Value, s.Len()), nil)
		}
	})
}
