package pocketsphinx

import (
	"parley/internal/asr"
	"parley/internal/cepstrum"
	"parley/internal/sound"
)

// Frames of 10 ms are those of the acoustic model. People who talk with one another are faster than its readers were: with
// frames closer together they sound slower. On the channels of a call fewer words are then wrong; on mono calls, more.
const (
	readShift = rate / 100 // samples
	callShift = 143        // 8.9 ms
)

const telephoneRate = 8000 // Hz; sources of no more hold nothing above the telephone band

// listening tells how an utterance is listened to, by its source.
func listening(pcm *sound.PCM, source asr.Source) *cepstrum.Request {
	q := &cepstrum.Request{PCM: pcm, Shift: readShift, Telephone: source.Rate > 0 && source.Rate <= telephoneRate}
	if source.Call {
		q.Shift = callShift
	}
	return q
}
