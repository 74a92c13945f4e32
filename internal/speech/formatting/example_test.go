package formatting_test

import (
	"fmt"
	"strings"

	"parley/internal/speech/formatting"
	"parley/internal/words/transcript"
)

func ExampleApply() {
	t := &transcript.Transcript{Speakers: []transcript.Speaker{{}}}
	for word := range strings.FieldsSeq("call six five zero eight nine seven five one seven zero at ten thirty a m") {
		t.Words = append(t.Words, transcript.Word{Text: word})
	}
	for _, w := range formatting.Apply(t, &formatting.Request{Numbers: true}).Words {
		fmt.Print(w.Text, " ")
	}
	// Output: call 650-897-5170 at 10:30 AM
}
