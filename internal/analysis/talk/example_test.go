package talk_test

import (
	"fmt"
	"strings"
	"time"

	"parley/internal/analysis/talk"
	"parley/internal/words/transcript"
)

// call returns a transcript of one speaker who says a word every 300 ms.
func call(text string) *transcript.Transcript {
	t := &transcript.Transcript{Speakers: []transcript.Speaker{{Name: "Caller", Role: transcript.Caller}}}
	for word := range strings.FieldsSeq(text) {
		end := t.Length + 300*time.Millisecond
		t.Words = append(t.Words, transcript.Word{Text: word, Start: t.Length, End: end})
		t.Length = end
	}
	return t
}

func ExampleMeasure() {
	t := call("hello this is the line that is always open")
	for _, group := range talk.Measure(&talk.Request{Transcript: t, Groups: []string{"talk-time-and-rate"}}) {
		for _, m := range group.Metrics {
			if m.Value != 0 {
				fmt.Println(m.Name, m.Value)
			}
		}
	}
	// Output:
	// average-streak 2.7
	// longest-streak 2.7
	// median-streak 2.7
}
