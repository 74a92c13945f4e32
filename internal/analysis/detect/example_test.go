package detect_test

import (
	"fmt"
	"strings"
	"time"

	"parley/internal/analysis/detect"
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
	t := call("my card number is four one one one one one one one one one one one one one one one okay")
	found := detect.Find(t, &detect.Request{Detectors: []detect.Choice{{Detector: detect.PCI, Level: detect.NumbersOnly}}})
	for _, r := range found[0] {
		fmt.Println(r.Class.Label, t.Words[r.First].Text, r.Last-r.First+1)
	}
	// Output: pci four 16
}
