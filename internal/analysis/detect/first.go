package detect

import (
	"strings"

	"parley/internal/phrase"
	"parley/internal/transcript"
)

// first finds runs of digits by their length.
func first(t *transcript.Transcript, r *Request) [][]Region {
	names := map[string]bool{"oh": true}
	for n := range strings.FieldsSeq("zero one two three four five six seven eight nine double triple") {
		names[n] = true
	}
	all := make([][]Region, len(r.Detectors))
	for from := 0; from < len(t.Words); {
		to := from
		for to < len(t.Words) && (t.Words[to].Kind == transcript.Punctuation && to > from || names[phrase.Fold(t.Words[to].Text)]) {
			to++
		}
		for k, asked := range r.Detectors {
			d, _ := ByName(asked.Detector)
			if n := to - from; asked.Detector == PCI && n >= 12 || asked.Detector == SSN && n == 9 || asked.Detector == Number && n > 1 {
				all[k] = append(all[k], Region{Occurrence{d.Classes[0], t.Words[from].Speaker, t.Words[from].Start, t.Words[to-1].End}, from, to - 1})
			}
		}
		from = max(to, from+1)
	}
	return all
}
