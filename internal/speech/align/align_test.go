package align

import (
	"fmt"
	"math/rand"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parley/internal/speech/formatting"
	"parley/internal/words/sound"
	"parley/internal/words/transcript"
)

// text returns words without times; a sign alone is punctuation.
func text(s string) []transcript.Word {
	var words []transcript.Word
	for _, t := range strings.Fields(s) {
		w := transcript.Word{Text: t, Confidence: 1}
		if fold(t) == "" {
			w.Kind = transcript.Punctuation
		}
		words = append(words, w)
	}
	return words
}

// heard returns words of 400 ms, two per second.
func heard(s string) []transcript.Word {
	words := text(s)
	for i := range words {
		words[i].Start = time.Duration(i) * 500 * time.Millisecond
		words[i].End, words[i].Confidence = words[i].Start+400*time.Millisecond, 0.9
	}
	return words
}

// show formats words as text@start-end in milliseconds, with a question mark after guessed ones.
func show(f *Result) string {
	var b strings.Builder
	for i, w := range f.Words {
		fmt.Fprintf(&b, " %s@%d-%d", w.Text, w.Start.Milliseconds(), w.End.Milliseconds())
		for _, g := range f.Guessed {
			if i >= g.From && i < g.To && w.Kind == transcript.Spoken {
				b.WriteString("?")
			}
		}
	}
	return b.String()[1:]
}

func TestWordsGetTheTimesAtWhichTheyWereHeard(t *testing.T) {
	for _, c := range []struct{ name, given, heard, want string }{
		{"the same", "Hello there , Mark !", "hello there mark",
			"Hello@0-400 there@500-900 ,@900-900 Mark@1000-1400 !@1400-1400"},
		{"one more was heard", "buying cable services", "buying um cable services",
			"buying@0-400 cable@1000-1400 services@1500-1900"},
		{"nearly the same", "different packages", "different package", "different@0-400 packages@500-900"},
		{"another word was heard", "interested in cable", "interested and cable",
			"interested@0-400 in@500-900? cable@1000-1400"},
		{"two words share the place of one", "thank you kindly Mark", "thank you mark",
			"thank@0-400 you@500-900 kindly@900-1000? Mark@1000-1400"},
		{"repeated words", "no no no yes", "no no no yes", "no@0-400 no@500-900 no@1000-1400 yes@1500-1900"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := show(Align(&Request{Given: text(c.given), Heard: heard(c.heard),
				Length: 10 * time.Second})); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// say returns the spoken forms of a few words.
func say(words []string) []formatting.Reading {
	var all []formatting.Reading
	for i := 0; i < len(words); i++ {
		r := formatting.Reading{Words: transcript.Span{From: i, To: i + 1}, Forms: [][]string{{fold(words[i])}}}
		switch {
		case words[i] == "650":
			r.Forms = [][]string{{"six", "fifty"}, {"six", "five", "oh"}, {"six", "hundred", "fifty"}}
		case words[i] == "$5" && i+1 < len(words) && words[i+1] == "million":
			r.Forms, r.Words.To = [][]string{{"five", "million", "dollars"}}, i+2
			i++
		case words[i] == "♪":
			r.Forms = [][]string{{}}
		}
		all = append(all, r)
	}
	return all
}

func TestNumbersAreFoundAsTheyAreSaid(t *testing.T) {
	for _, c := range []struct{ given, heard, want string }{
		{"call 650 now", "call six five oh now", "call@0-400 650@500-1900 now@2000-2400"},
		{"about $5 million then", "about five million dollars then",
			"about@0-400 $5@500-900 million@1000-1900 then@2000-2400"},
		{"call six fifty", "call 650", "call@0-400 six@500-700 fifty@700-900"},
		{"a ♪ b", "a b", "a@0-400 ♪@400-400 b@500-900"},
	} {
		if got := show(Align(&Request{Given: text(c.given), Heard: heard(c.heard), Length: 10 * time.Second,
			Spoken: say})); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestTextThatWasNotHeardIsSpreadOverTheSpeech(t *testing.T) {
	speech := []sound.Segment{{Start: time.Second, End: 2 * time.Second},
		{Start: 5 * time.Second, End: 6 * time.Second}}
	for _, c := range []struct {
		speech []sound.Segment
		want   string
	}{
		{speech, "lorem@1000-1500? ipsum@1500-2000? dolor@5000-5500? .@5500-5500 verba@5500-6000?"},
		{nil, "lorem@0-2000? ipsum@2000-4000? dolor@4000-6000? .@6000-6000 verba@6000-8000?"},
	} {
		f := Align(&Request{Given: text("lorem ipsum dolor . verba"), Speech: c.speech, Length: 8 * time.Second})
		if got := show(f); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
		if want := []transcript.Span{{From: 0, To: 5}}; !reflect.DeepEqual(f.Guessed, want) {
			t.Errorf("guessed %v", f.Guessed)
		}
	}
}

// words generates words of a small vocabulary, so that they repeat and are similar.
func words(t *rapid.T, label string) []transcript.Word {
	texts := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "the", "cable", "cables", "650", "$5", "million", "six",
		"fifty", "♪", "Ünïcode", "."}), 0, 40).Draw(t, label)
	return text(strings.Join(texts, " "))
}

func TestOrderAndTextAlwaysStay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := &Request{Given: words(t, "given"), Heard: words(t, "heard"),
			Length: time.Duration(rapid.IntRange(0, 20_000).Draw(t, "length")) * time.Millisecond, Spoken: say}
		var at time.Duration
		for i := range r.Heard {
			at += time.Duration(rapid.IntRange(0, 900).Draw(t, "pause")) * time.Millisecond
			r.Heard[i].Start, r.Heard[i].End = at,
				at+time.Duration(rapid.IntRange(-50, 900).Draw(t, "long"))*time.Millisecond
			r.Heard[i].Confidence = rapid.Float64Range(0, 1).Draw(t, "confidence")
		}
		f := Align(r)
		var from time.Duration
		for i, w := range f.Words {
			if w.Text != r.Given[i].Text || w.Kind != r.Given[i].Kind {
				t.Fatalf("word %d is %v, was %v", i, w, r.Given[i])
			}
			if w.Start < 0 || w.End < w.Start || w.End > r.Length || w.Kind == transcript.Spoken && w.Start < from {
				t.Fatalf("word %d of %v at %v-%v, before it %v", i, r.Length, w.Start, w.End, from)
			}
			if w.Kind == transcript.Spoken {
				from = w.Start
			}
		}
		if len(f.Words) != len(r.Given) {
			t.Fatalf("%d words of %d", len(f.Words), len(r.Given))
		}
	})
}

func TestWhatWasHeardWordForWordHasExactlyItsTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		given := words(t, "given")
		var heard []transcript.Word
		at := time.Duration(0)
		for _, w := range given {
			if w.Kind == transcript.Spoken && fold(w.Text) != "" {
				w.Start, w.End, w.Confidence = at, at+300*time.Millisecond, 1
				heard = append(heard, w)
				at += 400 * time.Millisecond
			}
		}
		f := Align(&Request{Given: given, Heard: heard, Length: at})
		n := 0
		for _, w := range f.Words {
			if w.Kind != transcript.Spoken {
				continue
			}
			if w.Start != heard[n].Start || w.End != heard[n].End {
				t.Fatalf("%s at %v, heard at %v", w.Text, w.Start, heard[n].Start)
			}
			n++
		}
		if len(f.Guessed) > 0 {
			t.Fatalf("guessed %v", f.Guessed)
		}
	})
}

// long returns a text of n words, and a recogniser's output in which the share wrong of them is wrong.
func long(n int, wrong float64) (given, heard []transcript.Word) {
	random := rand.New(rand.NewSource(1))
	word := func() string {
		// Few words are frequent and many are rare, as in speech.
		return fmt.Sprintf("w%dx", int(random.ExpFloat64()*random.ExpFloat64()*300))
	}
	for i := range n {
		w := transcript.Word{Text: word(), Start: time.Duration(i) * 300 * time.Millisecond}
		w.End, w.Confidence = w.Start+250*time.Millisecond, 0.8
		given = append(given, w)
		switch p := random.Float64(); {
		case p < wrong/4:
		case p < wrong/2:
			heard = append(heard, w)
			w.Start += 100 * time.Millisecond
			w.Text = word()
			heard = append(heard, w)
		case p < wrong:
			w.Text = "q" + word()
			heard = append(heard, w)
		default:
			heard = append(heard, w)
		}
	}
	return given, heard
}

func TestAThreeHourCallIsAlignedInPieces(t *testing.T) {
	given, heard := long(36_000, 0.4)
	f := Align(&Request{Given: given, Heard: heard, Length: 3 * time.Hour})
	near := 0
	for i, w := range f.Words {
		if (w.Start - given[i].Start).Abs() <= 300*time.Millisecond {
			near++
		}
	}
	if near < len(given)*97/100 {
		t.Errorf("%d of %d words within 300 ms", near, len(given))
	}
}

func TestTextOfAnotherRecordingTakesNoLonger(t *testing.T) {
	given, _ := long(20_000, 0)
	_, heard := long(15_000, 1)
	f := Align(&Request{Given: given, Heard: heard, Length: 2 * time.Hour})
	if n := len(f.Words); n != len(given) {
		t.Errorf("%d words", n)
	}
}

func BenchmarkThreeHours(b *testing.B) {
	given, heard := long(36_000, 0.5)
	for b.Loop() {
		Align(&Request{Given: given, Heard: heard, Length: 3 * time.Hour})
	}
}
