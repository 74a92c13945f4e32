package wire

import (
	"unsafe"

	"parley/internal/call/caption"
	"parley/internal/words/transcript"
)

// Memory for each entry of the list of words, for each frequency, for what joins the markers of a word, for each turn
// and stretch of voice activity, whose lists grow; and meanwhile for the turns of package transcript that they are made
// of, and the index of a word in one.
const (
	forEntry     = int64(unsafe.Sizeof(Word{}))
	forFrequency = int64(unsafe.Sizeof(Frequency{}))
	forMarkers   = 16
	forTurn      = 2 * int64(unsafe.Sizeof(Turn{})+unsafe.Sizeof(Occurrence{}))
	ofTurn       = 3 * int64(unsafe.Sizeof(transcript.Turn{}))
	forIndex     = 3 * 8
	forAnswer    = 16 << 10 // beside its lists
)

// Memory is about how many bytes the answer for a transcript takes beside it, with some formats: at most while it is
// made, and kept while it is sent. Measured (TestMemoryIsNoLessThanWhatAnswersTake).
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
