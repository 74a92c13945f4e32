package columnar

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/index/callindex"
	"parley/internal/index/segment"
	"parley/internal/index/tokenfile"
	"parley/internal/query"
	"parley/internal/query/callset"
	"parley/internal/testkit/verify"
	"parley/internal/words/media"
	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// drawer draws calls with few different words, and conditions on them.
type drawer struct{ *rand.Rand }

func one[T any](d drawer, all ...T) T { return all[d.IntN(len(all))] }

// call draws a call of one to five speakers. The turns of one speaker are long enough to be cut.
func (d drawer) call() (t *transcript.Transcript, title string) {
	t = &transcript.Transcript{}
	for range one(d, 1, 2, 2, 2, 3, 4, 5) {
		t.Speakers = append(t.Speakers, one(d, transcript.Speaker{Name: "Agent", Role: transcript.Agent},
			transcript.Speaker{Name: "Caller", Role: transcript.Caller}, transcript.Speaker{Name: "Ann", Role: transcript.Agent},
			transcript.Speaker{Name: "ann"}, transcript.Speaker{Name: "Speaker"}, transcript.Speaker{Name: "Bob"}))
	}
	at := time.Duration(0)
	for range d.IntN(6) {
		speaker := d.IntN(len(t.Speakers))
		for range 1 + d.IntN(8) {
			start := at
			at += 700 * time.Millisecond
			t.Words = append(t.Words, transcript.Word{Text: d.word(), Start: start, End: at, Speaker: speaker})
			at += one(d, 0, 0, 100*time.Millisecond, 4*time.Second)
		}
	}
	t.Length = at
	return t, strings.Join([]string{d.word(), d.word()}[:d.IntN(3)], " ")
}

func (d drawer) word() string { return one(d, "a", "a", "a", "b", "b", "c", "ab", "abc", "rare") }

// words draws words of a turn or, inside of parentheses, of a call.
func (d drawer) words(depth int) string {
	if depth == 0 || d.IntN(3) == 0 {
		text := d.word()
		for range d.IntN(3) {
			text += " " + d.word()
		}
		return `"` + text + one(d, "", "", "", "", "*") + `"` + one(d, "", "", "", "", "/1", "[0s, 5s]")
	}
	a, b := d.words(depth-1), d.words(depth-1)
	return one(d, "("+a+" && "+b+")", "("+a+" || "+b+")", "("+a+" AND "+b+")", "("+a+" OR "+b+")", "(NOT "+a+")", "!"+a)
}

func (d drawer) condition(t *testing.T, depth int) query.Condition {
	if depth > 0 && d.IntN(2) == 0 {
		a, b := d.condition(t, depth-1), d.condition(t, depth-1)
		return one[query.Condition](d, query.And{a, b}, query.Or{a, b}, query.Not{X: a})
	}
	if d.IntN(4) == 0 {
		c := query.Contains{In: phrase.Fields(1 + d.IntN(int(phrase.Everywhere)))}
		for range 1 + d.IntN(3) {
			c.What.Places = append(c.What.Places, phrase.Pattern{Text: d.word()})
		}
		return c
	}
	who := one(d, `*`, `agent`, `caller`, `"Ann"`, `customer`, `speaker`, `bob`, `nobody`)
	text := who + " SAYS " + d.words(2)
	if d.IntN(12) == 0 {
		text = one(d, "silence(3s)", who+` SAYS "a" FOLLOWED BY * SAYS "b c"`)
	}
	c, err := query.ParseCondition(text, nil)
	if err != nil {
		t.Fatal(text, err)
	}
	return c
}

// part returns a segment of drawn calls, and the calls by their numbers in the segment.
func (d drawer) part(t *testing.T) (p *part, calls []*query.Conversation) {
	b := segment.Builder{Version: one(d, segment.Oldest, segment.Latest)}
	n := one(d, 1, 3, 20, 70)
	for i := range n {
		said, title := d.call()
		id := media.ID(fmt.Sprintf("01912c45-5f3c-7d1a-9b1e-0a8d5c2f%04x", n-i))
		if err := b.Add(&segment.Draft{ID: id, Indexed: true, Searchable: true, Readable: true,
			Words: tokenfile.Of(said, title, "")}); err != nil {
			t.Fatal(err)
		}
		c := query.Of(said, nil)
		c.Add(phrase.Title, title)
		calls = append(calls, c)
	}
	data, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	s, err := segment.Open(segment.Plain(data))
	if err == nil {
		p, err = callindex.NewPart(s, callset.New(s.Len()))
	}
	if err != nil {
		t.Fatal(err)
	}
	return p, calls
}

// TestTheJudgeOfASegmentAgreesWithTheProgramOnEachCall evaluates drawn conditions on segments of drawn calls, of both
// versions of the format.
func TestTheJudgeOfASegmentAgreesWithTheProgramOnEachCall(t *testing.T) {
	verify.Long(t)
	matched, all := 0, 0
	none := func() error { return nil }
	for seed := range 400 {
		d := drawer{rand.New(rand.NewPCG(uint64(seed), 3))}
		p, calls := d.part(t)
		for range 30 {
			c := d.condition(t, 2)
			var want, got []int
			program := query.Compile(c)
			for i, call := range calls {
				if holds, _ := program.Find(call); holds {
					want = append(want, i)
				}
			}
			j, err := newCondition(c).over(p, nil, none)
			if err != nil {
				t.Fatal(err)
			}
			for call, err := range j.matches(0, none) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, call)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d: %s: %v of %d calls, want %v", seed, query.Print(c), got, len(calls), want)
			}
			matched, all = matched+len(got), all+len(calls)
		}
	}
	if matched < all/10 || matched > all*9/10 {
		t.Errorf("%d of %d calls match: the pairs are one-sided", matched, all)
	}
}
