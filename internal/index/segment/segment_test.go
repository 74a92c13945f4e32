package segment

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parley/internal/call/fact"
	"parley/internal/index/tokenfile"
	"parley/internal/lab/corpus"
	"parley/internal/query"
	"parley/internal/query/callset"
	"parley/internal/words/media"
	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// drafts returns generated calls.
func drafts(n int) (all []*Draft) {
	calls := corpus.New(corpus.Config{Words: 60})
	for i := range n {
		c := calls.Call(i)
		all = append(all, &Draft{
			ID: c.ID, Change: int64(100 + i), Indexed: i%3 > 0, Searchable: i%4 > 0, Readable: i%5 > 0,
			Words: tokenfile.Of(c.Transcript, "", ""),
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

// stored returns the bytes of a segment with the given calls.
func stored(t testing.TB, all []*Draft) []byte {
	t.Helper()
	return storedAs(t, 0, all)
}

// storedAs returns the bytes of a segment of a version.
func storedAs(t testing.TB, version int, all []*Draft) []byte {
	t.Helper()
	b := builder(t, all)
	b.Version = version
	return done(t, b)
}

// builder returns a builder with the given calls.
func builder(t rapid.TB, all []*Draft) *Builder {
	t.Helper()
	b := new(Builder)
	for _, d := range all {
		if err := b.Add(d); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

func done(t testing.TB, b *Builder) []byte {
	t.Helper()
	data, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func opened(t testing.TB, source Source) *Segment {
	t.Helper()
	s, err := Open(source)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func built(t testing.TB, all []*Draft) *Segment {
	t.Helper()
	return opened(t, Plain(stored(t, all)))
}

// same checks that a segment contains the given drafts, newest first.
func same(t rapid.TB, s *Segment, all []*Draft) {
	t.Helper()
	if s.Len() != len(all) {
		t.Fatalf("%d calls, want %d", s.Len(), len(all))
	}
	words := s.Words()
	var file tokenfile.File
	for i, d := range slices.Backward(all) {
		call := len(all) - 1 - i
		if s.ID(call) != d.ID || s.Change(call) != d.Change || s.Indexed(call) != d.Indexed ||
			s.Searchable(call) != d.Searchable || s.Readable(call) != d.Readable {
			t.Fatalf("call %d: %s %d %b", call, s.ID(call), s.Change(call), s.flags(call))
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
	data := stored(t, all)
	same(t, opened(t, Plain(data)), all)
	if !bytes.Equal(stored(t, all), data) {
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
	same(t, opened(t, Plain(done(t, &b))), all[:39])
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
	list := func(p phrase.Pattern) (calls []int) {
		set, exact := s.Having(phrase.NeedRun{Fields: phrase.Everywhere, Patterns: []phrase.Pattern{p}})
		for call := range set.All {
			calls = append(calls, call)
		}
		if !exact {
			t.Errorf("%s: not exact", p)
		}
		return calls
	}
	for _, word := range append([]string{"nosuchword", ""}, all[3].Words.Words...) {
		exact, prefix := phrase.Pattern{Kind: phrase.Exact, Text: word},
			phrase.Pattern{Kind: phrase.Prefix, Text: word[:len(word)/2]}
		if got, want := list(exact),
			having(func(w string) bool { return w == word }); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", word, got, want)
		}
		if got, want := list(prefix),
			having(prefix.Matches); !slices.Equal(got, want) {
			t.Errorf("%s*: %v, want %v", prefix.Text, got, want)
		}
	}
}

func TestASegmentOfTooManyCallsIsNotBuilt(t *testing.T) {
	b := Builder{calls: make([]draftCall, MaxCalls+1)}
	if _, err := b.Build(); err != errLarge || b.Len() != MaxCalls+1 {
		t.Errorf("%d calls: %v", b.Len(), err)
	}
}

func TestDamagedSegmentsAreRefused(t *testing.T) {
	data := stored(t, drafts(5))
	for _, at := range []int{0, 3, 5, 9, 13, extentsAt + 1, header + 1, len(data) / 2, len(data) - 1} {
		broken := bytes.Clone(data)
		broken[at] ^= 1
		if _, err := Open(Plain(broken)); err != ErrDamaged {
			t.Errorf("byte %d is wrong: %v", at, err)
		}
	}
	if _, err := Open(Plain(data[:len(data)-3])); err != ErrDamaged {
		t.Errorf("cut short: %v", err)
	}
}

// randomDrafts draws calls with few different words, so that they share some.
func randomDrafts(t *rapid.T) (all []*Draft) {
	words := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "ab", "abc", "b", "17", "über", "refund"}), 0, 12)
	for i := range rapid.IntRange(0, 70).Draw(t, "calls") {
		d := &Draft{ID: media.ID(fmt.Sprintf("01912c45-5f3c-7d1a-9b1e-0a8d5c2f%04x", i)), Change: int64(i),
			Indexed: rapid.Bool().Draw(t, "indexed"), Searchable: rapid.Bool().Draw(t, "searchable"),
			Readable: rapid.Bool().Draw(t, "readable"), Words: &tokenfile.Source{Words: words.Draw(t, "words")}}
		n := len(d.Words.Words)
		d.Words.Speakers = rapid.SliceOfN(rapid.SampledFrom([]transcript.Speaker{{Name: "Ann", Role: transcript.Agent},
			{Name: "Bob", Role: transcript.Caller}, {Name: "ann"}, {Name: "Speaker"}}), 1, 6).Draw(t, "speakers")
		for from := 0; from < n/2; {
			to := rapid.IntRange(from+1, n/2).Draw(t, "turn")
			d.Words.Parts = append(d.Words.Parts, tokenfile.Part{Field: phrase.Transcript, From: from, To: to,
				Speaker: rapid.IntRange(0, len(d.Words.Speakers)-1).Draw(t, "speaker")})
			from = to
		}
		d.Words.Parts = append(d.Words.Parts, tokenfile.Part{Field: phrase.Title, From: n / 2, To: 3 * n / 4},
			tokenfile.Part{Field: phrase.Description, From: 3 * n / 4, To: n})
		for w := range n / 2 {
			d.Words.Times = append(d.Words.Times, tokenfile.Time{Start: int64(10 * w), End: int64(10*w + 7)})
		}
		for k := range rapid.IntRange(0, 2).Draw(t, "values") {
			d.Values = append(d.Values, fact.Entry{
				Field: query.Field{Space: query.Metadata, Path: []string{"extended", fmt.Sprint("k", k)}},
				Value: rapid.SampledFrom([]query.Value{query.Number(1), query.Number(2), query.Text(""),
					query.Text("x"), query.Truth(true), query.Truth(false),
					query.Instant(time.Unix(1_700_000_000, 5).UTC())}).Draw(t, "value")})
		}
		all = append(all, d)
	}
	return all
}
