package entity_test

import (
	"fmt"
	"strings"
	"time"

	"parley/internal/analysis/entity"
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
	gazetteer, err := entity.Load()
	if err != nil {
		panic(err)
	}
	t := call("my name is Martha and I paid $20 on November 20")
	for _, e := range entity.Find(t, &entity.Request{Gazetteer: gazetteer}) {
		fmt.Printf("%s: %s (%s)\n", e.Type, e.Text, e.Formatted)
	}
	// Output:
	// person: Martha ()
	// money: $20 ($20.00)
	// date: November 20 (November 20)
}
