package caption

import (
	"time"
	"unsafe"

	"parley/internal/words/transcript"
)

// Memory of rendering per word, turn and cue, from the allocations of Cues and Turns. A growing slice takes up to three
// times the memory of its elements.
const (
	forWord = int64(unsafe.Sizeof(token{})) + 16 + 3*8 // its token, its place in segment, its index in a turn
	forTurn = 3 * int64(unsafe.Sizeof(transcript.Turn{}))
	forCue  = 3*int64(unsafe.Sizeof(Cue{})) + 2*16
	marks   = 90 // bytes of markup per cue: times, tags
)

// Memory returns the approximate number of bytes that RenderAll needs in addition to the transcript: the peak, and the
// size of the result. It overestimates usual transcripts and matches a call of one word per turn, as measured by
// TestMemoryIsNoLessThanWhatAnswersTake.
func Memory(t *transcript.Transcript, formats []Format) (most, kept int64) {
	if len(formats) == 0 {
		return 0, 0
	}
	var text, turns, names int64
	var spoken time.Duration
	for i, w := range t.Words {
		text += int64(len(w.Text)) + 1
		spoken += max(w.End-w.Start, 0)
		if i == 0 || w.Speaker != t.Words[i-1].Speaker || w.Start-t.Words[i-1].End >= utterance {
			turns++
		}
	}
	for _, s := range t.Speakers {
		names = max(names, int64(len(s.Name))) // each cue may have one
	}
	words := int64(len(t.Words))
	cues := min(words, turns+text/maxLine+int64(spoken/(longest/2)))
	one := text + text/4 + cues*(marks+names)
	kept = int64(len(formats)) * one
	return words*forWord + turns*forTurn + cues*forCue + 3*text + 2*one + kept, kept
}

// utterance is the minimum pause that may end a turn; see Turns.
const utterance = 700 * time.Millisecond
