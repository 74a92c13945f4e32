package query

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/testkit/verify"
)

// checkReason compares each part of a reason with the naive implementation, and counts the misses by kind.
type checkReason struct {
	testing.TB
	*naive
	about  string
	misses map[MissKind]int
}

func (c *checkReason) part(r *Reason) {
	c.Helper()
	text := Print(r.Condition)
	if r.Holds != c.holds(r.Condition) {
		c.Fatalf("%s\n%s holds: %v", c.about, text, r.Holds)
	}
	if len(r.Parts) == 0 || r.Kind == FollowedPart {
		want := 0
		if r.Holds {
			want = len(sorted(c.hits(r.Condition)))
		}
		if r.Count != want || len(r.Hits) != min(want, MostShown) {
			c.Fatalf("%s\n%s has %d hits, %d shown, want %d", c.about, text, r.Count, len(r.Hits), want)
		}
	}
	if len(r.Parts) > 0 && (len(r.Decisive) == 0 || !c.decides(r)) {
		c.Fatalf("%s\n%s is not decided by %v", c.about, text, r.Decisive)
	}
	if r.Holds && len(r.Misses) > 0 || !r.Holds && r.Kind == FieldPart && len(r.Misses) == 0 {
		c.Fatalf("%s\n%s has the misses %+v", c.about, text, r.Misses)
	}
	for _, m := range r.Misses {
		c.misses[m.Kind]++
		c.miss(r, m)
	}
	for _, p := range r.Parts {
		c.part(p)
	}
}

// decides reports whether the decisive parts are those that make a part hold or not.
func (c *checkReason) decides(r *Reason) bool {
	is := func(i int) bool { return slices.Contains(r.Decisive, i) }
	turns := r.Kind == TurnAndPart && !slices.ContainsFunc(r.Parts, func(p *Reason) bool { return !p.Holds })
	for i, p := range r.Parts {
		switch {
		case r.Kind == FollowedPart && !r.Holds:
			// the sequence holds until the side before it
			f := r.Condition.(Followed)
			return (i == 0 || c.holds(f.until(r.Decisive[0]-1))) && !c.holds(f.until(r.Decisive[0]))
		case r.Kind == AndPart, r.Kind == TurnAndPart && !turns:
			if is(i) != (p.Holds == r.Holds) {
				return false
			}
		case r.Kind == TurnOrPart && !r.Holds && p.Holds: // about the call, of a speaker without a turn
			if len(c.turnsOf(r.Condition.(Says).Who)) > 0 {
				return false
			}
		case r.Kind == OrPart, r.Kind == TurnOrPart:
			if is(i) != (p.Holds == r.Holds) {
				return false
			}
		default:
			if !is(i) {
				return false
			}
		}
	}
	return true
}

// miss checks that what a miss says is true: its condition holds, and with less it does not.
func (c *checkReason) miss(r *Reason, m Miss) {
	c.Helper()
	fail := func(why string) {
		c.Helper()
		c.Fatalf("%s\n%s: %s: %+v", c.about, Print(r.Condition), why, m)
	}
	if m.Message == "" || m.Condition == nil || !c.holds(m.Condition) {
		fail("does not hold: " + Print(m.Condition))
	}
	if parsed, err := ParseCondition(Print(m.Condition), nil); err != nil || Print(parsed) != Print(m.Condition) {
		fail("cannot be written")
	}
	if len(m.Hits) > MostPlaces {
		fail("too many places")
	}
	said, _ := r.Condition.(Says)
	near, _ := m.Condition.(Says)
	term, _ := near.What.(Term)
	if m.Slop > 0 {
		less := m.Slop - 1
		if term.Slop = &less; c.holds(Says{near.Who, term}) {
			fail("less slop suffices")
		}
	}
	switch m.Kind {
	case OtherSpeaker:
		for _, h := range m.Hits {
			name := c.speakers[h.Speaker].Name
			if !slices.Contains(m.Speakers, name) {
				fail(name + " is missing")
			}
			if near.Who != "" || said.Who == "" {
				fail("no other speaker")
			}
		}
	case OutsideWindow:
		for _, h := range m.Hits {
			at := int(h.Start.Milliseconds())
			if words, ok := said.What.(Term); ok && !slices.ContainsFunc(words.Windows, func(w Window) bool { return !c.inside(w, at) }) {
				fail("inside the window")
			}
		}
	case NeedsSlop:
		if m.Slop == 0 {
			fail("no slop")
		}
	case Later:
		f := m.Condition.(Followed)
		f.Steps[len(f.Steps)-1].Within = &Time{Amount: m.Duration.Milliseconds() - 1}
		if m.Duration == 0 || c.holds(f) {
			fail("it follows earlier")
		}
	case Shorter:
		i := m.Condition.(Interval)
		i.AtLeast = Time{Amount: m.Duration.Milliseconds() + 1}
		if c.holds(i) {
			fail("there is a longer one")
		}
	case SomeWords, NotSaid, Apart:
		for word, want := range map[string]bool{strings.Join(m.Said, "|"): true, strings.Join(m.Missing, "|"): false} {
			for _, w := range strings.Split(word, "|") {
				if w != "" && c.isSaid(w) != want {
					fail(fmt.Sprint(w, " is said: ", !want))
				}
			}
		}
	case OtherWord:
		if c.isSaid(m.Word) || !c.isSaid(m.Nearest) {
			fail("the words are not as told")
		}
	}
}

func (c *checkReason) isSaid(word string) bool {
	w, err := ParseCondition(`* SAYS "`+word+`"`, nil)
	return err == nil && c.holds(w)
}

// checkWhy asks why a random call meets a random condition, or not.
func checkWhy(t testing.TB, d *drawer, misses map[MissKind]int) {
	call, c := d.call(), d.condition(2)
	if d.pick(3) == 0 {
		c = d.followed()
	}
	values, value := d.values()
	draft := Read(Print(c))
	if _, err := draft.Check(nil); err != nil {
		t.Fatal(err)
	}
	q := Inquiry{Call: Of(call, value), Fields: []Field{{Metadata, []string{"k"}}, {Metadata, []string{"l"}}}}
	r, complete := q.Why(draft.Outline())
	if r == nil || !complete {
		t.Fatal("not complete")
	}
	check := checkReason{t, newNaive(call, values), fmt.Sprintf("%s\n%svalues %v", Print(c), drawn(call), values), misses}
	check.part(r)
}

// TestReasonsAgreeWithTheNaiveMeaning tests random pairs of a condition and a call: each part holds as the naive
// implementation says, and what each miss states is true.
func TestReasonsAgreeWithTheNaiveMeaning(t *testing.T) {
	verify.Long(t)
	misses := map[MissKind]int{}
	for i := range 3000 {
		rng := rand.New(rand.NewPCG(uint64(i), 13))
		checkWhy(t, &drawer{pick: rng.IntN}, misses)
	}
	for _, k := range []MissKind{NoSpeaker, OtherSpeaker, OutsideWindow, NeedsSlop, Apart, SomeWords, NotSaid,
		DifferentTurns, EveryTurn, Later, NoneFollows, IsFollowed, Shorter, OtherValue, NoValue, OtherField} {
		if misses[k] < 3 {
			t.Errorf("%d misses of the kind %s", misses[k], k)
		}
	}
}

// FuzzWhy looks for a condition and a call whose reason is not what the naive implementation says.
func FuzzWhy(f *testing.F) {
	f.Add([]byte("0123456789abcdefghijklmnopqrstuvwxyz"))
	f.Fuzz(func(t *testing.T, data []byte) {
		i := 0
		pick := func(n int) int {
			if i++; len(data) == 0 {
				return 0
			}
			return (int(data[i%len(data)]) + i/len(data)) % n
		}
		checkWhy(t, &drawer{pick: pick}, map[MissKind]int{})
	})
}

func TestReasonsStopAtTheirBudget(t *testing.T) {
	draft := Read(`agent SAYS ("a b" && "x y z") AND NOT (* SAYS "a x" OR caller SAYS "xx")`)
	if _, err := draft.Check(nil); err != nil {
		t.Fatal(err)
	}
	all := Inquiry{Call: monotonous(500)}
	whole, complete := all.Why(draft.Outline())
	if whole == nil || !complete {
		t.Fatal("it is not complete with the usual budget")
	}
	var none, some bool
	for most := int64(1); most < MostReasons; most *= 2 {
		q := Inquiry{Call: monotonous(500), Most: most}
		r, complete := q.Why(draft.Outline())
		none, some = none || r == nil, some || r != nil && !complete
		if complete && !reflect.DeepEqual(r, whole) {
			t.Errorf("with %d: another reason", most)
		}
	}
	if !none || !some {
		t.Errorf("no reason: %v, an incomplete one: %v", none, some)
	}
	stopped := Inquiry{Call: monotonous(10)}
	stopped.Call.Stopped = func() bool { return true }
	if r, _ := stopped.Why(draft.Outline()); r != nil {
		t.Error("it was not stopped")
	}
}

func TestReasonsOfTheDearestConditionsTakeSeconds(t *testing.T) {
	verify.Long(t)
	call := monotonous(30_000)
	for name, text := range dear() {
		draft := Read(text)
		if _, err := draft.Check(nil); err != nil {
			t.Fatal(err)
		}
		q := Inquiry{Call: call}
		if used := busy(t, func() { q.Why(draft.Outline()) }); used > 15*time.Second {
			t.Errorf("%s: %v", name, used)
		}
	}
}

func BenchmarkWhy(b *testing.B) {
	call := monotonous(30_000)
	for name, text := range map[string]string{
		"holds":  `* SAYS "a"`,
		"misses": `agent SAYS "cancel my account" AND length > 5 AND caller SAYS ("a b c"/2 && "x")`,
	} {
		draft := Read(text)
		if _, err := draft.Check(nil); err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				q := Inquiry{Call: call}
				q.Why(draft.Outline())
			}
		})
	}
}
