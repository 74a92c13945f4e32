package pocketsphinx

import (
	"slices"
	"time"

	"parley/internal/speech/asr"
	"parley/internal/words/sound"
)

const (
	onsetFrame = 10 * time.Millisecond
	quiet      = 0.12 // share of a word's loudest frame; its onset is at least as loud
	latest     = 0.6  // maximum share of a word's duration that may be quiet before the onset
)

// onsets moves the starts of words to their audible onset. The first sound of a word after a pause tends to include
// the end of the pause.
func onsets(words []asr.Word, pcm *sound.PCM) []asr.Word {
	for i := range words {
		w := &words[i]
		var frames []float64
		for at := w.Start; at < w.End; at += onsetFrame {
			frames = append(frames, loudness(pcm.Slice(sound.Segment{Start: at, End: min(at+onsetFrame, w.End)})))
		}
		last := int(latest * float64(len(frames)))
		if last == 0 {
			continue
		}
		threshold, first := quiet*slices.Max(frames), 0
		for first < last && frames[first] < threshold {
			first++
		}
		w.Start += time.Duration(first) * onsetFrame
	}
	return words
}
