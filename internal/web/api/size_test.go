package api

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"parley/internal/call/wire"
	"parley/internal/words/account"
	"parley/internal/words/media"
	"parley/internal/words/transcript"
)

// longCall returns a call of three hours with 30,000 words, as common as those of a language are, times to the
// millisecond, confidences, and voice features.
func longCall() *transcript.Transcript {
	chance := rand.New(rand.NewPCG(5, 6))
	lexicon := make([]string, 4000)
	for i := range lexicon {
		word := make([]byte, 2+chance.IntN(9))
		for k := range word {
			word[k] = "etaoinshrdlucmfwypvbgk"[int(22*chance.Float64()*chance.Float64())]
		}
		lexicon[i] = string(word)
	}
	t := &transcript.Transcript{Language: "en-US", Length: 3 * time.Hour,
		Speakers: []transcript.Speaker{{Name: "Agent", Channel: 0}, {Name: "Caller", Channel: 1}}}
	at, speaker := time.Duration(0), 0
	for len(t.Words) < 30_000 {
		if chance.IntN(12) == 0 {
			speaker = 1 - speaker
		}
		long := time.Duration(80+chance.IntN(400)) * time.Millisecond
		w := transcript.Word{Start: at, End: at + long, Confidence: chance.Float64(), Speaker: speaker,
			Text:  lexicon[int(math.Exp(chance.Float64()*math.Log(4000)))-1],
			Voice: &transcript.Voice{Volume: 2 * chance.Float64()}}
		for range 3 {
			w.Voice.Peaks = append(w.Voice.Peaks, transcript.Peak{Frequency: 4000 * chance.Float64(), Energy: chance.Float64()})
		}
		t.Words, at = append(t.Words, w), at+long
	}
	return t
}

// onTheWire returns the bytes of an answer, as they are and compressed.
func onTheWire(t *testing.T, answer any) (bare, zipped int) {
	var pieces [][]byte
	for piece := range wire.Pieces(answer) {
		bare += len(piece)
		pieces = append(pieces, append([]byte(nil), piece...))
	}
	return bare, len(zipAll(t, pieces))
}

// TestALongCallFitsTheWire holds what a page opens: an item of three hours with voice features, compressed.
func TestALongCallFitsTheWire(t *testing.T) {
	call := longCall()
	sizes := map[string]int{}
	for _, parts := range [][]string{nil, {"frq"}, {"frq", "v"}, {"frq", "turns"}, {"frq", "v", "turns", "voiceActivity"}} {
		var omit wire.Parts
		for _, name := range parts {
			part, ok := wire.ParsePart(name)
			if !ok {
				t.Fatal(name)
			}
			omit |= part
		}
		bare, zipped := onTheWire(t, wire.NewMedia(wire.Item{
			Media:   &media.Media{ID: "019a9f5e-3c00-7000-8000-0123456789ab", Status: media.Finished, Length: call.Length},
			Account: account.Account{}, Transcript: call, Omit: omit}))
		sizes[fmt.Sprint(parts)] = zipped
		t.Logf("without %v: %d bytes, compressed %d", parts, bare, zipped)
	}
	// Times and confidences are random here, and hardly shrink.
	if sizes["[frq v]"] > 700_000 || sizes["[]"] < 2*sizes["[frq v]"] {
		t.Errorf("%v", sizes)
	}
}
