package wire

import (
	"unsafe"

	"parley/internal/call/caption"
	"parley/internal/words/transcript"
)

// Memory per entry of the list of words with its position, per frequency, for the joined markers of a word, and per turn
// and interval of voice activity, whose slices grow; and temporarily for the turns of package transcript from which they are built, and
// for the index of a word in a turn.
const (
	forEntry     = int64(unsafe.Sizeof(Word{}) + unsafe.Sizeof(0))
	forFrequency = int64(unsafe.Sizeof(Frequency{}))
	forMarkers   = 16
	forTurn      = 2 * int64(unsafe.Sizeof(Turn{})+unsafe.Sizeof("")+unsafe.Sizeof(Occurrence{}))
	ofTurn       = 3 * int64(unsafe.Sizeof(transcript.Turn{}))
	forIndex     = 3 * 8
	forAnswer    = 16 << 10 // in addition to its lists
)

// Memory returns the approximate number of bytes that the answer for a transcript needs in addition to it, with the
// given formats: the peak while it is built, and the size that is kept while it is sent. The constants are measured
// (TestMemoryIsNoLessThanWhatAnswersTake).
func Memory(t *transcript.Transcript, formats []caption.Format) (most, kept int64) {
	if t == nil {
		return 0, 0
	}
	all := int64(entries(t))
	kept = forAnswer + all*forEntry
	var text, changes int64
	for i, w := range t.Words {
		text += int64(len(w.Text)) + 1
		if i == 0 || w.Speaker != t.Words[i-1].Speaker {
			changes++
		}
		if w.Kind != transcript.Spoken || len(w.Markers) > 0 {
			kept += forMarkers
			for _, m := range w.Markers {
				kept += int64(len(m)) + 1
			}
		}
		if w.Voice != nil {
			kept += 8 + forFrequency*int64(len(w.Voice.Peaks))
		}
	}
	if t.Stereo() {
		kept += 2 * text
	}
	if t.Named() {
		kept += changes * forTurn
	}
	most, captions := caption.Memory(t, formats)
	return kept + max(most, all*forIndex+changes*ofTurn), kept + captions
}
