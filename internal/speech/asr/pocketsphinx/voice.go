package pocketsphinx

import (
	"strings"
	"time"

	"parley/internal/speech/asr"
	"parley/internal/speech/cmllr"
	"parley/internal/words/sound"
)

// Limits for learning a speaker's voice from words that are probably correct. The README of the command train gives
// the effect.
const (
	sure        = 0.5  // minimum share of the votes, or posterior
	priorFrames = 200  // weight of the identity transform in frames
	leastFrames = 1000 // minimum frames of all words used; fewer do not determine 182 parameters
)

// learn returns statistics of the speaker's features relative to the acoustic model; nil if no word is reliable.
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

// frameAt returns the frame that starts at a time returned by frame.
func frameAt(t time.Duration, shift int) int {
	return int((t+time.Microsecond)*rate/time.Second) / shift
}

// entryOf returns the dictionary entry of a word returned by spoken.
func entryOf(word string) string {
	if entry := strings.ToLower(word) + "."; letter.MatchString(entry) && entry[:1] != word {
		return entry
	}
	return word
}

// transform returns the transform that fits the learnt voices best; nil if there is too little data or it is invalid.
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
