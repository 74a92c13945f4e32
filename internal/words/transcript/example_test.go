package transcript_test

import (
	"fmt"
	"time"

	"parley/internal/words/transcript"
)

func ExampleTranscript_Turns() {
	t := &transcript.Transcript{
		Speakers: []transcript.Speaker{{Name: "Agent"}, {Name: "Caller"}},
		Words: []transcript.Word{
			{Text: "Hello", Start: 0, End: 300 * time.Millisecond},
			{Text: ".", Kind: transcript.Punctuation, Start: 300 * time.Millisecond, End: 300 * time.Millisecond},
			{Text: "Hi", Start: time.Second, End: 1200 * time.Millisecond, Speaker: 1},
		},
	}
	for _, turn := range t.Turns() {
		fmt.Println(t.Speakers[turn.Speaker].Name+":", t.Text(turn.Words))
	}
	// Output:
	// Agent: Hello.
	// Caller: Hi
}
