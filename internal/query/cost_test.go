package query

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parley/internal/testkit/verify"
	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// monotonous returns a call in which an agent repeats one word, ten times per second, and then the caller says
// another word.
func monotonous(words int) *Conversation {
	at := func(n int) time.Duration { return time.Duration(n) * 100 * time.Millisecond }
	t := &transcript.Transcript{Length: at(words + 2),
		Speakers: []transcript.Speaker{{Name: "Agent", Role: transcript.Agent},
			{Name: "Caller", Role: transcript.Caller}}}
	for n := range words {
		t.Words = append(t.Words, transcript.Word{Text: "a", Start: at(n), End: at(n + 1)})
	}
	t.Words = append(t.Words, transcript.Word{Text: "b", Start: at(words), End: at(words + 1), Speaker: 1})
	return Of(t, nil)
}

// dear returns conditions of the maximum length with the highest known evaluation cost.
func dear() map[string]string {
	fill := func(unit, join string) string {
		return "* SAYS (" + strings.Join(rep(unit, min(MaxTerms, 9900/len(unit+join))), join) + ")"
	}
	return map[string]string{
		"two words with much between them":  fill(`"a b"/100`, "||"),
		"many words with much between them": fill(`"a a a a a b"/100`, "||"),
		"any words":                         fill(`"`+strings.Repeat("* ", 48)+`b"/9`, "||"),
		"windows": "* SAYS (" + strings.Join(rep(`"a b"`, 300), "||") + ")" +
			strings.Repeat("[0,99%]", 800),
		"windows that all hits are in": `* SAYS !("b" || "a"` + strings.Repeat("[0,99%]", 1000) + `)`,
		"what follows":                 "* SAYS \"a\"" + strings.Repeat(` FOLLOWED BY * SAYS "a"`, MaxSteps),
		"what does not follow": "* SAYS \"a\"" +
			strings.Repeat(` NOT FOLLOWED BY WITHIN 1ms * SAYS ("a b"||"a")`, MaxSteps),
		"silences": strings.Join(rep("silence(99min)[0s,9min]", 350), " OR "),
	}
}

func rep(s string, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = s
	}
	return all
}

// The evaluation cost of any condition is linear in the number of words of a call.
func TestTheDearestConditionsTakeTimeInProportionToTheWords(t *testing.T) {
	verify.Long(t)
	short, long := monotonous(300), monotonous(3000)
	for name, text := range dear() {
		p := Compile(condition(t, text))
		find := func(c *Conversation) time.Duration {
			least := time.Hour
			for range 3 {
				least = min(least, busy(t, func() { p.Find(c) }))
			}
			return least
		}
		if a, b := find(short), find(long); b > 30*a+200*time.Millisecond {
			t.Errorf("%s: %v for 300 words, %v for 3,000", name, a, b)
		}
	}
}

// Words between the words of a phrase are skipped once, not once for each possible start of the phrase.
func TestWordsBetweenCostNothingMore(t *testing.T) {
	c := monotonous(3000)
	took := func(slop int) time.Duration {
		p := Compile(condition(t, fmt.Sprintf(`* SAYS (%s)`,
			strings.Join(rep(fmt.Sprintf(`"a b"/%d`, slop), MaxTerms), "||"))))
		least := time.Hour
		for range 3 {
			least = min(least, busy(t, func() { p.Find(c) }))
		}
		return least
	}
	if near, far := took(1), took(MaxSlop); far > 4*near+60*time.Millisecond {
		t.Errorf("%v with one word between, %v with %d", near, far, MaxSlop)
	}
}

func TestPlacesFindWhatPhrasesFind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.Uint32Range(0, 3), 0, 40).Draw(t, "words")
		slop := rapid.IntRange(0, 6).Draw(t, "slop")
		fit := make(places, rapid.IntRange(1, 6).Draw(t, "places"))
		for i := range fit {
			fit[i] = newSet([]uint32{rapid.Uint32Range(0, 3).Draw(t, "word")})
			fit[i].any = rapid.IntRange(0, 5).Draw(t, "any") == 0
		}
		for from := 0; ; {
			start, end, ok := fit.find(words, from, slop)
			wantStart, wantEnd, want := phrase.Find(words, from, len(fit), slop, func(place int, w uint32) bool {
				return fit[place].has(w)
			})
			if ok != want || ok && (start != wantStart || end != wantEnd) {
				t.Fatalf("%v/%d in %v from %d: %d-%d %v, want %d-%d %v", fit, slop, words, from, start, end, ok,
					wantStart, wantEnd, want)
			}
			if !ok {
				return
			}
			from = end
		}
	})
}

func TestOnlyTheFirstHitsOfACallAreReturned(t *testing.T) {
	c := monotonous(MostHits + 2000)
	for text, want := range map[string]int{
		`* SAYS "a" AND * SAYS "a"[0,]`: MostHits, `* SAYS ("a" OR "b") FOLLOWED BY * SAYS "b"`: MostHits,
		`* SAYS "a" && !"b" OR silence(0s)`: MostHits, `* SAYS "b"`: 1,
		`* SAYS "a"[-1min,]`: 598,
		`* SAYS (` + strings.Join(rep(`"a"`, 16), "||") + `)`: MostHits,
	} {
		ok, hits := Compile(condition(t, text)).Find(c)
		if !ok || len(hits) != want {
			t.Errorf("%.60s: %v, %d hits, want %d", text, ok, len(hits), want)
			continue
		}
		if last := hits[len(hits)-1].Start; want == MostHits && last > time.Duration(MostHits)*100*time.Millisecond {
			t.Errorf("%.60s: the last hit is at %v", text, last)
		}
	}
}

// Hits beyond the returned ones are not stored during evaluation.
func TestMemoryDoesNotGrowWithHits(t *testing.T) {
	verify.Long(t)
	c := monotonous(20_000)
	var terms []string
	for i := range 40 {
		terms = append(terms, fmt.Sprintf(`"a"[0,%dm]`, i+200))
	}
	words := "* SAYS (" + strings.Join(terms, "||") + ")"
	for _, text := range []string{words, words + ` FOLLOWED BY * SAYS "b"`} {
		m, err := Compile(condition(t, text)).Over(c)
		if err != nil {
			t.Fatal(err)
		}
		r := m.run(&c.Subject)
		r.want = wholeHits
		if !m.program.root.eval(r) || cap(r.hits) > 8*manyHits {
			t.Errorf("%.40s: room for %d hits is taken", text, cap(r.hits))
		}
	}
}

func TestAStoppedCallIsNotJudgedFurther(t *testing.T) {
	c := monotonous(9000)
	for name, text := range dear() {
		asked := 0
		c.Stopped = func() bool { asked++; return true }
		Compile(condition(t, text)).Find(c)
		if asked > 1 {
			t.Errorf("%s: asked %d times", name, asked)
		}
		if strings.Contains(name, "words") && asked == 0 {
			t.Errorf("%s: was not asked", name)
		}
	}
}

// Hits count as work: the time until the next call of Stopped does not depend on the number of hits.
func TestMuchIsAskedWhereThereAreManyHits(t *testing.T) {
	verify.Long(t)
	c := monotonous(30_000)
	asked := 0
	c.Stopped = func() bool { asked++; return false }
	Compile(condition(t, dear()["what follows"])).Find(c)
	if asked < 50 {
		t.Errorf("asked %d times", asked)
	}
}

func TestALikenessTakesTimeInProportionToTheText(t *testing.T) {
	took := func(length int) time.Duration {
		pattern, text := newLikePattern("%"+strings.Repeat("a", length/2)+"b%"), strings.Repeat("a", length)
		return busy(t, func() {
			for range 200 {
				pattern.fits(text)
			}
		})
	}
	if short, long := took(400), took(4000); long > 30*short+100*time.Millisecond {
		t.Errorf("%v for 400 characters, %v for 4,000", short, long)
	}
}

func TestALikenessFitsWhatItSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b"}), 0, 8).Draw(t, "text"), "")
		pattern := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "%", "_"}), 0, 6).Draw(t,
			"pattern"), "")
		want := naiveLike(text, pattern)
		if got := newLikePattern(pattern).fits(text); got != want {
			t.Fatalf("%q LIKE %q: %v", text, pattern, got)
		}
		wide := strings.NewReplacer("a", "東", "b", "é")
		if got := newLikePattern(wide.Replace(pattern)).fits(wide.Replace(text)); got != want {
			t.Fatalf("%q LIKE %q, in other letters: %v", text, pattern, got)
		}
	})
}

// All evaluation work is counted. It is linear in the number of words of a call, or in the length of a text.
func TestAllWorkIsCounted(t *testing.T) {
	varied := func(words int) *Conversation {
		at := func(n int) time.Duration { return time.Duration(n) * 2 * time.Second } // each word is a turn
		t := &transcript.Transcript{Length: at(words),
			Speakers: []transcript.Speaker{{Name: "Agent"}, {Name: "Caller"}}}
		for n := range words {
			t.Words = append(t.Words, transcript.Word{Text: fmt.Sprintf("a%d", n), Start: at(n),
				End: at(n) + time.Second, Speaker: n % 2})
		}
		return Of(t, func(Field) Value { return Text(strings.Repeat("a", words)) })
	}
	spent := func(c *Conversation, text string) int64 {
		const most = 1 << 40
		c.Budget = &Budget{Left: most}
		Compile(condition(t, text)).Find(c)
		return most - c.Budget.Left
	}
	short, long := varied(300), varied(3000)
	for name, text := range map[string]string{
		"words that do not occur":     `* SAYS ("x" || "y" || "z")`,
		"words that begin so":         `* SAYS ("a*" || "a1*" || "b*")`,
		"a speaker who says nothing":  `somebody SAYS "a"`,
		"silences":                    `silence(1s)`,
		"overtalk":                    `overtalk(1s)`,
		"the whole call, once a turn": `* SAYS ("x" && ("a1" AND NOT "b"))`,
		"a text":                      `metadata:x = "b"`,
		"a text and many others":      `metadata:x IN ("b", "c", "d")`,
		"a pattern":                   `metadata:x LIKE "%b%"`,
		"a pattern with any one":      `metadata:x LIKE "%_aaab%"`,
	} {
		a, b := spent(short, text), spent(long, text)
		if a < 100 || b < 8*a {
			t.Errorf("%s: %d for 300 words, %d for 3,000", name, a, b)
		}
	}
}

func TestNothingIsJudgedOnceTheBudgetIsSpent(t *testing.T) {
	c := monotonous(30_000)
	for name, text := range dear() {
		c.Budget = &Budget{Left: 1000}
		Compile(condition(t, text)).Find(c)
		if c.Budget.Left >= 0 || c.Budget.Left < -100_000_000 {
			t.Errorf("%s: %d are left of 1000", name, c.Budget.Left)
		}
	}
}
