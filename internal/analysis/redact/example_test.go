package redact_test

import (
	"fmt"
	"strings"
	"time"

	"parley/internal/analysis/redact"
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

func ExampleWords() {
	t, hash := call("my code is one two three thanks"), "####"
	secret := []redact.Region{{First: 3, Last: 5, Replacement: &hash, Tone: &redact.Tone{Frequency: 500, Gain: .5}}}
	fmt.Println(redact.Words(t, secret).Text([]int{0, 1, 2, 3, 4}))
	for _, beep := range redact.Beeps(t, secret) {
		fmt.Println(beep.Start, beep.End)
	}
	// Output:
	// my code is #### thanks
	// 750ms 2.05s
}
