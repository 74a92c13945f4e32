package main

import (
	"testing"
	"time"

	"parley/cmd/parley-sherpa/internal/toy"
	"parley/internal/speech/asr"
)

func TestSpeechIsTheWholeAudioWhereNoneIsFound(t *testing.T) {
	silence := toy.Say(2 * time.Second)
	if got := speech(asr.Request{PCM: silence}); len(got) != 1 || got[0].Start != 0 || got[0].End != 2*time.Second {
		t.Errorf("got %v", got)
	}
	loud := toy.Say(3*time.Second, toy.Tone{Piece: "▁tones", Start: time.Second, End: 2 * time.Second})
	if got := speech(asr.Request{PCM: loud}); len(got) != 1 || (got[0].Start-time.Second).Abs() > 200*ms ||
		(got[0].End-2*time.Second).Abs() > 300*ms {
		t.Errorf("got %v", got)
	}
}
