package pipeline

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/internal/speech/align"
	"parley/internal/speech/asr"
	"parley/internal/speech/formatting"
	"parley/internal/words/fault"
	"parley/internal/words/sound"
	"parley/internal/words/transcript"
)

// aligner records the phrases that it is told to expect and outputs them, with one word per 100 ms, unless it refuses.
type aligner struct {
	mu       sync.Mutex
	expected []string
	refuses  error
	deaf     string // text that it does not recognise
}

func (a *aligner) Recognize(_ context.Context, r asr.Request) (*asr.Recognition, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var words []string
	found := &asr.Recognition{}
	for i, p := range r.Expected {
		words = append(words, strings.Join(p.Forms[0], " "))
		at := time.Duration(i) * 100 * time.Millisecond
		found.Words = append(found.Words,
			asr.Word{Text: p.Forms[0][0], Start: at, End: at + 90*time.Millisecond, Confidence: 0.9})
	}
	text := strings.Join(words, " ")
	a.expected = append(a.expected, text)
	if text == a.deaf {
		found.Words = nil
	}
	return found, a.refuses
}

// heardIn returns the words of chunks of one second each, 300 ms apart; a word in brackets is not heard.
func heardIn(chunks ...string) (given, heard []transcript.Word, s speech) {
	for c, text := range chunks {
		for i, w := range strings.Fields(text) {
			start := time.Duration(c)*time.Second + time.Duration(i)*300*time.Millisecond
			word := transcript.Word{Text: strings.Trim(w, "[]"), Start: start, End: start + 200*time.Millisecond,
				Confidence: 1}
			given = append(given, transcript.Word{Text: word.Text})
			if word.Text != w {
				word.Text = "mumble"
			}
			heard = append(heard, word)
		}
	}
	s = seconds(len(chunks))
	s.ask = func(asr.Chunk) asr.Request { return asr.Request{Language: "en-US"} }
	s.read = func(g sound.Segment, _ int) (*sound.PCM, error) {
		return &sound.PCM{Rate: 16000, Samples: make([]int16, 16000)}, nil
	}
	return given, heard, s
}

// again aligns, runs the second pass and returns its words.
func again(t *testing.T, a *aligner, chunks ...string) string {
	t.Helper()
	given, heard, s := heardIn(chunks...)
	r := &align.Request{Given: given, Heard: heard, Length: time.Minute, Spoken: formatting.Spoken}
	e := Engine{Recognizer: a, Info: asr.Info{Engine: "fake", Version: "1", Parallel: 1, Aligns: true}}
	words, err := listenAgain(t.Context(), e, s, 1, r, align.Align(r), NoArtifacts{}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, w := range words {
		all = append(all, fmt.Sprintf("%s@%d", w.Text, w.Start.Milliseconds()))
	}
	return strings.Join(all, " ")
}

func TestWordsOfTheTextAreLookedForWhereTheirNeighboursWereHeard(t *testing.T) {
	a := &aligner{}
	got := again(t, a, "thank [you] kindly", "goodbye everybody")
	if want := "thank@0 you@100 kindly@200 goodbye@1000 everybody@1100"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if want := "[thank you kindly goodbye everybody]"; fmt.Sprint(a.expected) != want {
		t.Errorf("expected %q, want %q", a.expected, want)
	}
}

func TestTextThatWasNotHeardIsNotForcedOnAChunk(t *testing.T) {
	a := &aligner{}
	got := again(t, a, "thank you kindly", "[lorem] [ipsum] [dolor]")
	if want := "thank@0 you@100 kindly@200 lorem@300 ipsum@400 mumble@1000 mumble@1300 mumble@1600"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAChunkWithoutItsTextKeepsWhatWasHeardFirst(t *testing.T) {
	for name, a := range map[string]*aligner{
		"nothing fits":       {deaf: "thank you [kindly]"},
		"the engine refuses": {refuses: fault.New(fault.Invalid, fault.CodeEngineFailed, "no")},
	} {
		a.deaf = "thank you kindly"
		if got, want := again(t, a, "thank you kindly"), "thank@0 you@300 kindly@600"; got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}
