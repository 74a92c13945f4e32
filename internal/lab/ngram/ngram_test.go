package ngram_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parley/internal/lab/ngram"
)

func sentences(text string) [][]string {
	var all [][]string
	for line := range strings.Lines(text) {
		all = append(all, strings.Fields(line))
	}
	return all
}

// story returns sentences with properties of language: some words are frequent, and words tend to follow certain
// others.
func story(count int) [][]string {
	random := rand.New(rand.NewPCG(3, 5))
	var all [][]string
	for range count {
		var s []string
		at := 0
		for range 2 + random.IntN(8) {
			at = (at*7 + int(random.ExpFloat64()*3)) % 60
			s = append(s, fmt.Sprintf("w%d", at))
		}
		all = append(all, s)
	}
	return all
}

func TestProbabilitiesAfterEveryContextAddUpToOne(t *testing.T) {
	for _, c := range []ngram.Config{
		{Order: 1}, {Order: 2}, {Order: 3}, {Order: 4}, {Order: 3, Prune: 1e-5}, {Order: 4, Prune: 1e-4},
		{Order: 3, Known: func(w string) bool { return w != "w7" && w != "w0" }},
	} {
		text := story(400)
		m := ngram.Estimate(text, c)
		words := append(m.Words(), ngram.End)
		contexts := [][]string{nil, {ngram.Start}, {"never", "heard"}, {"w7"}, {"w0", "w3"}}
		for _, s := range text[:20] {
			contexts = append(contexts, s, append([]string{ngram.Start}, s[:1]...))
		}
		for _, context := range contexts {
			sum := 0.0
			for _, w := range words {
				sum += m.Probability(context, w)
			}
			if math.Abs(sum-1) > 1e-6 {
				t.Errorf("%+v: after %q the probabilities add up to %v", c, context, sum)
			}
		}
	}
}

// TestSmallModelIsAsComputedByHand uses discounts of 0.5, 0.75 and 0.9, because there is too little text for an
// estimate.
func TestSmallModelIsAsComputedByHand(t *testing.T) {
	m := ngram.Estimate(sentences("a b\na b\na c\n"), ngram.Config{Order: 2})
	// Words by the number of distinct words before them: a 1, b 1, c 1, </s> 2; discounts: 0.5 each and 0.75.
	unigram := func(n, discount float64) float64 { return (n - discount + 2.25/4) / 5 }
	for _, c := range []struct {
		context, word string
		want          float64
	}{
		{"", "a", unigram(1, 0.5)},
		{"", ngram.End, unigram(2, 0.75)},
		{"a", "b", (2 - 0.75 + 1.25*unigram(1, 0.5)) / 3},
		{"a", "c", (1 - 0.5 + 1.25*unigram(1, 0.5)) / 3},
		{"a", ngram.End, 1.25 / 3 * unigram(2, 0.75)},
		{"b", "c", 0.75 / 2 * unigram(1, 0.5)},
		{"", "d", 0},
	} {
		if got := m.Probability(strings.Fields(c.context), c.word); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%q after %q has %v, want %v", c.word, c.context, got, c.want)
		}
	}
}

func TestWordsThatFollowEachOtherAreMoreProbable(t *testing.T) {
	m := ngram.Estimate(story(3000), ngram.Config{Order: 3})
	held := story(3500)[3000:]
	one, _ := ngram.Estimate(story(3000), ngram.Config{Order: 1}).Perplexity(held)
	three, lacking := m.Perplexity(held)
	if three > one/2 || lacking > 0 {
		t.Errorf("perplexity %.1f with contexts, %.1f without; %v lacking", three, one, lacking)
	}
}

func TestUnknownWordsAreInNoNGram(t *testing.T) {
	m := ngram.Estimate(sentences("one rare two\none rare two\n"),
		ngram.Config{Order: 3, Known: func(w string) bool { return w != "rare" }})
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "rare") || strings.Contains(b.String(), "one two") {
		t.Errorf("the model has n-grams across an unknown word:\n%s", &b)
	}
	if _, lacking := m.Perplexity(sentences("one rare two")); lacking != 0.25 {
		t.Errorf("%v of the words are lacking, want 1 of 4", lacking)
	}
}

func TestPruningDropsWhatMattersLeast(t *testing.T) {
	text, held := story(3000), story(3500)[3000:]
	whole, pruned := ngram.Estimate(text, ngram.Config{Order: 3}),
		ngram.Estimate(text, ngram.Config{Order: 3, Prune: 1e-4})
	before, _ := whole.Perplexity(held)
	after, _ := pruned.Perplexity(held)
	if w, p := whole.Sizes(), pruned.Sizes(); p[2] > w[2]/2 || p[0] != w[0] {
		t.Errorf("%v n-grams are left of %v", p, w)
	}
	if after > 1.1*before {
		t.Errorf("perplexity rises from %.2f to %.2f", before, after)
	}
}

func TestModelsAreWrittenAlike(t *testing.T) {
	var first, second, backwards bytes.Buffer
	text := story(200)
	for _, to := range []*bytes.Buffer{&first, &second} {
		if err := ngram.Estimate(text, ngram.Config{Order: 3}).Write(to); err != nil {
			t.Fatal(err)
		}
	}
	slices.Reverse(text)
	ngram.Estimate(text, ngram.Config{Order: 3}).Write(&backwards)
	if first.String() != second.String() || first.String() != backwards.String() {
		t.Error("the same sentences make different files")
	}
}

func TestModelIsWrittenInTheARPAFormat(t *testing.T) {
	var b bytes.Buffer
	ngram.Estimate(sentences("a b\na b\na c\n"), ngram.Config{Order: 2}).Write(&b)
	want := `\data\
ngram 1=5
ngram 2=5

\1-grams:
-0.441 </s> 0.000
-99.000 <s> -0.523
-0.673 a -0.380
-0.673 b -0.426
-0.673 c -0.301

\2-grams:
-0.117 <s> a
-0.297 a b
-0.593 a c
-0.119 b </s>
-0.167 c </s>

\end\
`
	if b.String() != want {
		t.Errorf("written\n%s\nwant\n%s", &b, want)
	}
}

func TestNoTextIsAModelOfNothing(t *testing.T) {
	m := ngram.Estimate(nil, ngram.Config{Order: 3})
	if p := m.Probability(nil, "a"); p != 0 || len(m.Words()) != 0 {
		t.Errorf("probability %v, words %q", p, m.Words())
	}
}
