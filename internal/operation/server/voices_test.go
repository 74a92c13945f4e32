package server

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/internal/operation/config"
	"parley/internal/speech/modelstore"
	"parley/internal/words/fault"
)

// tellApart lets the test binary act as the diarization program: its output is the content of the model's file.
func tellApart(args []string) {
	heard, _ := io.Copy(io.Discard, os.Stdin)
	answer, _ := os.ReadFile(filepath.Join(args[1], "m"))
	if string(answer) == "die" {
		fmt.Fprintln(os.Stderr, "out of memory")
		os.Exit(1)
	}
	fmt.Println("loading")
	fmt.Println(strings.ReplaceAll(string(answer), "HEARD", fmt.Sprint(float64(heard)/32000)))
}

func voiceModel(t *testing.T, dir, name string, kind modelstore.Kind, text string) {
	t.Helper()
	folder := filepath.Join(dir, "models", name)
	manifest := fmt.Sprintf(`{"format":1,"name":%q,"kind":%q,"engine":"sherpa-onnx","family":"pyannote","files":{"model":"m"}}`, name, kind)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{"m": text, "model.json": manifest} {
		if err := os.WriteFile(filepath.Join(folder, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := (&modelstore.Store{Dir: filepath.Join(dir, "models")}).Use(name); err != nil {
		t.Fatal(err)
	}
}

func threeSeconds(w io.Writer) error {
	_, err := w.Write(make([]byte, 3*32000))
	return err
}

func TestInstalledModelsTellSpeakersApart(t *testing.T) {
	dir, log := t.TempDir(), slog.New(slog.DiscardHandler)
	voiceModel(t, dir, "voices", modelstore.Embedding, "m")
	voiceModel(t, dir, "changes", modelstore.Segmentation,
		`{"turns":[{"speaker":1,"start":0.5,"end":HEARD},{"speaker":0,"start":2,"end":99}]}`)
	voices := NewVoices(t.Context(), config.Storage{Dir: dir}, os.Args[0], 1, log)
	if voices == nil {
		t.Fatal("the models are not used")
	}
	turns, err := voices(t.Context(), threeSeconds, 4*time.Second, 2)
	if err != nil || len(turns) != 2 || turns[0].Speaker != 1 || turns[0].Start != 500*time.Millisecond ||
		turns[0].End != 3*time.Second || turns[1].End != 4*time.Second {
		t.Errorf("%v, %v", turns, err)
	}
}

func TestModelsThatCannotTellSpeakersApartAreSaidSo(t *testing.T) {
	for answer, want := range map[string]string{
		"die":                              "out of memory",
		`{"error":"no such family"}`:       "no such family",
		`{"turns":[{"start":3,"end":2}]}`:  "turns[0]: invalid speaker or times",
		`{"turns":[{"start":-1,"end":2}]}`: "turns[0]: invalid speaker or times",
		`{"turns":[{"speaker":-7}]}`:       "turns[0]: invalid speaker or times",
		"nonsense":                         "invalid answer",
	} {
		dir, said := t.TempDir(), &bytes.Buffer{}
		voiceModel(t, dir, "voices", modelstore.Embedding, "m")
		voiceModel(t, dir, "changes", modelstore.Segmentation, answer)
		voices := NewVoices(t.Context(), config.Storage{Dir: dir}, os.Args[0], 1,
			slog.New(slog.NewTextHandler(said, nil)))
		if _, err := voices(t.Context(), threeSeconds, 3*time.Second, 2); !fault.Is(err, fault.Unavailable) ||
			!strings.Contains(err.Error(), want) || !strings.Contains(said.String(), "without neural models") {
			t.Errorf("%q: %v; %s", answer, err, said)
		}
	}
}

func TestSpeakersAreToldApartByModelsOnlyWhereBothAreInstalled(t *testing.T) {
	dir, said := t.TempDir(), &bytes.Buffer{}
	log := slog.New(slog.NewTextHandler(said, nil))
	if NewVoices(t.Context(), config.Storage{Dir: dir}, os.Args[0], 1, log) != nil || said.Len() > 0 {
		t.Errorf("without models: %s", said)
	}
	voiceModel(t, dir, "changes", modelstore.Segmentation, "m")
	if NewVoices(t.Context(), config.Storage{Dir: dir}, os.Args[0], 1, log) != nil ||
		!strings.Contains(said.String(), "missing=embedding") {
		t.Errorf("with one of both: %s", said)
	}
	voiceModel(t, dir, "voices", modelstore.Embedding, "m")
	if NewVoices(t.Context(), config.Storage{Dir: dir}, filepath.Join(dir, "gone"), 1, log) != nil ||
		!strings.Contains(said.String(), "make sherpa") {
		t.Errorf("without the program: %s", said)
	}
}

func TestTheModelsThatTellSpeakersApartAreLookedAt(t *testing.T) {
	dir := t.TempDir()
	look := func() ([]string, error) { return LookVoices(t.Context(), config.Storage{Dir: dir}, os.Args[0]) }
	if names, err := look(); names != nil || err != nil {
		t.Errorf("without models: %v, %v", names, err)
	}
	voiceModel(t, dir, "voices", modelstore.Embedding, "m")
	if names, err := look(); names != nil || err == nil || !strings.Contains(err.Error(), "segmentation") {
		t.Errorf("with one of both: %v, %v", names, err)
	}
	voiceModel(t, dir, "changes", modelstore.Segmentation, `{"turns":[]}`)
	if names, err := look(); strings.Join(names, " ") != "changes voices" || err != nil {
		t.Errorf("with both: %v, %v", names, err)
	}
	voiceModel(t, dir, "changes", modelstore.Segmentation, `{"error":"cannot load changes"}`)
	if names, err := look(); names != nil || err == nil || !strings.Contains(err.Error(), "cannot load changes") {
		t.Errorf("with one that cannot be loaded: %v, %v", names, err)
	}
}
