package detect_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"parley/internal/analysis/detect"
	"parley/internal/testkit/verify"
	"parley/internal/words/transcript"
)

// TestMemoryGrowsWithTheWordsOfACallWhateverTheyAre compares calls of one turn with calls of four times as many words:
// all numbers, and words that join so many numbers that not all of them are taken apart.
func TestMemoryGrowsWithTheWordsOfACallWhateverTheyAre(t *testing.T) {
	verify.Long(t)
	for _, c := range []struct {
		word  string
		words int
		most  float64 // times the memory for four times the words
	}{
		{"four", 10_000, 6}, {"4", 10_000, 6}, {strings.Repeat("4-", 20) + "4", 1_000, 6},
		{strings.Repeat("fournine", 61), 1_000, 6}, {strings.Repeat("fournine", 61), 4_000, 2.5},
	} {
		once, more := allocated(c.word, c.words), allocated(c.word, 4*c.words)
		if times := float64(more) / float64(once); times > c.most {
			t.Errorf("%.20s: %d words take %d kB, 4 times as many %.1f times that", c.word, c.words, once>>10, times)
		}
	}
}

// allocated returns how many bytes all detectors allocate for a call that repeats a word.
func allocated(word string, words int) uint64 {
	call := &transcript.Transcript{Speakers: []transcript.Speaker{{}}}
	for i := range words {
		at := time.Duration(i) * 300 * time.Millisecond
		call.Words = append(call.Words, transcript.Word{Text: word, Start: at, End: at + 300*time.Millisecond})
	}
	var request detect.Request
	for _, d := range detect.Detectors() {
		request.Detectors = append(request.Detectors, detect.Choice{Detector: d.Name})
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	detect.Find(call, &request)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
