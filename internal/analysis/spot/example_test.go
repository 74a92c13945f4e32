package spot_test

import (
	"fmt"
	"strings"
	"time"

	"parley/internal/analysis/spot"
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
	index := spot.NewIndex([]spot.Group{{Name: "churn", Keywords: []string{"cancel* my account", "competitor"}}})
	found, _ := spot.Find(call("I am cancelling my account"), &spot.Request{Index: index})
	for _, k := range found[0].Keywords {
		fmt.Println(found[0].Score, k.Text, k.Mentions[0].Occurrences[0].Exact)
	}
	// Output: 0.5 cancel* my account cancelling my account
}
