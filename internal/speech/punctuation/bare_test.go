package punctuation

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parley/internal/words/transcript"
)

// mixed returns a transcript of lines "A words, with marks", each as a separate turn.
func mixed(lines ...string) *transcript.Transcript {
	t := &transcript.Transcript{Speakers: make([]transcript.Speaker, 2)}
	at := time.Duration(0)
	for _, line := range lines {
		f := strings.Fields(line)
		speaker := strings.Index("AB", f[0])
		for _, w := range f[1:] {
			text := strings.TrimRight(w, ",.?:—")
			t.Words = append(t.Words, transcript.Word{Text: text, Start: at, End: at + 300*time.Millisecond,
				Speaker: speaker})
			at += 300 * time.Millisecond
			if mark := w[len(text):]; mark != "" {
				t.Words = append(t.Words, transcript.Word{Text: mark, Kind: transcript.Punctuation, Start: at, End: at,
					Speaker: speaker})
			}
		}
		at += time.Second
	}
	return t
}

// TestOnlyStretchesThatNobodyHasPunctuatedAreBare compares the first and last bare words of each stretch.
func TestOnlyStretchesThatNobodyHasPunctuatedAreBare(t *testing.T) {
	const plain = "so i called the bank about it and they said that i have to wait until monday because nobody is " +
		"there who can help me with that "
	const marked = "So, I called. They said that I have to wait. Can you help? Yes, on Monday. It is fine, thanks. Bye. "
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"nobody has":             {[]string{"A " + plain, "B okay"}, "so…that okay…okay"},
		"all of it":              {[]string{"A " + marked, "B Okay."}, ""},
		"a short answer without": {[]string{"A " + marked, "B okay"}, ""},
		"one label":              {[]string{"A Speaker 1: hello how are you today"}, "Speaker…today"},
		"labels and dashes": {[]string{"A Speaker 1: so i — well i called", "B Speaker 2: yes it is"},
			"Speaker…called Speaker…is"},
		"one mark in a hundred words": {[]string{"A Acme. " + strings.Repeat(plain, 4)}, "Acme…that"},
		"one of two speakers":         {[]string{"A " + marked, "B " + plain}, "so…that"},
		"the second half": {[]string{"A " + strings.Repeat(marked, 3) + strings.Repeat(plain, 3)},
			"so…that"},
		"between two marked parts": {[]string{"A " + strings.Repeat(marked, 3) + strings.Repeat(plain, 3) + "Bye. " +
			strings.Repeat(marked, 3)}, "so…Bye"},
		"commas alone": {[]string{"A thank you for calling, how are you"}, ""},
		"nothing":      {nil, ""},
	} {
		tr := mixed(c.lines...)
		bare := Bare(tr)
		var got []string
		for speaker := range tr.Speakers {
			open := -1
			for i, w := range tr.Words {
				if w.Speaker != speaker || w.Kind == transcript.Punctuation {
					continue
				}
				switch {
				case bare == nil || !bare[i]:
					open = -1
				case open < 0:
					got, open = append(got, w.Text+"…"+w.Text), len(got)
				default:
					first, _, _ := strings.Cut(got[open], "…")
					got[open] = first + "…" + w.Text
				}
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: %q, want %q", name, text, c.want)
		}
	}
}

func TestMarksOfOtherScriptsAreKnown(t *testing.T) {
	for text, want := range map[string]Mark{"?": Question, "？": Question, "؟": Question, ".": Period, "!": Period,
		"。": Period, "…": Period, "।": Period, ",": Comma, "，": Comma, ":": Comma, "—": Comma} {
		if got := markOf(text); got != want {
			t.Errorf("%s is like %q, want %q", text, got, want)
		}
	}
}

func TestWordsThatArePunctuatedStayAsTheyAre(t *testing.T) {
	r := load(t)
	rapid.Check(t, func(t *rapid.T) {
		in := drawTranscript(t)
		bare := Bare(in)
		if bare == nil {
			return
		}
		once := Apply(in, &Request{r.Model, r.Names, bare})
		keeps(t, in, once)
		at := 0
		for _, w := range once.Words {
			if at < len(in.Words) && same(w, in.Words[at]) {
				if !bare[at] && w.Text != in.Words[at].Text {
					t.Fatalf("%q became %q where it was to stay", in.Words[at].Text, w.Text)
				}
				at++
			} else if at > 0 && !bare[at-1] && in.Words[at-1].Speaker == w.Speaker {
				t.Fatalf("a mark behind word %d, where none was to be set", at-1)
			}
		}
		if again := Bare(once); again != nil {
			if twice := Apply(once, &Request{r.Model, r.Names, again}); !reflect.DeepEqual(once, twice) {
				t.Fatalf("once  %q\ntwice %q", read(once), read(twice))
			}
		}
	})
}
