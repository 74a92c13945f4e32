package verbnoun_test

import (
	"fmt"
	"strings"
	"time"

	"parley/internal/analysis/tagger"
	"parley/internal/analysis/verbnoun"
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
	g, err := tagger.Load()
	if err != nil {
		panic(err)
	}
	for _, p := range verbnoun.Find(call("i would never cancel my account"), &verbnoun.Request{Tagger: g}) {
		fmt.Println(p.VerbNeg, p.Verb, p.Noun)
	}
	// Output: never cancel account
}
