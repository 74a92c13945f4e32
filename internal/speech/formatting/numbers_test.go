package formatting_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"parley/internal/speech/formatting"
	"parley/internal/words/transcript"
)

// example is one line of testdata/numbers.txt.
type example struct {
	line            int
	spoken, written string
}

// examples reads the table.
func examples(t testing.TB) []example {
	t.Helper()
	text, err := os.ReadFile("testdata/numbers.txt")
	if err != nil {
		t.Fatal(err)
	}
	var list []example
	for i, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		spoken, written, ok := strings.Cut(line, " | ")
		if !ok {
			t.Fatalf("line %d: no \" | \"", i+1)
		}
		if written == "=" {
			written = spoken
		}
		list = append(list, example{i + 1, spoken, written})
	}
	return list
}

// said returns a transcript of one speaker: words of 200 ms, one every 300 ms; a separate mark is punctuation.
func said(text string) *transcript.Transcript {
	t := &transcript.Transcript{Language: "en-US", Speakers: []transcript.Speaker{{Name: "Speaker"}}}
	return saying(t, 0, text)
}

// saying appends words of a speaker.
func saying(t *transcript.Transcript, speaker int, text string) *transcript.Transcript {
	at := t.Length
	if at > 0 {
		at += time.Second
	}
	for _, w := range strings.Fields(text) {
		if strings.Contains(",.?", w) {
			t.Words = append(t.Words, transcript.Word{Text: w, Kind: transcript.Punctuation,
				Start: at - 100*time.Millisecond, End: at - 100*time.Millisecond, Speaker: speaker})
			continue
		}
		t.Words = append(t.Words, transcript.Word{Text: w, Start: at, End: at + 200*time.Millisecond, Confidence: 0.5,
			Speaker: speaker})
		at += 300 * time.Millisecond
	}
	t.Length = at
	return t
}

// read returns all words of a transcript as one text.
func read(t *transcript.Transcript) string {
	all := make([]int, len(t.Words))
	for i := range all {
		all[i] = i
	}
	return t.Text(all)
}

func tidy(text string) string {
	return strings.NewReplacer(" ,", ",", " .", ".", " ?", "?").Replace(text)
}

// measure formats the examples of a part of the table and returns the number of correct results.
func measure(t *testing.T, held bool, show bool) (right, all int) {
	for i, e := range examples(t) {
		if (i%4 == 3) != held {
			continue
		}
		all++
		got := read(formatting.Apply(said(e.spoken), &formatting.Request{Numbers: true}))
		if got == tidy(e.written) {
			right++
		} else if show {
			t.Errorf("line %d: %q is %q, want %q", e.line, e.spoken, got, tidy(e.written))
		}
	}
	return right, all
}

func TestNumbersAreWrittenAsInTheTable(t *testing.T) {
	right, all := measure(t, false, true)
	t.Logf("%d of %d", right, all)
}

func TestNumbersHeldBackAreWrittenAsInTheTable(t *testing.T) {
	right, all := measure(t, true, false)
	t.Logf("%d of %d held back", right, all)
	if float64(right) < 0.99*float64(all) {
		t.Errorf("%d of %d held back, want 99%%", right, all)
	}
}
