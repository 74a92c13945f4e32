package phrase

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

func TestWordsAreFolded(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "",
		"  \t\n— … !?":                   "",
		"Thank you.":                     "thank|you",
		"DON'T don’t ‘don't’ dont":       "don't|don't|don't|dont",
		"the agents' 'cause rock'n'roll": "the|agents|cause|rock'n'roll",
		"U.S.A. u.s. e.g. 7 p.m.!":       "usa|us|eg|7|pm",
		"J. Smith, St. Louis":            "j|smith|st|louis",
		"www.example.com":                "www|example|com",
		"$49.99 1,000.50 10:30 50%":      "49.99|1,000.50|10:30|50",
		"3. Then":                        "3|then",
		"follow-up and/or AT&T":          "follow|up|and|or|at|t",
		"Straße STRASSE ﬁne Ⅷ":           "strasse|strasse|fine|viii",
		"Ünïcödé E\u0301tude":            "ünïcödé|étude",
		"ΣΊΣΥΦΟΣ σίσυφος":                "σίσυφοσ|σίσυφοσ",
		"co\u00adoperate":                "cooperate",
		"ｆｕｌｌ　ｗｉｄｔｈ":                     "full|width",
		"部⺷ 1":                           "部|⺷|1",
		"東京タワー tower":                    "東|京|タ|ワ|ー|tower",
		"क्षत्रिय":                       "क्षत्रिय",
		"[redacted] f***":                "redacted|f",
		"\xff\xfe a":                     "a",
		strings.Repeat("x", 100):         strings.Repeat("x", 64),
	} {
		if got := strings.Join(Words(text), "|"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestWhatIsFoldedStaysAndCaseDoesNotCount(t *testing.T) {
	for r := rune(0); r < 0x20000; r++ { // above are ideographs, tags and private use characters
		folded := Fold(string(r))
		if again := Fold(folded); again != folded {
			t.Errorf("%U is folded to %q, that to %q", r, folded, again)
		}
		if lower := unicode.ToLower(r); unicode.ToUpper(lower) == r && Fold(string(lower)) != folded {
			t.Errorf("%U is folded to %q, its small letter to %q", r, folded, Fold(string(lower)))
		}
	}
}

func TestAWordThatIsCutEndsInALetter(t *testing.T) {
	for text, want := range map[string]string{
		strings.Repeat("x'", 40) + "x": strings.Repeat("x'", 31) + "x",
		strings.Repeat("1.", 40) + "1": strings.Repeat("1.", 31) + "1",
	} {
		if got := Words(text); !slices.Equal(got, []string{want}) || !slices.Equal(Words(got[0]), got) {
			t.Errorf("%q: %q, of that %q", text, got, Words(got[0]))
		}
	}
}

func FuzzWordsOfWordsAreTheSame(f *testing.F) {
	for _, text := range []string{"It's U.S.A. 1,000.5 東京 ﬁ", "a.b'c.d", "İstanbul ǰ", "e.g.x 1:2:3 ''",
		"ᾳ\u0345 \u00ad", "Ꮟꮟ", strings.Repeat("x'", 40) + "x", "x⺷‷", "ι\u00ad\u0300", "ᄀ.ᅡ"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		words := Words(text)
		if again := Words(strings.Join(words, " ")); !slices.Equal(words, again) {
			t.Fatalf("%q: words %q, of those %q", text, words, again)
		}
		for _, w := range words {
			if alone := Words(w); len(alone) != 1 || alone[0] != w {
				t.Fatalf("%q: word %q is %q by itself", text, w, alone)
			}
		}
	})
}

func TestParseReadsWildcards(t *testing.T) {
	for text, want := range map[string]string{
		"Thank  YOU": "thank you", "thank*": "thank*", "than* * calling": "than* * calling", "*": "*", "**": "*",
		"follow-u* it": "follow u* it", "what?! now": "what now", "f***": "f*", "- you": "you", "don’t*": "don't*",
	} {
		if p, err := Parse(text); err != nil || p.String() != want {
			t.Errorf("%q: %q (%v), want %q", text, p, err, want)
		}
	}
	for text, want := range map[string]error{"": ErrEmpty, " -- ": ErrEmpty, "!*": ErrEmpty, "re*nd": ErrStar,
		"*fund": ErrStar} {
		if p, err := Parse(text); !errors.Is(err, want) {
			t.Errorf("%q: %q, %v", text, p, err)
		}
	}
}

// hits returns all matches of a phrase.
func hits(p Phrase, words []string) (all [][2]int) {
	for from := 0; ; {
		start, end, ok := Find(words, from, len(p.Places), p.Slop, func(i int, w string) bool {
			return p.Places[i].Matches(w)
		})
		if !ok {
			return all
		}
		all = append(all, [2]int{start, end})
		from = end
	}
}

// fits reports whether a phrase matches exactly these words, by trying all alignments.
func fits(places []Pattern, words []string) bool {
	if len(places) == 0 || len(words) == 0 || !places[0].Matches(words[0]) {
		return false
	}
	if len(places) == 1 {
		return len(words) == 1
	}
	for skip := 1; skip < len(words); skip++ {
		if fits(places[1:], words[skip:]) {
			return true
		}
	}
	return false
}

func TestHitsAreLeftmostShortestAndDoNotOverlap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "ab", "c"}), 0, 12).Draw(t, "words")
		p := Phrase{Slop: rapid.IntRange(0, 4).Draw(t, "slop")}
		for range rapid.IntRange(1, 4).Draw(t, "places") {
			p.Places = append(p.Places, rapid.SampledFrom([]Pattern{{"a", Exact}, {"b", Exact}, {"c", Exact},
				{"a", Prefix}, {"", Any}}).Draw(t, "place"))
		}
		var want [][2]int
		for start := 0; start < len(words); start++ {
			for end := start + 1; end <= min(len(words), start+len(p.Places)+p.Slop); end++ {
				if fits(p.Places, words[start:end]) {
					want = append(want, [2]int{start, end})
					start = end - 1
					break
				}
			}
		}
		if got := hits(p, words); !slices.Equal(got, want) {
			t.Fatalf("%q/%d in %q: %v, want %v", p, p.Slop, words, got, want)
		}
	})
}

func BenchmarkWords(b *testing.B) {
	text := strings.Repeat("Thank you for calling, may I have your order number please? ", 136) // 1,500 words
	words := strings.Fields(text)
	b.Run("text", func(b *testing.B) {
		for b.Loop() {
			Words(text)
		}
	})
	b.Run("transcript", func(b *testing.B) {
		var dst []string
		for b.Loop() {
			dst = dst[:0]
			for _, w := range words {
				dst = Append(dst, w)
			}
		}
	})
}
