package sentiment_test

import (
	"fmt"
	"strings"
	"time"

	"parley/internal/analysis/sentiment"
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

func ExampleFind() {
	model, err := sentiment.Load()
	if err != nil {
		panic(err)
	}
	for _, text := range []string{"that is wonderful", "this is terrible"} {
		found := sentiment.Find(call(text), &sentiment.Request{Scorer: model})
		fmt.Println(text, found[0].Score > 0)
	}
	// Output:
	// that is wonderful true
	// this is terrible false
}
