package wire

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"parley/internal/call/caption"
	"parley/internal/testkit/verify"
	"parley/internal/words/media"
	"parley/internal/words/transcript"
)

// liveHeap returns the size of the live heap in bytes.
func liveHeap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// transcriptOf returns a transcript in which each word has its own speaker, or with turns of 15 words, or with one
// speaker, or with voice features.
func transcriptOf(kind string, words int) *transcript.Transcript {
	t := &transcript.Transcript{Speakers: mono().Speakers}
	if kind != "one speaker" {
		t.Speakers = stereo().Speakers
	}
	for i := range words {
		w := transcript.Word{Text: fmt.Sprint("word", i%997), Start: at(i * 100), End: at(i*100 + 90)}
		switch kind {
		case "turns":
			w.Speaker = i / 15 % 2
		case "alternating":
			w.Speaker, w.Start, w.End = i%2, at(i*1000), at(i*1000+90)
		case "voice features":
			w.Voice, w.Markers = &transcript.Voice{Peaks: make([]transcript.Peak, 10)}, []string{"x", "y"}
		}
		t.Words = append(t.Words, w)
	}
	t.Length = time.Hour
	return t
}

func TestMemoryIsNoLessThanWhatAnswersTake(t *testing.T) {
	verify.Long(t)
	const words = 20_000
	for _, kind := range []string{"one speaker", "turns", "alternating", "voice features"} {
		spoken := transcriptOf(kind, words)
		for _, formats := range [][]caption.Format{nil, {caption.DFXP}, caption.Formats} {
			NewTranscript(item(media.Finished), spoken, formats) // initialises tables
			before := liveHeap()
			answer := NewTranscript(item(media.Finished), spoken, formats)
			live := liveHeap() - before
			most, kept := Memory(spoken, formats)
			if live > kept || kept > most || kept > 8*live {
				t.Errorf("%s in %v: %d bytes live, %d expected, %d at most", kind, formats, live, kept, most)
			}
			if testing.Verbose() {
				t.Logf("%s in %v: %d bytes live a word, %d expected, %d at most",
					kind, formats, live/words, kept/words, most/words)
			}
			runtime.KeepAlive(answer)
		}
	}
}
