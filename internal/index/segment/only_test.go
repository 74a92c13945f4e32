package segment

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"parley/internal/call/fact"
	"parley/internal/index/tokenfile"
	"parley/internal/query"
	"parley/internal/query/callset"
	"parley/internal/words/media"
	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// without returns a segment of the drafts for which drop is false, newest first, made by Only of one of a version.
func without(t rapid.TB, version int, all []*Draft, drop []bool) (data []byte, kept []*Draft) {
	b := Builder{Version: version}
	for i, d := range all {
		if err := b.Add(d); err != nil {
			t.Fatal(err)
		}
		if !drop[i] {
			kept = append(kept, d)
		}
	}
	whole, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(Plain(whole))
	if err != nil {
		t.Fatal(err)
	}
	some := callset.New(s.Len())
	for i := range all {
		if !drop[i] {
			some.Add(len(all) - 1 - i)
		}
	}
	if data, err = s.only(some, Written); err != nil {
		t.Fatal(err)
	}
	return data, kept
}

func TestASegmentOfSomeCallsAnswersAsOneThatHadNoOthers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := randomDrafts(t)
		drop := rapid.SliceOfN(rapid.Bool(), len(all), len(all)).Draw(t, "drop")
		data, kept := without(t, versions.Draw(t, "version"), all, drop)
		s, err := Open(Plain(data))
		if err != nil {
			t.Fatal(err)
		}
		same(t, s, kept)
		knowsVoices(t, s, kept)
		var words, marked []string
		for _, d := range kept {
			words = append(words, d.Words.Words...)
			for _, p := range d.Words.Parts {
				for _, w := range d.Words.Words[p.From:p.To] {
					marked = append(marked, mark(p.Field)+w)
				}
			}
		}
		marked = append(marked, words...)
		slices.Sort(marked)
		got := slices.DeleteFunc(slices.Sorted(slices.Values(s.Words())), func(w string) bool { return w == "" })
		if want := slices.Compact(marked); !slices.Equal(got, want) {
			t.Fatalf("words %q, want %q", got, want)
		}
		for _, first := range words {
			for _, run := range [][]phrase.Pattern{{{Text: first}}, {{Text: first}, {Text: words[0]}}} {
				for _, in := range []phrase.Fields{phrase.Everywhere, phrase.Only(phrase.Title), phrase.Only(phrase.Description)} {
					found, _ := s.Having(phrase.NeedRun{Fields: in, Patterns: run})
					for i, d := range slices.Backward(kept) {
						call, has := len(kept)-1-i, says(d.Words, in, run)
						if has && !found.Has(call) || len(run) == 1 && !has && found.Has(call) {
							t.Fatalf("%v in %v: call %d of %v", run, in, call, found)
						}
					}
				}
			}
		}
		if s.Err() != nil {
			t.Fatal(s.Err())
		}
	})
}

// says reports whether a call has consecutive words in one part of some fields.
func says(w *tokenfile.Source, in phrase.Fields, run []phrase.Pattern) bool {
	for _, p := range w.Parts {
		for i := p.From; in.Has(p.Field) && i+len(run) <= p.To; i++ {
			if w.Words[i] == run[0].Text && w.Words[i+len(run)-1] == run[len(run)-1].Text {
				return true
			}
		}
	}
	return false
}

func TestNothingOfRemovedCallsRemains(t *testing.T) {
	for i, every := range []int{2, 9, 2, 9} { // by copying, and by a builder
		var all []*Draft
		var drop []bool
		for i := range 40 {
			mark := fmt.Sprintf("mark%02d", i)
			id := uuid.NewSHA1(uuid.Nil, []byte(mark))
			copy(id[:], []byte{1, 2, 3, byte(i)})
			all = append(all, &Draft{ID: media.ID(id.String()), Words: tokenfile.Of(&transcript.Transcript{
				Speakers: []transcript.Speaker{{Name: mark}},
				Words:    []transcript.Word{{Text: mark + "word"}, {Text: "common"}},
			}, mark+"title", ""), Values: fact.Values{
				{Field: query.Field{Space: query.Metadata, Path: []string{mark + "field"}}, Value: query.Text(mark + "own")},
				{Field: query.Field{Space: query.Metadata, Path: []string{"shared"}}, Value: query.Text(mark + "shared")},
			}})
			drop = append(drop, i%every > 0)
		}
		data, kept := without(t, Oldest+i/2, all, drop)
		same(t, opened(t, Plain(data)), kept)
		for i, d := range all {
			id := uuid.MustParse(string(d.ID))
			marks := bytes.Count(data, []byte(fmt.Sprintf("mark%02d", i)))
			there := bytes.Contains(data, id[:])
			if want := map[bool]int{true: 0, false: 8}[drop[i]]; marks != want || there == drop[i] {
				t.Errorf("call %d, removed %v: %d marks remain, want %d, and its id %v", i, drop[i], marks, want, there)
			}
		}
	}
}

func TestRemovingCallsFromASegmentThatCannotBeReadIsAnError(t *testing.T) {
	source := &faulty{Source: Plain(stored(t, drafts(3)))}
	for good := int64(0); ; good++ {
		source.good.Store(good)
		s, err := Open(source)
		if err == nil {
			_, err = s.only(full(s), Written)
		}
		if err == nil && source.good.Load() > 0 {
			break
		}
		if err != errBroken && source.failed.Load() {
			t.Fatalf("after %d reads: %v", good, err)
		}
		source.failed.Store(false)
	}
}
