package detect

import (
	"strings"
	"testing"
	"time"

	"parley/internal/lab/dialogue"
	"parley/internal/words/transcript"
)

// spelled returns a transcript of words before a number, the spelled number and words after it, and the position of the
// number.
func spelled(before string, s dialogue.Spelling, behind string) (t *transcript.Transcript, first, last int) {
	t = &transcript.Transcript{Language: "en-US", Speakers: make([]transcript.Speaker, 1)}
	words := strings.Fields(before)
	first = len(words)
	words = append(words, s.Words...)
	last = len(words) - 1
	words = append(words, strings.Fields(behind)...)
	for i, w := range words {
		at := time.Duration(i) * 400 * time.Millisecond
		t.Words = append(t.Words, transcript.Word{Text: w, Start: at, End: at + 300*time.Millisecond})
	}
	return t, first, last
}

// TestNumbersAreFoundHoweverTheirDigitsAreWritten requires every word with a digit, at the narrowest level.
func TestNumbersAreFoundHoweverTheirDigitsAreWritten(t *testing.T) {
	for _, c := range []struct {
		name, detector, before, number string
		groups                         []int
	}{
		{"card", PCI, "yes my card number is", "4929138134243334", []int{4, 4, 4, 4}},
		{"card that nobody names", PCI, "yes you can write it down now here we go then", "4929138134243334",
			[]int{4, 4, 4, 4}},
		{"card with a wrong digit", PCI, "my card number is", "4929138134243333", []int{4, 4, 4, 4}},
		{"American Express", PCI, "my card is", "371449635398431", []int{4, 6, 5}},
		{"social", SSN, "my social security number is", "536221847", []int{3, 2, 4}},
		{"phone", PII, "my phone number is", "2065550147", []int{3, 3, 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			spellings := dialogue.Spellings(c.number, c.groups)
			if len(spellings) < 500 {
				t.Fatalf("%d spellings", len(spellings))
			}
			missed, looks := 0, 0
			for _, s := range spellings {
				for _, figures := range []bool{false, true} {
					if figures && s.English {
						continue
					}
					looks++
					tr, first, last := spelled(c.before, s, "and that is all")
					hidden := map[int]bool{}
					for _, r := range Find(tr, &Request{Detectors: []Choice{{c.detector, NumbersOnly}},
						FiguresOnly: figures})[0] {
						for i := r.First; i <= r.Last; i++ {
							hidden[i] = true
						}
					}
					for i := first; i <= last; i++ {
						if s.Has(tr.Words[i].Text) && !hidden[i] {
							missed++
							if missed < 40 {
								t.Errorf("%s (figures only: %v): %q is not found in %q", s.Name, figures,
									tr.Words[i].Text, s.Words)
							}
							break
						}
					}
				}
			}
			t.Logf("%d of %d spellings, looked for %d times, missed", missed, len(spellings), looks)
		})
	}
}
