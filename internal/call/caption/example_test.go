package caption_test

import (
	"fmt"
	"time"

	"parley/internal/call/caption"
	"parley/internal/words/transcript"
)

func ExampleRender() {
	t := &transcript.Transcript{
		Speakers: []transcript.Speaker{{Name: "Agent"}, {Name: "Caller", Channel: 1}},
		Words: []transcript.Word{
			{Text: "Good", Start: 0, End: 400 * time.Millisecond},
			{Text: "morning", Start: 400 * time.Millisecond, End: time.Second},
			{Text: "Hi", Start: 2 * time.Second, End: 3 * time.Second, Speaker: 1},
		},
		Length: 4 * time.Second,
	}
	fmt.Printf("%s", caption.Render(t, caption.SRT))
	// Output:
	// 1
	// 00:00:00,000 --> 00:00:01,000
	// Agent: Good morning
	//
	// 2
	// 00:00:02,000 --> 00:00:03,000
	// Caller: Hi
}
