package pocketsphinx

import (
	"parley/internal/asr"
	"parley/internal/cepstrum"
	"parley/internal/sound"
)

// Frames of 10 ms are those of the acoustic model. People on the phone talk faster than its readers did: with frames
// closer together they sound slower, and fewer words are wrong.
const (
	readShift = rate / 100 // samples
	callShift = 143        // 8.9 ms
)

const telephoneRate = 8000 // Hz; sources of no more hold nothing above the telephone band

// listening tells how an utterance is listened to, by its source.
func listening(pcm *sound.PCM, source asr.Source) *cepstrum.Request {
	q := &cepstrum.Request{PCM: pcm, Shift: readShift, Telephone: source.Rate > 0 && source.Rate <= telephoneRate}
	if source.Call || q.Telephone {
		q.Shift = callShift
	}
	return q
}
