package server

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/call/plan"
	"parley/internal/operation/config"
	"parley/internal/speech/asr"
	"parley/internal/speech/modelstore"
	"parley/internal/words/sound"
)

// install writes a model with dummy files into a data directory.
func install(t *testing.T, dir, name, family string) *modelstore.Store {
	t.Helper()
	folder := filepath.Join(dir, "models", name)
	manifest := fmt.Sprintf(`{"format":1,"name":%q,"kind":"speech","engine":"sherpa-onnx","family":%q,"languages":["en-US"],"files":{"model":"m","tokens":"t"}}`, name, family)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{"m": "m", "t": "t", "model.json": manifest} {
		if err := os.WriteFile(filepath.Join(folder, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return &modelstore.Store{Dir: filepath.Join(dir, "models")}
}

func neural(dir, program string, said *strings.Builder) Config {
	return Config{
		Log:      slog.New(slog.NewTextHandler(said, nil)),
		Settings: config.Settings{Storage: config.Storage{Dir: dir}, Engines: 1, Sherpa: program},
	}
}

func names(e *engines) string {
	var all []string
	for _, m := range e.models() {
		all = append(all, m.Engine+"/"+m.Name)
	}
	return strings.Join(all, " ")
}

func TestInstalledModelsComeBeforePocketSphinxTheDefaultFirst(t *testing.T) {
	dir := t.TempDir()
	install(t, dir, "first", "nemo_ctc")
	if err := install(t, dir, "second", "nemo_ctc").Use("second"); err != nil {
		t.Fatal(err)
	}
	install(t, dir, "unknown", "telepathy")
	var said strings.Builder
	e, err := openEngines(t.Context(), neural(dir, os.Args[0], &said))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if got, want := names(e), "sherpa-onnx/second sherpa-onnx/first pocketsphinx/en-us"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if !strings.Contains(said.String(), "telepathy") {
		t.Errorf("nothing is said of the model that cannot be run: %s", said.String())
	}
	found, err := e.find(t.Context(), &plan.Recognition{Engine: "sherpa-onnx", Model: "first"})
	if err != nil {
		t.Fatal(err)
	}
	got, err := found.Recognizer.Recognize(t.Context(),
		asr.Request{PCM: &sound.PCM{Rate: 16000, Samples: make([]int16, 1600)}})
	if err != nil || len(got.Words) != 1 {
		t.Errorf("the program heard %+v, %v", got, err)
	}
}

func TestModelsWithoutTheirProgramAreLeftOutWithAWarning(t *testing.T) {
	dir := t.TempDir()
	install(t, dir, "first", "nemo_ctc")
	var said strings.Builder
	e, err := openEngines(t.Context(), neural(dir, "", &said))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if got := names(e); got != "pocketsphinx/en-us" || !strings.Contains(said.String(), "make sherpa") {
		t.Errorf("engines %s, said %s", got, said.String())
	}
}

func TestAProgramOfTheOperatorsThatIsNotThereIsAnError(t *testing.T) {
	dir := t.TempDir()
	install(t, dir, "first", "nemo_ctc")
	var said strings.Builder
	e, err := openEngines(t.Context(), neural(dir, filepath.Join(dir, "gone"), &said))
	if err == nil {
		e.Close()
		t.Fatal("it is taken")
	}
	if !strings.Contains(err.Error(), "gone") {
		t.Errorf("error %v", err)
	}
}

func TestProcessesOfAModelFitIntoHalfOfTheMemory(t *testing.T) {
	const gb = 1 << 30
	for _, c := range []struct {
		processors        int
		need, memory      uint64
		children, threads int
	}{
		{2, gb, 16 * gb, 2, 1},
		{16, gb, 16 * gb, 8, 2},
		{8, 2 * gb, 3 * gb, 1, 8},
		{4, gb, 0, 4, 1},
		{1, gb, gb, 1, 1},
	} {
		if children, threads := share(c.processors, c.need, c.memory); children != c.children || threads != c.threads {
			t.Errorf("%+v: %d processes of %d threads", c, children, threads)
		}
	}
	if memory() == 0 {
		t.Error("the memory of this machine is not known")
	}
}
