package entity_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/analysis/entity"
	"parley/internal/formatting"
	"parley/internal/transcript"
)

const wordTime = 300 * time.Millisecond

// spoken makes a transcript of one speaker's words; marks at the end of words become words of their own.
func spoken(text string) *transcript.Transcript {
	t := &transcript.Transcript{Speakers: []transcript.Speaker{{Name: "A"}}}
	for i, w := range strings.Fields(text) {
		at := time.Duration(i) * wordTime
		bare := strings.TrimRight(w, ",?!")
		if stem, ok := strings.CutSuffix(bare, "."); ok && stem != "Mr" && stem != "Dr" {
			bare = stem
		}
		t.Words = append(t.Words, transcript.Word{Text: bare, Start: at, End: at + wordTime})
		if bare != w {
			t.Words = append(t.Words, transcript.Word{Text: w[len(bare):], Kind: transcript.Punctuation, Start: at + wordTime, End: at + wordTime})
		}
		t.Length = at + wordTime
	}
	return t
}

func find(t testing.TB, said *transcript.Transcript) []entity.Entity {
	t.Helper()
	gazetteer, err := entity.Load()
	if err != nil {
		t.Fatal(err)
	}
	written := formatting.Apply(said, &formatting.Request{Numbers: true})
	return entity.Find(written, &entity.Request{Gazetteer: gazetteer, Spoken: said})
}

// annotated reads "[type text]" in a sentence: the bare sentence, and "type text" of each.
func annotated(line string) (text string, want []string) {
	for {
		before, rest, ok := strings.Cut(line, "[")
		text += before
		if !ok {
			return text, want
		}
		inside, after, _ := strings.Cut(rest, "]")
		_, words, _ := strings.Cut(inside, " ")
		want = append(want, inside)
		text += words
		line = after
	}
}

// tally counts what is right, too much and missing of one type.
type tally struct{ right, extra, missing int }

func (c tally) precision() float64 { return float64(c.right) / max(1, float64(c.right+c.extra)) }
func (c tally) recall() float64    { return float64(c.right) / max(1, float64(c.right+c.missing)) }

// calls reads the annotated sentences: those the rules were made with, or those held back.
func calls(t testing.TB, held bool) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/calls.txt")
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	n := 0
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if n++; (n%3 == 0) == held {
			kept = append(kept, line)
		}
	}
	return kept
}

// score compares what is found in sentences with what is annotated.
func score(t *testing.T, lines []string, show bool) map[string]*tally {
	counts := map[string]*tally{"all": {}}
	for _, line := range lines {
		text, want := annotated(line)
		var got []string
		for _, e := range find(t, spoken(text)) {
			got = append(got, string(e.Type)+" "+e.Text)
		}
		count := func(list, other []string, add func(*tally)) {
			for _, one := range list {
				kind, _, _ := strings.Cut(one, " ")
				if counts[kind] == nil {
					counts[kind] = &tally{}
				}
				if !slices.Contains(other, one) {
					add(counts[kind])
					add(counts["all"])
				}
			}
		}
		count(want, nil, func(c *tally) { c.right++ })
		count(want, got, func(c *tally) { c.right--; c.missing++ })
		count(got, want, func(c *tally) { c.extra++ })
		if show && !slices.Equal(want, got) {
			t.Logf("%s\n got %q", line, got)
		}
	}
	return counts
}

func TestSentencesOfCallsHaveTheirEntities(t *testing.T) {
	for _, c := range []struct {
		name      string
		held      bool
		precision float64
		recall    float64
	}{{"made with", false, 0, 0}, {"held back", true, 0, 0}} {
		counts := score(t, calls(t, c.held), !c.held)
		for _, kind := range []string{"location", "person", "organization", "money", "number", "phone", "time", "date", "all"} {
			n := counts[kind]
			t.Log(fmt.Sprintf("%s %-12s precision %.2f recall %.2f (%d)", c.name, kind, n.precision(), n.recall(), n.right+n.missing))
		}
		if all := counts["all"]; all.precision() < c.precision || all.recall() < c.recall {
			t.Errorf("%s: precision %.3f, recall %.3f", c.name, all.precision(), all.recall())
		}
	}
}
