package main

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"parley/internal/speech/asr/remote"
)

// pieces returns an answer with pieces that start a quarter of a second apart.
func pieces(texts ...string) *answer {
	a := &answer{timed: true}
	for i, text := range texts {
		a.pieces = append(a.pieces, piece{text: text, start: float64(i) / 4, duration: -1})
	}
	return a
}

func TestPiecesBecomeWords(t *testing.T) {
	for _, c := range []struct {
		pieces []string
		want   string // text(punctuated) start-end in ms
	}{
		{[]string{"▁thank", "▁you", "."}, "thank(thank)0-250 you(you.)250-500"},
		{[]string{" It", "'", "s", " fine", " ,"}, "it's(It's)0-750 fine(fine,)750-1000"},
		{[]string{"▁HE", "LLO", "▁WORLD"}, "hello()0-500 world()500-800"},
		{[]string{"<|en|>", "<unk>", "▁so"}, "so()500-800"},
		{[]string{"▁", "a", "▁b"}, "a()250-500 b()500-800"},
		{[]string{"caf", "<0xC3>", "<0xA9>"}, "café()0-800"},
		{[]string{"你", "好", "。", "ok"}, "你(你)0-250 好(好。)250-500 ok(ok)750-1050"},
		{[]string{"x", "▁", "a"}, "x(x)0-250 a(a)500-800"},
		{[]string{".", "▁yes"}, "yes()250-550"},
		{nil, ""},
	} {
		var got []string
		for _, w := range remote.Settle(wordsOf(pieces(c.pieces...), !strings.Contains(c.want, "()")), time.Minute) {
			got = append(got, fmt.Sprintf("%s(%s)%d-%d", w.Text, w.Punctuated, w.Start.Milliseconds(),
				w.End.Milliseconds()))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q: got %s, want %s", c.pieces, s, c.want)
		}
	}
}

func TestTheLastPieceOfAWordMayHaveNoLength(t *testing.T) {
	got := wordsOf(&answer{timed: true, sure: true, pieces: []piece{{text: "▁a", start: 1, duration: 0, logProb: 1}}},
		true)
	if len(got) != 1 || got[0].End != 1040*time.Millisecond || got[0].Confidence != 1 {
		t.Errorf("got %+v", got)
	}
}

func FuzzWordsHoldTheContract(f *testing.F) {
	f.Add(" a|b|▁c|<0xFF>|.|你", 0.5, -1.0)
	f.Fuzz(func(t *testing.T, texts string, step, duration float64) {
		a := &answer{timed: true, sure: true}
		for i, text := range strings.Split(texts, "|") {
			a.pieces = append(a.pieces, piece{text: text, start: step * float64(i), duration: duration, logProb: step})
		}
		const length = 5 * time.Second
		var last time.Duration
		for _, w := range remote.Settle(wordsOf(a, true), length) {
			if w.Text == "" || !utf8.ValidString(w.Text+w.Punctuated) || w.Start < last || w.End < w.Start ||
				w.End > length || !(w.Confidence >= 0 && w.Confidence <= 1) {
				t.Fatalf("word %+v", w)
			}
			last = w.Start
		}
	})
}

func TestTermsAreSpeltAsTheModelWrites(t *testing.T) {
	mixed, upper := &lexicon{has: map[string]bool{}, upper: true}, &lexicon{has: map[string]bool{}, upper: true}
	for _, piece := range []string{"▁", "a", "B", "ab", "."} {
		mixed.add(piece)
	}
	for _, piece := range []string{"▁A", "B", "▁X"} {
		upper.add(piece)
	}
	for _, c := range []struct {
		l          *lexicon
		term, want string
	}{
		{mixed, " aB  Ba. ", "aB Ba."}, {mixed, "AB", ""}, {mixed, "a/B", ""}, {mixed, "", ""},
		{upper, "ab xb", "AB XB"}, {upper, "ba", ""}, {upper, "ax", ""},
	} {
		if got, ok := c.l.spell(c.term); ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%q is %q, %v", c.term, got, ok)
		}
	}
}
