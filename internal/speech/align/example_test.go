package align_test

import (
	"fmt"
	"time"

	"parley/internal/speech/align"
	"parley/internal/words/transcript"
)

// The last word was not heard, so its time is estimated.
func ExampleAlign() {
	r := align.Align(&align.Request{
		Given: []transcript.Word{{Text: "Good"}, {Text: "morning"}, {Text: "Jane"}},
		Heard: []transcript.Word{
			{Text: "good", Start: 1 * time.Second, End: 1400 * time.Millisecond, Confidence: 1},
			{Text: "morning", Start: 1400 * time.Millisecond, End: 2 * time.Second, Confidence: 1},
		},
		Length: 3 * time.Second,
	})
	for _, w := range r.Words {
		fmt.Println(w.Text, w.Start, w.End)
	}
	// Output:
	// Good 1s 1.4s
	// morning 1.4s 2s
	// Jane 2s 3s
}
