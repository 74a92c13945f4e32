package segment

import (
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parley/internal/query"
	"parley/internal/query/callset"
	"parley/internal/words/phrase"
)

// TestValuesAreCountedAsTheyAreRead compares counts and single values with the whole column, also where values are
// converted.
func TestValuesAreCountedAsTheyAreRead(t *testing.T) {
	numbers := func(v query.Value) query.Value { return v.As("double") }
	rapid.Check(t, func(r *rapid.T) {
		s := opened(t, Plain(stored(t, randomDrafts(r))))
		some := callset.New(s.Len())
		for call := range s.Len() {
			if rapid.Bool().Draw(r, "asked") {
				some.Add(call)
			}
		}
		for column := range s.Columns() {
			for _, cast := range []func(query.Value) query.Value{nil, numbers} {
				all := make([]query.Value, s.Len())
				s.Read(column, all, cast)
				want, left := map[query.Value]int{}, slices.Clone(some)
				for call := range some.All {
					if v := all[call]; !v.Missing() {
						want[v]++
						left.Remove(call)
					}
					if one := s.Value(column, call); cast == nil && one != all[call] {
						r.Fatalf("call %d: %v, want %v", call, one.Any(), all[call].Any())
					}
				}
				got, rest := map[query.Value]int{}, slices.Clone(some)
				for v, n := range s.Tally(column, rest, cast) {
					got[v] += n
				}
				if !maps.Equal(got, want) || !slices.Equal(rest, left) {
					r.Fatalf("%v with %v left, want %v with %v", got, rest, want, left)
				}
			}
		}
		if s.Err() != nil {
			r.Fatal(s.Err())
		}
	})
}

// texts yields what Beginning does, with words that stay valid.
func (s *Segment) texts(prefix string, least int) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for word, most := range s.Beginning(prefix, least) {
			if !yield(string(word), most) {
				return
			}
		}
	}
}

// TestWordsWithAPrefixAreThoseOfTheCalls compares the words with those of the transcripts of the drafts.
func TestWordsWithAPrefixAreThoseOfTheCalls(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		all := randomDrafts(r)
		s := opened(t, Plain(stored(t, all)))
		prefix := rapid.SampledFrom([]string{"", "a", "ab", "abc", "abcd", "1", "ü", "z"}).Draw(r, "prefix")
		want := map[string]bool{}
		for _, d := range all {
			for _, p := range d.Words.Parts {
				for _, w := range d.Words.Words[p.From:p.To] {
					if p.Field == phrase.Transcript && strings.HasPrefix(w, prefix) {
						want[w] = true
					}
				}
			}
		}
		var got []string
		bounds, least := map[string]int{}, rapid.IntRange(0, 20).Draw(r, "least")
		for word, most := range s.Beginning(prefix, 0) {
			bounds[string(word)] = most
			calls, _ := s.Having(phrase.NeedRun{Fields: phrase.Only(phrase.Transcript),
				Patterns: []phrase.Pattern{{Text: string(word)}}})
			n := calls.Len()
			if n == 0 || n > most || most > s.Len() {
				r.Fatalf("%q is in %d calls, at most %d of %d", word, n, most, s.Len())
			}
			got = append(got, string(word))
		}
		maps.DeleteFunc(bounds, func(_ string, most int) bool { return most < least })
		if some := maps.Collect(s.texts(prefix, least)); !maps.Equal(some, bounds) {
			r.Fatalf("in %d calls at least: %v, want %v", least, some, bounds)
		}
		if !slices.Equal(got, slices.Sorted(maps.Keys(want))) {
			r.Fatalf("%q, want %v", got, want)
		}
	})
}
