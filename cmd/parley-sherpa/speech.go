package main

import (
	"parley/internal/speech/asr"
	"parley/internal/speech/vad"
	"parley/internal/words/sound"
)

// speech returns the segments with speech in a request's audio; the whole audio if they are unknown.
func speech(r asr.Request) []sound.Segment {
	found := vad.Find(&vad.Request{
		Channels: []*vad.Envelope{vad.EnvelopeOf(r.PCM)}, Kind: vad.KindOf(r.Source.Rate, 1+r.Source.Other),
	}).Speech[0]
	if len(found) == 0 {
		return []sound.Segment{{End: r.PCM.Duration()}}
	}
	return found
}
