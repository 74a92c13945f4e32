package query_test

import (
	"fmt"
	"strings"
	"time"

	"parley/internal/query"
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

func ExampleProgram_Find() {
	condition, err := query.ParseCondition(`caller SAYS "cancel" && "account" AND NOT silence(5s)`, nil)
	if err != nil {
		panic(err)
	}
	c := query.Of(call("please cancel my account"), nil)
	matched, hits := query.Compile(condition).Find(c)
	fmt.Println(matched)
	for _, h := range hits {
		fmt.Println(h.Start, c.Exact(h))
	}
	// Output:
	// true
	// 300ms cancel
	// 900ms account
}
