package segment

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parley/internal/index/tokenfile"
	"parley/internal/query"
	"parley/internal/words/phrase"
)

var versions = rapid.IntRange(Oldest, Latest)

// castOf returns the cast of a call.
func castOf(w *tokenfile.Source) query.Cast {
	c := query.Cast{Speakers: w.Speakers, First: [2]int{-1, -1}}
	var order []int
	for _, p := range w.Parts {
		if p.Field == phrase.Transcript && !slices.Contains(order, p.Speaker) {
			order = append(order, p.Speaker)
		}
	}
	copy(c.First[:], order)
	return c
}

// knowsVoices checks for some words and names that a segment of some drafts, newest first, knows who says the words: of
// the first three speakers exactly, of the others as far as they are all meant or none.
func knowsVoices(t rapid.TB, s *Segment, all []*Draft) {
	t.Helper()
	lists := s.Lists()
	for _, pattern := range []phrase.Pattern{{Text: "a"}, {Text: "ab"}, {Text: "a", Kind: phrase.Prefix}, {Text: "hello"},
		{Text: "i", Kind: phrase.Prefix}, {Text: "refund"}, {Text: "no such"}} {
		for _, who := range []query.Speaker{"agent", "caller", "Ann", "bob", "Speaker", "Cy", "nobody"} {
			run := phrase.NeedRun{Fields: phrase.Only(phrase.Transcript), Patterns: []phrase.Pattern{pattern}}
			sure, may := lists.Saying(run, who)
			for i, d := range all {
				call, cast := len(all)-1-i, castOf(d.Words)
				meant := cast.Meant(who)
				says, before, others := false, false, false // by a speaker that is meant; by an earlier one; by a later one
				all := true                                 // the later ones are meant
				for _, p := range d.Words.Parts {
					if p.Field != phrase.Transcript || !slices.ContainsFunc(d.Words.Words[p.From:p.To], pattern.Matches) {
						continue
					}
					says = says || meant[p.Speaker]
					before = before || p.Speaker < 3 && meant[p.Speaker]
					others = others || p.Speaker >= 3
				}
				some := false
				for k := 3; k < len(meant); k++ {
					all, some = all && meant[k], some || meant[k]
				}
				wantSure, wantMay := before || others && all, before || others && some
				if s.version < voices {
					wantSure = false
					wantMay = slices.ContainsFunc(d.Words.Parts, func(p tokenfile.Part) bool {
						return p.Field == phrase.Transcript && slices.ContainsFunc(d.Words.Words[p.From:p.To], pattern.Matches)
					})
				}
				if sure.Has(call) != wantSure || may.Has(call) != wantMay || sure.Has(call) && !says || says && !may.Has(call) {
					t.Fatalf("version %d, %s says %v in %+v: certainly %v, perhaps %v, want %v, %v", s.version, who, pattern,
						d.Words, sure.Has(call), may.Has(call), wantSure, wantMay)
				}
			}
		}
	}
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
}

func TestListsKnowWhoSaysAWord(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		all := randomDrafts(r)
		some := len(all) / 3
		s := opened(t, Plain(storedAs(t, versions.Draw(r, "version"), all)))
		knowsVoices(r, s, all)
		first := opened(t, Plain(storedAs(t, versions.Draw(r, "version"), all[:some])))
		second := opened(t, Plain(storedAs(t, versions.Draw(r, "version"), all[some:])))
		b := Builder{Version: versions.Draw(r, "version")}
		for _, s := range []*Segment{first, second} {
			if err := b.Take(s, full(s)); err != nil {
				r.Fatal(err)
			}
		}
		joined := opened(t, Plain(done(t, &b)))
		same(r, joined, all)
		knowsVoices(r, joined, all)
	})
}

// Several words are said by one speaker only where each of them is.
func TestACallInWhichAnotherSpeakerSaysAWordOfAPhraseIsNoCandidate(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		all := randomDrafts(r)
		s := opened(t, Plain(storedAs(t, Latest, all)))
		run := phrase.NeedRun{Fields: phrase.Only(phrase.Transcript), Patterns: []phrase.Pattern{{Text: "a"}, {Text: "b"}}}
		sure, may := s.Lists().Saying(run, "agent")
		_, a := s.Lists().Saying(phrase.NeedRun{Fields: run.Fields, Patterns: run.Patterns[:1]}, "agent")
		for i, d := range all {
			call, cast := len(all)-1-i, castOf(d.Words)
			meant := cast.Meant("agent")
			says := slices.ContainsFunc(d.Words.Parts, func(p tokenfile.Part) bool {
				return p.Field == phrase.Transcript && meant[p.Speaker] &&
					strings.Contains(" "+strings.Join(d.Words.Words[p.From:p.To], " ")+" ", " a b ")
			})
			if sure.Has(call) || says && !may.Has(call) || may.Has(call) && !a.Has(call) && may.Len() > fewEnough {
				r.Fatalf("%+v: certainly %v, perhaps %v", d.Words, sure.Has(call), may.Has(call))
			}
		}
	})
}
