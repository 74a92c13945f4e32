package diarize_test

import (
	"fmt"
	"time"

	"parley/internal/speech/diarize"
	"parley/internal/words/sound"
	"parley/internal/words/transcript"
)

func ExampleResult_Apply() {
	result := diarize.Settle([]diarize.Turn{
		{Speaker: 7, Segment: sound.Segment{Start: 0, End: time.Second}},
		{Speaker: 3, Segment: sound.Segment{Start: time.Second, End: 2 * time.Second}},
	}, 2*time.Second)
	t := result.Apply(&transcript.Transcript{Words: []transcript.Word{
		{Text: "hello", Start: 200 * time.Millisecond, End: 600 * time.Millisecond},
		{Text: "hi", Start: 1200 * time.Millisecond, End: 1500 * time.Millisecond},
	}})
	for _, w := range t.Words {
		fmt.Println(t.Speakers[w.Speaker].Name, w.Text)
	}
	// Output:
	// Speaker 1 hello
	// Speaker 2 hi
}
