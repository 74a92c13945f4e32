package pocketsphinx

import (
	"strings"
	"time"

	"parley/internal/speech/asr"
	"parley/internal/speech/cmllr"
	"parley/internal/words/sound"
)

// A speaker's voice is learnt from words that are probably right. The README of the command train says what that gives.
const (
	sure        = 0.5  // share of the votes, or posterior
	priorFrames = 200  // that no transform would be better for
	leastFrames = 1000 // of all words that a voice is learnt from; of less, 182 numbers are too many
)

// learn returns statistics of the speaker's features against the acoustic model, nil where no word is sure.
func (d *decoder) learn(m *acousticModel, words []asr.Word, pcm *sound.PCM, s settings) []byte {
	s.transform = nil
	frames := observe(d.cepstra(pcm, s))
	found := &cmllr.Statistics{}
	for _, w := range words {
		from, to := frameAt(w.Start, s.shift), min(frameAt(w.End, s.shift), len(frames))
		if w.Confidence < sure || from >= to {
			continue
		}
		var best *way
		for _, phones := range d.pronunciations(entryOf(w.Text)) {
			if a, ok := m.align(m.word(phones), frames[from:to]); ok && (best == nil || a.log > best.log) {
				best = a
			}
		}
		if best != nil {
			m.gather(found, best, frames[from:to])
		}
	}
	if found.Frames == 0 {
		return nil
	}
	return found.Encode()
}

// frameAt returns the frame that starts at a time, as frame gave it.
func frameAt(t time.Duration, shift int) int {
	return int((t+time.Microsecond)*rate/time.Second) / shift
}

// entryOf returns the dictionary entry of a word that spoken returned.
func entryOf(word string) string {
	if entry := strings.ToLower(word) + "."; letter.MatchString(entry) && entry[:1] != word {
		return entry
	}
	return word
}

// transform returns the one that fits what was learnt of a speaker; nil where that is too little or no such thing.
func transform(voices [][]byte) *cmllr.Transform {
	sum := &cmllr.Statistics{}
	for _, v := range voices {
		s, err := cmllr.Decode(v)
		if err != nil {
			return nil
		}
		sum.Plus(s)
	}
	if sum.Frames < leastFrames {
		return nil
	}
	t, ok := sum.Solve(priorFrames)
	if !ok {
		return nil
	}
	return t
}
