package knowledge_test

import (
	"fmt"
	"strings"
	"time"

	"parley/internal/analysis/knowledge"
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
	lexicon, err := knowledge.Load()
	if err != nil {
		panic(err)
	}
	t := call("the credit card was charged twice and the credit card company refused a refund")
	for _, k := range knowledge.Find(t, &knowledge.Request{Lexicon: lexicon}).Keywords[:2] {
		fmt.Println(k.Text, len(k.Mentions[0].Occurrences))
	}
	// Output:
	// credit card 2
	// refund 1
}
