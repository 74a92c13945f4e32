package main

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/cmd/parley-sherpa/internal/toy"
	"parley/internal/speech/asr/sherpa"
	"parley/internal/speech/modelstore"
	"parley/internal/words/fault"
	"parley/internal/words/sound"
)

// apart returns diarization with toy models, in child processes of the test binary.
func apart(t *testing.T) *sherpa.Voices {
	t.Helper()
	open := func(dir string) modelstore.Installed {
		m, err := (&modelstore.Store{Dir: filepath.Dir(dir)}).Open(filepath.Base(dir))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	return &sherpa.Voices{
		Program: os.Args[0], Threads: 1,
		Segmentation: open(installed(t, "toy-changes", toy.InstallSegmentation)),
		Embedding:    open(installed(t, "toy-voices", toy.InstallEmbedding)),
	}
}

func spoken(pcm *sound.PCM) func(io.Writer) error {
	return func(w io.Writer) error { return binary.Write(w, binary.LittleEndian, pcm.Samples) }
}

func TestVoicesAreToldApartWhereTheyAreHeard(t *testing.T) {
	pcm := toy.Say(9*time.Second,
		toy.Tone{Piece: toy.Voices[0], Start: 500 * ms, End: 2500 * ms},
		toy.Tone{Piece: toy.Voices[1], Start: 3500 * ms, End: 5500 * ms},
		toy.Tone{Piece: toy.Voices[0], Start: 6500 * ms, End: 8500 * ms})
	for _, speakers := range []int{0, 2} {
		turns, err := apart(t).Tell(t.Context(), spoken(pcm), pcm.Duration(), speakers)
		if err != nil || len(turns) != 3 {
			t.Fatalf("asked for %d: %v, %v", speakers, turns, err)
		}
		if turns[0].Speaker != turns[2].Speaker || turns[0].Speaker == turns[1].Speaker {
			t.Errorf("asked for %d: %v", speakers, turns)
		}
		for i, want := range []time.Duration{500 * ms, 3500 * ms, 6500 * ms} {
			if (turns[i].Start-want).Abs() > 100*ms || (turns[i].End-want-2*time.Second).Abs() > 100*ms {
				t.Errorf("asked for %d: turn %d is %v, want it from %v for 2s", speakers, i, turns[i], want)
			}
		}
	}
}

func TestSilenceHasNoTurns(t *testing.T) {
	for _, length := range []time.Duration{0, 10 * ms, 5 * time.Second} {
		pcm := toy.Say(length)
		if turns, err := apart(t).Tell(t.Context(), spoken(pcm), length, 2); err != nil || len(turns) > 0 {
			t.Errorf("%v of silence: %v, %v", length, turns, err)
		}
	}
}

func TestModelsThatCannotTellVoicesApartAreRefused(t *testing.T) {
	v := apart(t)
	v.Segmentation, v.Embedding = v.Embedding, v.Segmentation
	_, err := v.Tell(t.Context(), spoken(toy.Say(time.Second)), time.Second, 2)
	if !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), "toy-voices is not a segmentation model") {
		t.Errorf("%v", err)
	}
}

func TestDiarizationEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	_, err := apart(t).Tell(ctx, func(w io.Writer) error { cancel(); return nil }, time.Hour, 2)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
