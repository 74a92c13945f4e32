package punctuation_test

import (
	"fmt"
	"strings"
	"time"

	"parley/internal/speech/punctuation"
	"parley/internal/words/transcript"
)

func ExampleApply() {
	request, err := punctuation.Load()
	if err != nil {
		panic(err)
	}
	t := &transcript.Transcript{Speakers: []transcript.Speaker{{}}}
	for i, word := range strings.Fields("how are you today i am calling about my bill") {
		start := time.Duration(i) * 400 * time.Millisecond
		t.Words = append(t.Words, transcript.Word{Text: word, Start: start, End: start + 350*time.Millisecond})
	}
	for _, w := range punctuation.Apply(t, request).Words {
		fmt.Print(w.Text, " ")
	}
	// Output: How are you today ? I am calling about my bill .
}
