package pipeline_test

import (
	"fmt"
	"strings"
	"time"

	"parley/internal/analysis/detect"
	"parley/internal/call/plan"
	"parley/internal/flow/pipeline"
	"parley/internal/words/transcript"
)

func ExampleConceal() {
	t := &transcript.Transcript{Speakers: []transcript.Speaker{{Name: "Caller"}}, Length: 10 * time.Second}
	for i, text := range strings.Fields("my card number is 4929 1381 3424 3334 thank you") {
		start := time.Duration(i) * time.Second
		t.Words = append(t.Words, transcript.Word{Text: text, Start: start, End: start + 500*time.Millisecond})
	}
	clear := pipeline.Conceal(t, &plan.Plan{Language: "en-US", Detectors: []plan.Detection{{
		Predictor:  plan.Predictor{Name: detect.PCI},
		Parameters: map[string]string{detect.LevelParameter: "numbersOnly"},
		Redactor: &plan.Redactor{
			Transcript: &plan.TranscriptRedactor{Replacement: "[redacted]"},
			Audio:      &plan.AudioRedactor{Tone: 270, Gain: .5},
		},
	}}})
	var words []string
	for _, w := range clear.Transcript.Words {
		words = append(words, w.Text)
	}
	fmt.Println(strings.Join(words, " "))
	fmt.Println("a beep from", clear.Beeps[0].Start, "to", clear.Beeps[0].End)
	// Output:
	// my card number is [redacted] thank you
	// a beep from 3.85s to 7.75s
}
