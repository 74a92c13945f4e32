package formatting_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"parley/internal/speech/formatting"
	"parley/internal/testkit/verify"
	"parley/internal/words/transcript"
)

var all = &formatting.Request{Numbers: true, Profanity: true}

// vocabulary is the vocabulary of random speech: mostly words known to the grammar.
var vocabulary = strings.Fields(
	`zero one two three four five six seven eight nine ten eleven twelve fifteen nineteen twenty thirty
	forty fifty ninety twenty-five hundred thousand million billion oh o double triple point dot dash slash and a percent dollars
	cents first second third twentieth twenty-first hundredth november may march june the of a m p pm am o'clock at by to or between half
	street elm avenue press extension call account social k d month each total is uh no people minutes in since eighties monday hello i
	650 $5 10:30 AM 10 shit , . ? , per cent next last year foot euros euro`)

// speech returns random words of two speakers that may overlap.
func speech(r *rand.Rand, n int) *transcript.Transcript {
	t := &transcript.Transcript{Speakers: []transcript.Speaker{{Name: "A"}, {Name: "B", Channel: 1}}}
	var channels [2][]transcript.Word
	var at [2]time.Duration
	for range n {
		s := r.IntN(2)
		text := vocabulary[r.IntN(len(vocabulary))]
		if strings.Contains(",.?", text) {
			if k := len(channels[s]); k > 0 && channels[s][k-1].Kind == transcript.Spoken {
				channels[s] = append(channels[s],
					transcript.Word{Text: text, Kind: transcript.Punctuation, Start: at[s], End: at[s], Speaker: s})
			}
			continue
		}
		at[s] += time.Duration(r.IntN(6)*r.IntN(6)*r.IntN(6)*40) * time.Millisecond
		w := transcript.Word{Text: text, Start: at[s], End: at[s] + 200*time.Millisecond, Confidence: r.Float64(),
			Speaker: s}
		if r.IntN(9) == 0 {
			w.Markers = []string{text}
		}
		at[s] = w.End
		channels[s] = append(channels[s], w)
	}
	t.Words = transcript.Merge(channels[:]...)
	t.Length = max(at[0], at[1])
	return t
}

func TestFormattingTwiceIsFormattingOnce(t *testing.T) {
	verify.Long(t)
	for seed := range uint64(20000) {
		before := speech(rand.New(rand.NewPCG(seed, 1)), 24)
		once := formatting.Apply(before, all)
		twice := formatting.Apply(once, all)
		if fmt.Sprint(once.Words) != fmt.Sprint(twice.Words) {
			t.Fatalf("seed %d\nsaid  %s\nonce  %s\ntwice %s", seed, read(before), read(once), read(twice))
		}
	}
}

func TestFormattedWordsKeepTheirOrderTimesAndMarkers(t *testing.T) {
	for seed := range uint64(5000) {
		before := speech(rand.New(rand.NewPCG(seed, 2)), 60)
		after, origin := formatting.Trace(before, all)
		checkOrder(t, after)
		checkOrigin(t, before, after, origin)
	}
}

// checkOrder fails unless words are ordered by start.
func checkOrder(t *testing.T, after *transcript.Transcript) {
	t.Helper()
	var last time.Duration
	for i, w := range after.Words {
		if w.End < w.Start || w.Kind == transcript.Spoken && w.Start < last {
			t.Fatalf("word %d %v is out of order in %s", i, w, read(after))
		}
		if w.Kind == transcript.Spoken {
			last = w.Start
		}
	}
}

// checkOrigin fails unless each word's time, speaker, confidence and markers are within those of the word that
// replaced it.
func checkOrigin(t *testing.T, before, after *transcript.Transcript, origin formatting.Origin) {
	t.Helper()
	low, high := make([]float64, len(after.Words)), make([]float64, len(after.Words))
	for i, w := range before.Words {
		to := after.Words[origin[i]]
		if to.Speaker != w.Speaker || w.Kind == transcript.Spoken && (w.Start < to.Start || w.End > to.End) {
			t.Fatalf("%v is not within %v", w, to)
		}
		for _, m := range w.Markers {
			if !slices.Contains(to.Markers, m) {
				t.Fatalf("%v lost a marker in %v", w, to)
			}
		}
		if low[origin[i]] == 0 || w.Kind == transcript.Spoken && w.Confidence < low[origin[i]] {
			low[origin[i]] = w.Confidence
		}
		high[origin[i]] = max(high[origin[i]], w.Confidence)
	}
	for i, w := range after.Words {
		if w.Confidence > high[i]+1e-9 || w.Confidence < low[i]-1e-9 {
			t.Fatalf("confidence %v of %q is outside of its parts' %v..%v", w.Confidence, w.Text, low[i], high[i])
		}
	}
}

func TestOnlyNumbersChange(t *testing.T) {
	for seed := range uint64(5000) {
		before := speech(rand.New(rand.NewPCG(seed, 3)), 40)
		after := formatting.Apply(before, &formatting.Request{Numbers: true})
		known := map[string]bool{",": true, "AM": true, "PM": true, "o'clock": true}
		for _, w := range before.Words {
			known[w.Text], known[strings.ToUpper(w.Text[:1])+w.Text[1:]] = true, true
		}
		for _, w := range after.Words {
			if !known[w.Text] && !strings.ContainsFunc(w.Text, unicode.IsDigit) {
				t.Fatalf("%q came out of %s", w.Text, read(before))
			}
		}
	}
}

func TestTurnsAreFormattedEachOnItsOwn(t *testing.T) {
	list := examples(t)
	both := &transcript.Transcript{Speakers: []transcript.Speaker{{Name: "A"}, {Name: "B"}}}
	var want []string
	for i, e := range list {
		saying(both, i%2, e.spoken)
		want = append(want, read(formatting.Apply(said(e.spoken), all)))
	}
	after := formatting.Apply(both, all)
	turns := after.Turns()
	if len(turns) != len(want) {
		t.Fatalf("%d turns of %d", len(turns), len(want))
	}
	for i, turn := range turns {
		if got := after.Text(turn.Words); got != want[i] {
			t.Errorf("line %d is %q among others and %q alone", list[i].line, got, want[i])
		}
	}
}

func TestFormattingLeavesTheGivenTranscriptAlone(t *testing.T) {
	for _, e := range examples(t) {
		given, untouched := said(e.spoken), said(e.spoken)
		formatting.Apply(given, all)
		if fmt.Sprint(given) != fmt.Sprint(untouched) {
			t.Fatalf("line %d: the given transcript became %s", e.line, read(given))
		}
	}
}

func FuzzApply(f *testing.F) {
	for _, e := range examples(f) {
		f.Add(e.spoken)
	}
	f.Add("one hundred and oh double")
	f.Fuzz(func(t *testing.T, text string) {
		before := said(text)
		once := formatting.Apply(before, all)
		checkOrder(t, once)
		if twice := formatting.Apply(once, all); read(twice) != read(once) {
			t.Errorf("%q is %q, then %q", text, read(once), read(twice))
		}
	})
}

func FuzzSpoken(f *testing.F) {
	for _, e := range examples(f) {
		f.Add(e.written)
	}
	f.Add("$1.2.3 12:99pm 99/99/9999 1st2 +1-650 ² ٣ 5½ $€")
	f.Fuzz(func(t *testing.T, text string) {
		words := strings.Fields(text)
		at := 0
		for _, r := range formatting.Spoken(words) {
			if r.Words.From != at || r.Words.To <= at || len(r.Forms) == 0 {
				t.Fatalf("%q: reading %v at %d", text, r, at)
			}
			at = r.Words.To
		}
		if at != len(words) {
			t.Fatalf("%q: %d of %d words", text, at, len(words))
		}
	})
}
