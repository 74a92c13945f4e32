package pipeline_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"parley/internal/call/plan"
	"parley/internal/flow/pipeline"
	"parley/internal/speech/audio"
	"parley/internal/speech/diarize"
	"parley/internal/testkit/servertest"
	"parley/internal/words/sound"
	"parley/internal/words/transcript"
)

// noise returns a decoded recording of ten seconds.
func noise(t *testing.T) *audio.Decoded {
	t.Helper()
	path := filepath.Join(t.TempDir(), "noise.wav")
	if err := os.WriteFile(path, servertest.Tone(10, 1), 0o600); err != nil {
		t.Fatal(err)
	}
	decoded, err := (&audio.Decoder{Temp: t.TempDir()}).Decode(t.Context(), path, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { decoded.Close() })
	return decoded
}

// mixed returns speakers who share a channel.
func mixed(names ...string) []transcript.Speaker {
	var all []transcript.Speaker
	for _, name := range names {
		all = append(all, transcript.Speaker{Name: name, Role: transcript.RoleOf(name), Channel: transcript.NoChannel})
	}
	return all
}

func TestVoicesThatAreToldApartElsewhereAreTaken(t *testing.T) {
	d := noise(t)
	parties := mixed("Caller", "Agent")
	p := &plan.Plan{Diarization: true, Ingest: plan.Ingest{Mixed: mixed("Speaker")[0], Parties: parties}}
	given := &transcript.Transcript{Speakers: mixed("Speaker"), Length: d.Length, Words: []transcript.Word{
		{Text: "hello", Start: time.Second, End: 2 * time.Second},
		{Text: "hi", Start: 6 * time.Second, End: 7 * time.Second},
	}}
	var heard bytes.Buffer
	voices := func(_ context.Context, audio func(io.Writer) error, length time.Duration, speakers int) ([]diarize.Turn,
		error) {
		if length != d.Length || speakers != 2 {
			t.Errorf("asked for %d speakers of %v", speakers, length)
		}
		return []diarize.Turn{
			{Speaker: 5, Segment: sound.Segment{Start: 5 * time.Second, End: 20 * time.Second}},
			{Speaker: 3, Segment: sound.Segment{End: 4 * time.Second}},
		}, audio(&heard)
	}
	got, err := pipeline.Diarize(t.Context(), voices, d, given, p)
	if err != nil || len(got.Speakers) != 2 || got.Speakers[got.Words[0].Speaker].Name != "Agent" ||
		got.Speakers[got.Words[1].Speaker].Name != "Caller" {
		t.Errorf("%+v, %v", got, err)
	}
	if want := int(d.Length.Seconds()*audio.Rate) * 2; heard.Len() != want {
		t.Errorf("%d bytes of audio for %v, want %d", heard.Len(), d.Length, want)
	}
}

func TestWithoutVoicesSpeakersAreToldApartAllTheSame(t *testing.T) {
	d := noise(t)
	p := &plan.Plan{Diarization: true, Ingest: plan.Ingest{Mixed: mixed("Speaker")[0]}}
	given := &transcript.Transcript{Speakers: mixed("Speaker"), Length: d.Length}
	for name, err := range map[string]error{"fail": errors.New("no model"), "hear nobody": nil} {
		asked := false
		voices := func(context.Context, func(io.Writer) error, time.Duration, int) ([]diarize.Turn, error) {
			asked = true
			return nil, err
		}
		if got, err := pipeline.Diarize(t.Context(), voices, d, given, p); err != nil || got == nil || !asked {
			t.Errorf("that %s: %v, %v", name, got, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	voices := func(context.Context, func(io.Writer) error, time.Duration, int) ([]diarize.Turn, error) {
		cancel()
		return nil, ctx.Err()
	}
	if _, err := pipeline.Diarize(ctx, voices, d, given, p); !errors.Is(err, context.Canceled) {
		t.Errorf("when the work is given up: %v", err)
	}
}
