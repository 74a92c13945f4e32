package asr_test

import (
	"fmt"
	"time"

	"parley/internal/speech/asr"
	"parley/internal/words/sound"
)

func ExampleChunk_Place() {
	chunk := asr.Chunk{Segment: sound.Segment{Start: time.Minute, End: time.Minute + 10*time.Second}}
	words := chunk.Place(&asr.Recognition{Words: []asr.Word{
		{Text: "hello", Start: 500 * time.Millisecond, End: 900 * time.Millisecond, Confidence: 0.9},
	}})
	fmt.Println(words[0].Text, words[0].Start, words[0].End)
	// Output: hello 1m0.5s 1m0.9s
}
