package redact

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parley/internal/words/sound"
	"parley/internal/words/transcript"
)

const step = 300 * time.Millisecond

// said returns a transcript in which words are 200 ms long and start every 300 ms. A word that begins with > is the
// other speaker's, a dot is a step of silence, and punctuation is kept.
func said(text string) *transcript.Transcript {
	t := &transcript.Transcript{Speakers: make([]transcript.Speaker, 2)}
	at := time.Duration(0)
	for w := range strings.FieldsSeq(text) {
		word, other := strings.CutPrefix(w, ">")
		next := transcript.Word{Text: word, Start: at, End: at + 200*time.Millisecond, Confidence: .5,
			Markers: []string{"x"}, Voice: &transcript.Voice{Volume: 1}}
		if other {
			next.Speaker = 1
		}
		switch w {
		case "_":
			at += step
			continue
		case ",", "?":
			end := at - step + 200*time.Millisecond
			next = transcript.Word{Text: w, Kind: transcript.Punctuation, Start: end, End: end}
		default:
			at += step
		}
		t.Words = append(t.Words, next)
	}
	t.Length = at + time.Second
	return t
}

func TestOneReplacementStandsForARegionWhoeverSaysItsWords(t *testing.T) {
	gone, other := "[gone]", "[other]"
	for _, c := range []struct {
		said    string
		regions []Region
		want    string
	}{
		{"it is four one one thanks", []Region{{First: 2, Last: 4, Replacement: &gone}}, "it is [gone]600-1400 thanks"},
		{"it is four , one ? thanks", []Region{{First: 2, Last: 4, Replacement: &gone}},
			"it is [gone]600-1100 ? thanks"},
		{"four >okay one", []Region{{First: 0, Last: 2, Replacement: &gone}}, "[gone]0-800"},
		{">four >one okay", []Region{{First: 0, Last: 2, Replacement: &gone}}, ">[gone]0-800"},
		{">four one", []Region{{First: 0, Last: 1, Replacement: &gone}}, "[gone]0-500"},
		{"four _ _ _ one", []Region{{First: 0, Last: 1, Replacement: &gone}}, "[gone]0-1400"},
		{"four one two", []Region{{First: 0, Last: 1, Replacement: &gone}, {First: 1, Last: 2, Replacement: &other}},
			"[gone]0-500 [other]600-800"},
		{"four one two six", []Region{{First: 0, Last: 1, Replacement: &gone}, {First: 2, Last: 3, Replacement: &gone}},
			"[gone]0-500 [gone]600-1100"},
		{"four one two six", []Region{{First: 1, Last: 2, Replacement: &other},
			{First: 0, Last: 3, Replacement: &gone}}, "[gone]0-200 [other]300-800 [gone]900-1100"},
		{"four one two", []Region{{First: 0, Last: 2}}, "four one two"},
		{"four one two", []Region{{First: 0, Last: 2}, {First: 1, Last: 1, Replacement: &gone}},
			"four [gone]300-500 two"},
		{strings.Repeat("one >two ", 10), []Region{{First: 0, Last: 19, Replacement: &gone}}, "[gone]0-5900"},
		{", ?", []Region{{First: 0, Last: 1, Replacement: &gone}}, ""},
	} {
		got := Words(said(c.said), c.regions)
		if shown := show(got); shown != c.want {
			t.Errorf("%s: %s, want %s", c.said, shown, c.want)
		}
	}
}

// show formats words in the syntax of said, with times if they are redacted.
func show(t *transcript.Transcript) string {
	var all []string
	for _, w := range t.Words {
		text := w.Text
		if w.Kind == transcript.Redacted {
			text = fmt.Sprintf("%s%d-%d", text, w.Start.Milliseconds(), w.End.Milliseconds())
		}
		if w.Speaker == 1 {
			text = ">" + text
		}
		all = append(all, text)
	}
	return strings.Join(all, " ")
}

func TestNothingOfHiddenWordsStays(t *testing.T) {
	gone := "x"
	before := said("a secret b")
	after := Words(before, []Region{{First: 1, Last: 1, Replacement: &gone}})
	want := transcript.Word{Text: "x", Kind: transcript.Redacted, Start: step, End: step + 200*time.Millisecond,
		Confidence: .5}
	if got := fmt.Sprint(after.Words[1]); got != fmt.Sprint(want) {
		t.Errorf("%s stands for the word", got)
	}
	if before.Words[1].Text != "secret" || after.Words[0].Voice == nil {
		t.Error("other words have changed")
	}
}

func TestBeepsReachALittleBeyondTheWords(t *testing.T) {
	low, high := &Tone{400, .5}, &Tone{800, 1}
	words := said("a b c d e f g h")
	got := Beeps(words, []Region{{First: 4, Last: 4, Tone: high}, {First: 0, Last: 0, Tone: low},
		{First: 1, Last: 1, Tone: high}, {First: 6, Last: 7}})
	want := []sound.Beep{{Segment: sound.Segment{End: 750 * time.Millisecond}, Frequency: 400, Gain: .5},
		{Segment: sound.Segment{Start: 1050 * time.Millisecond, End: 1650 * time.Millisecond}, Frequency: 800, Gain: 1}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestHiddenWordsAreCoveredAndNobodyElseIsTouched: each redacted word lies in a beep and in a placeholder, and all
// others are unchanged.
func TestHiddenWordsAreCoveredAndNobodyElseIsTouched(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		gone := "[redacted]"
		words := said(strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"one", ">two", "_", ",", "three"}), 0,
			60).Draw(rt, "words"), " "))
		n := len(words.Words)
		var regions []Region
		hidden := make([]bool, n)
		for range rapid.IntRange(0, 5).Draw(rt, "regions") {
			if n == 0 {
				break
			}
			first := rapid.IntRange(0, n-1).Draw(rt, "first")
			last := rapid.IntRange(first, n-1).Draw(rt, "last")
			regions = append(regions, Region{first, last, &gone, &Tone{440, 1}})
			for i := first; i <= last; i++ {
				hidden[i] = true
			}
		}
		out, beeps := Words(words, regions), Beeps(words, regions)
		var stay, left []string
		for i, w := range words.Words {
			if !hidden[i] {
				stay = append(stay, fmt.Sprint(w))
			} else if w.Kind.Lasts() && (!covered(beeps, w) || !replaced(out, w)) {
				rt.Errorf("word %d is not covered", i)
			}
		}
		for _, w := range out.Words {
			if w.Kind != transcript.Redacted {
				left = append(left, fmt.Sprint(w))
			}
		}
		if !slices.Equal(stay, left) {
			rt.Errorf("%v became %v", stay, left)
		}
	})
}

func covered(beeps []sound.Beep, w transcript.Word) bool {
	return slices.ContainsFunc(beeps, func(b sound.Beep) bool { return b.Start <= w.Start && b.End >= w.End })
}

func replaced(t *transcript.Transcript, w transcript.Word) bool {
	return slices.ContainsFunc(t.Words, func(r transcript.Word) bool {
		return r.Kind == transcript.Redacted && r.Start <= w.Start && r.End >= w.End
	})
}
