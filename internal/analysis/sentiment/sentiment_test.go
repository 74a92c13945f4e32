package sentiment

import (
	"math"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"pgregory.net/rapid"

	"parley/internal/words/transcript"
)

func loaded(tb testing.TB) *Model {
	tb.Helper()
	m, err := Load()
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// said is a sentence of testdata/calls.txt.
type said struct {
	sign byte
	text string
}

func sentencesOfCalls(tb testing.TB) []said {
	tb.Helper()
	data, err := os.ReadFile("testdata/calls.txt")
	if err != nil {
		tb.Fatal(err)
	}
	var list []said
	for _, line := range strings.Split(string(data), "\n") {
		if len(line) > 2 && line[0] != '#' {
			list = append(list, said{line[0], line[2:]})
		}
	}
	if len(list) < 300 {
		tb.Fatalf("%d sentences", len(list))
	}
	return list
}

func TestSentencesOfCallsHaveTheRightSign(t *testing.T) {
	m := loaded(t)
	for _, s := range sentencesOfCalls(t) {
		for _, text := range []string{s.text, written(s.text)} {
			score := m.Score(text)
			right := map[byte]bool{'0': score == 0, '+': score >= .08, '-': score <= -.08}[s.sign]
			if !right {
				t.Errorf("%q scores %.3f, want %c", text, score, s.sign)
			}
		}
	}
}

// written returns a sentence with an initial capital and a full stop.
func written(text string) string {
	runes := []rune(strings.TrimSuffix(text, "."))
	runes[0] = unicode.ToUpper(runes[0])
	return strings.ReplaceAll(strings.ReplaceAll(string(runes)+".", " i ", " I "), " i'", " I'")
}

func TestStrongerWordsScoreHigher(t *testing.T) {
	m := loaded(t)
	for _, rising := range [][]string{
		{"the service is absolutely terrible", "the service is bad", "the service is okay", "the service is good",
			"the service is very good", "the service is absolutely wonderful"},
		{"i am extremely unhappy", "i am unhappy", "i am here", "i am happy", "i am extremely happy"},
		{"it is not good", "it is somewhat good", "it is good"},
	} {
		for i, text := range rising[1:] {
			if a, b := m.Score(rising[i]), m.Score(text); a >= b {
				t.Errorf("%q scores %.3f, not below %q: %.3f", rising[i], a, text, b)
			}
		}
	}
}

func TestAQuestionSaysLessThanAStatement(t *testing.T) {
	m := loaded(t)
	for _, text := range []string{"the service is good", "the service is terrible"} {
		if s, q := m.Score(text+"."), m.Score(text+"?"); math.Abs(q) >= math.Abs(s) || q*s < 0 {
			t.Errorf("%q: %.3f, as a question %.3f", text, s, q)
		}
	}
}

// anyText draws words with sentiment, words without, and arbitrary text.
func anyText(rt *rapid.T) string {
	word := rapid.OneOf(
		rapid.SampledFrom(strings.Fields(
			"not no never very the is to if but good great terrible problem thanks cancel ! ? :) GOOD don't 100 "+
				"credit card so")),
		rapid.StringMatching(`[a-z']{1,9}`), rapid.String())
	return strings.Join(rapid.SliceOfN(word, 0, 40).Draw(rt, "words"), " ")
}

func TestScoresAreWithinBoundsAndTheSameEachTime(t *testing.T) {
	m := loaded(t)
	rapid.Check(t, func(rt *rapid.T) {
		text := anyText(rt)
		score := m.Score(text)
		if math.IsNaN(score) || score < -1 || score > 1 || score != m.Score(text) || score != 0 &&
			math.Abs(score) < least {
			rt.Fatalf("%q scores %v, then %v", text, score, m.Score(text))
		}
	})
}

func TestManyGoroutinesMayAsk(t *testing.T) {
	m := loaded(t)
	want := m.Score("i am not happy with my credit card!")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				if got := m.Score("i am not happy with my credit card!"); got != want {
					t.Errorf("%v, want %v", got, want)
				}
			}
		})
	}
	group.Wait()
}

func TestNothingSaysNothing(t *testing.T) {
	m := loaded(t)
	for _, text := range []string{"", " ", "...", "\x00\xff", "1 2 3", "the of and", "Grüße aus Köln"} {
		if s := m.Score(text); s != 0 {
			t.Errorf("%q scores %v", text, s)
		}
	}
}

// constant is a scorer whose score is the length of the sentence in bytes, divided by 100.
type constant struct{}

func (constant) Score(text string) float64 { return float64(len(text)) / 100 }

func TestEverySentenceIsScoredWhereItIs(t *testing.T) {
	second := time.Second
	tr := &transcript.Transcript{
		Speakers: []transcript.Speaker{{Name: "Agent"}, {Name: "Caller"}},
		Words: []transcript.Word{
			{Text: "Hello.", Start: 0, End: second, Speaker: 0},
			{Text: "Yes.", Start: 2 * second, End: 3 * second, Speaker: 0},
			{Text: "Hi", Start: 4 * second, End: 5 * second, Speaker: 1},
		},
		Length: 6 * second,
	}
	found := Find(tr, &Request{Scorer: constant{}})
	want := []Sentence{{0, 0, second, .06}, {0, 2 * second, 3 * second, .04}, {1, 4 * second, 5 * second, .02}}
	if len(found) != len(want) {
		t.Fatalf("%d sentences: %v", len(found), found)
	}
	for i := range want {
		if found[i] != want[i] {
			t.Errorf("%v, want %v", found[i], want[i])
		}
	}
	if none := Find(&transcript.Transcript{}, &Request{Scorer: constant{}}); none == nil || len(none) != 0 {
		t.Errorf("no words have the sentences %v", none)
	}
}

func TestPhrasesThatCannotBeReadAreRefused(t *testing.T) {
	for _, lines := range []string{"good thing", "1.5", "1.5 ", "x good"} {
		if _, err := readPhrases(lines); err == nil {
			t.Errorf("%q is read", lines)
		}
	}
}

func TestTheLongestPhraseCounts(t *testing.T) {
	p, err := readPhrases("1 a|b c\n-2 a c d|e|\n3 a c d\n0 f_g|h i")
	if err != nil {
		t.Fatal(err)
	}
	for words, want := range map[string]struct {
		n int
		v float64
	}{"a c": {2, 1}, "b c x": {2, 1}, "a c d": {3, -2}, "a c e": {3, -2}, "a x": {}, "f g i": {3, 0}, "h i": {2, 0},
		"f i": {}} {
		if n, v := p.longest(strings.Fields(words)); n != want.n || v != want.v {
			t.Errorf("%s: %d words say %v, want %v", words, n, v, want)
		}
	}
}

func FuzzScore(f *testing.F) {
	m := loaded(f)
	for _, s := range []string{"not bad at all", "I LOVE it!!! :)", "@a http://b <3", "don’t", "if but ?", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if s := m.Score(text); math.IsNaN(s) || s < -1 || s > 1 {
			t.Errorf("%q scores %v", text, s)
		}
	})
}

// BenchmarkCall scores the 1,000 sentences of a call of an hour.
func BenchmarkCall(b *testing.B) {
	m, sentences := loaded(b), sentencesOfCalls(b)
	for b.Loop() {
		for i := range 1000 {
			m.Score(sentences[i%len(sentences)].text)
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		loaded(b)
	}
}
