package detect_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"parley/internal/analysis/detect"
	"parley/internal/words/transcript"
)

// TestMemoryGrowsWithTheWordsOfACallWhateverTheyAre uses calls of one turn with only numbers, and words that contain
// many numbers each.
func TestMemoryGrowsWithTheWordsOfACallWhateverTheyAre(t *testing.T) {
	var request detect.Request
	for _, d := range detect.Detectors() {
		request.Detectors = append(request.Detectors, detect.Asked{Detector: d.Name})
	}
	for _, c := range []struct {
		word  string
		words int
		most  uint64 // bytes allocated in all
	}{
		{"four", 200_000, 500 << 20},
		{"4", 200_000, 500 << 20},
		{strings.Repeat("fournine", 61), 20_000, 2 << 30},
		{strings.Repeat("4-", 20) + "4", 20_000, 500 << 20},
	} {
		call := &transcript.Transcript{Speakers: []transcript.Speaker{{}}}
		for i := range c.words {
			at := time.Duration(i) * 300 * time.Millisecond
			call.Words = append(call.Words, transcript.Word{Text: c.word, Start: at, End: at + 300*time.Millisecond})
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		detect.Find(call, &request)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > c.most {
			t.Errorf("%d words %.20s: %d MB", c.words, c.word, took>>20)
		}
	}
}
