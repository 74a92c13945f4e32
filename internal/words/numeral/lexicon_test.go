package numeral

import (
	"strings"
	"testing"
)

func TestNumbersBelowAHundredAreReadAsTheyAreSaid(t *testing.T) {
	for v := range 100 {
		said := append(Say(v, false), "dollars")
		if got, n := Small(Lookup(said[0]), Lookup(said[1])); got != v || n != len(said)-1 {
			t.Errorf("%v: %d in %d words, want %d", said, got, n, v)
		}
		if v > 20 && v%10 > 0 {
			if e := Lookup(strings.Join(said[:2], "-")); e != (Entry{Whole, v}) {
				t.Errorf("%v with a hyphen: %v", said[:2], e)
			}
		}
	}
}

func TestOrdinalsHaveTheValuesOfTheirNumbers(t *testing.T) {
	for v := 1; v < 100; v++ {
		said := strings.Join(SayOrdinal(v, false), "-")
		if e := Lookup(said); e != (Entry{Ordinal, v}) {
			t.Errorf("%s: %v, want %d", said, e, v)
		}
	}
	for v, want := range map[int]string{
		0: "zeroth", 100: "one hundredth", 112: "one hundred and twelfth", 2_000_000: "two millionth",
	} {
		if got := strings.Join(SayOrdinal(v, true), " "); got != want {
			t.Errorf("%d: %s, want %s", v, got, want)
		}
	}
}

func TestWordsAreFoundByNameAndByRole(t *testing.T) {
	const unit, sign uint16 = 1, 2
	words := Lexicon(map[uint16]string{unit: "second dollars", sign: "dollars"})
	for word, want := range map[string]Word[uint16]{
		"second":  {Entry{Ordinal, 2}, unit},
		"dollars": {Roles: unit | sign},
		"million": {Entry: Entry{Scale, 1_000_000}},
		"sixes":   {Entry: Entry{Plural, 6}},
	} {
		if words[word] != want {
			t.Errorf("%s: %v, want %v", word, words[word], want)
		}
	}
}
