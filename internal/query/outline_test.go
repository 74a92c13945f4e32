package query

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"
)

// at returns the part of a text at a span.
func at(text string, s Span) string {
	lines := strings.SplitAfter(text, "\n")
	rest := utf16.Encode([]rune(strings.Join(lines[s.Line-1:], "")))[s.Column-1:]
	return string(utf16.Decode(rest[:s.Length]))
}

// spread writes a statement on several lines with comments and characters outside of the basic plane.
func spread(text string, rng *rand.Rand) string {
	var b strings.Builder
	quoted, escaped := false, false
	for _, r := range text {
		if r == '"' && !escaped {
			quoted = !quoted
		}
		escaped = r == '\\' && !escaped
		if r == ' ' && !quoted && rng.IntN(4) == 0 {
			b.WriteString([]string{"\n", " /* 🙂 */ ", "\t-- é\n"}[rng.IntN(3)])
		}
		b.WriteRune(r)
	}
	return b.String()
}

// What stands at the place of a part is the part: a condition as it is, words as the words of a speaker.
func TestAPartOfAnOutlineStandsAtItsPlace(t *testing.T) {
	parts := 0
	for i := range 600 {
		rng := rand.New(rand.NewPCG(uint64(i), 11))
		d := &drawer{pick: rng.IntN, wide: i%2 == 0}
		text := spread(Print(d.condition(3)), rng)
		draft := Read(text)
		if _, err := draft.Check(nil); err != nil {
			t.Fatal(text, err)
		}
		var check func(o *Outline, ofWords bool)
		check = func(o *Outline, ofWords bool) {
			parts++
			source := at(text, o.Span)
			if ofWords {
				source = o.Condition.(Says).Who.String() + " SAYS (" + source + ")"
			}
			parsed, err := ParseCondition(source, nil)
			if err != nil {
				t.Fatalf("%s\n%s at %+v: %v", text, o.Kind, o.Span, err)
			}
			if got, want := Print(parsed), Print(o.Condition); !ofWords && got != want && !isWords(o.Kind) {
				t.Fatalf("%s\n%s at %+v is %s, want %s", text, o.Kind, o.Span, got, want)
			}
			again, err := ParseCondition(Print(o.Condition), nil)
			if err != nil || !reflect.DeepEqual(again, o.Condition) {
				t.Fatalf("%s\n%s is no condition of its own: %v", text, Print(o.Condition), err)
			}
			_, says := o.Condition.(Says)
			for _, p := range o.Parts {
				check(p, says)
			}
		}
		check(draft.Outline(), false)
	}
	if parts < 2_000 {
		t.Errorf("%d parts", parts)
	}
}

// isWords reports whether a part may be words whose groups are left out of its condition.
func isWords(k Kind) bool {
	return k != FieldPart && k != IntervalPart && k != FollowedPart && k != EverythingPart
}

func TestOutlinesShowPlacesAndParts(t *testing.T) {
	var b strings.Builder
	var write func(o *Outline, indent string)
	text := "agent SAYS (\"a\" && !\"b\"/2)[0s, 9s]\n AND NOT (length > 5 OR * SAYS \"🙂 x\" FOLLOWED BY \"it\" SAYS (\"c\" AND \"d\"))"
	write = func(o *Outline, indent string) {
		b.WriteString(indent + string(o.Kind) + " " + at(text, o.Span) + " = " + Print(o.Condition) + "\n")
		for _, p := range o.Parts {
			write(p, indent+" ")
		}
	}
	draft := Read(text)
	if _, err := draft.Check(nil); err != nil {
		t.Fatal(err)
	}
	write(draft.Outline(), "")
	want := strings.ReplaceAll(`and `+text+` = "agent" SAYS ("a" && !"b"/2)[0s, 9s] AND NOT (length > 5 OR * SAYS "x" FOLLOWED BY "it" SAYS ("c" AND "d"))
 turnAnd agent SAYS ("a" && !"b"/2)[0s, 9s] = "agent" SAYS ("a" && !"b"/2)[0s, 9s]
  phrase "a" = "agent" SAYS "a"[0s, 9s]
  turnNot !"b"/2 = "agent" SAYS (!"b"/2)[0s, 9s]
   phrase "b"/2 = "agent" SAYS "b"/2[0s, 9s]
 not NOT (length > 5 OR * SAYS "🙂 x" FOLLOWED BY "it" SAYS ("c" AND "d")) = NOT (length > 5 OR * SAYS "x" FOLLOWED BY "it" SAYS ("c" AND "d"))
  or length > 5 OR * SAYS "🙂 x" FOLLOWED BY "it" SAYS ("c" AND "d") = length > 5 OR * SAYS "x" FOLLOWED BY "it" SAYS ("c" AND "d")
   field length > 5 = length > 5
   followed * SAYS "🙂 x" FOLLOWED BY "it" SAYS ("c" AND "d") = * SAYS "x" FOLLOWED BY "it" SAYS ("c" AND "d")
    phrase * SAYS "🙂 x" = * SAYS "x"
    and "it" SAYS ("c" AND "d") = "it" SAYS ("c" AND "d")
     phrase "c" = "it" SAYS "c"
     phrase "d" = "it" SAYS "d"
`, "\t", "")
	if b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
}
