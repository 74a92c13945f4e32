package pipeline

import (
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/analysis/detect"
	"parley/internal/call/plan"
	"parley/internal/lab/dialogue"
	"parley/internal/words/sound"
	"parley/internal/words/transcript"
)

// TestRedactionCoversTheWholeOfANumberHoweverItIsSpelled searches for remains of a card number, in the words and in the
// recording, at the lowest detection level.
func TestRedactionCoversTheWholeOfANumberHoweverItIsSpelled(t *testing.T) {
	p := &plan.Plan{Language: "en-US", Detectors: []plan.Detection{{
		Predictor:  plan.Predictor{Name: detect.PCI},
		Parameters: map[string]string{detect.LevelParameter: "numbersOnly"},
		Redactor: &plan.Redactor{
			Transcript: &plan.TranscriptRedactor{Replacement: "[redacted]"},
			Audio:      &plan.AudioRedactor{Tone: 270, Gain: .5},
		},
	}}}
	for _, s := range dialogue.Spellings("4929138134243334", []int{4, 4, 4, 4}) {
		tr := &transcript.Transcript{Language: "en-US", Speakers: make([]transcript.Speaker, 1)}
		for _, w := range slices.Concat(strings.Fields("my card number is"), s.Words,
			strings.Fields("and that is all")) {
			at := time.Duration(len(tr.Words)) * time.Second
			tr.Words = append(tr.Words, transcript.Word{Text: w, Start: at, End: at + 400*time.Millisecond})
		}
		tr.Length = tr.Words[len(tr.Words)-1].End
		clear := Conceal(tr, p)
		words, beeps := clear.Transcript.Words, clear.Beeps
		for i, w := range s.Words {
			if !s.Has(w) {
				continue
			}
			said := tr.Words[4+i]
			if slices.ContainsFunc(words, func(w transcript.Word) bool {
				return w.Start == said.Start && w.Text == said.Text
			}) {
				t.Errorf("%s: %q of %q is left in the transcript", s.Name, w, s.Words)
			}
			if !slices.ContainsFunc(beeps, func(b sound.Beep) bool {
				return b.Start <= said.Start && b.End >= said.End
			}) {
				t.Errorf("%s: %q of %q is left in the recording", s.Name, w, s.Words)
			}
		}
	}
}
