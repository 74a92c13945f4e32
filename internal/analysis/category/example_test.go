package category_test

import (
	"fmt"
	"strings"
	"time"

	"parley/internal/analysis/category"
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

func ExampleJudge() {
	condition, err := query.ParseCondition(`caller SAYS "cancel*"`, nil)
	if err != nil {
		panic(err)
	}
	found, _ := category.Judge(&category.Request{Transcript: call("I am cancelling today"),
		Categories: []category.Category{{Name: "at-risk", Program: query.Compile(condition)}}})
	fmt.Println(found[0].Name, found[0].Matched, found[0].Hits[0].Exact)
	// Output: at-risk true cancelling
}
