package sherpa

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/speech/modelstore"
	"parley/internal/words/fault"
)

func installed(family string, files map[string]string) modelstore.Installed {
	return modelstore.Installed{Dir: "/models/m",
		Manifest: modelstore.Manifest{SHA256: "0123456789abcdef", Description: modelstore.Description{
			Name: "m", Kind: modelstore.Speech, Engine: Engine, Family: family, Languages: []string{"de-DE", "en-US"},
			Files: files,
		}}}
}

func TestEverySpeechModelOfTheCatalogueCanBeRun(t *testing.T) {
	catalogue, err := modelstore.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	var used []string
	for _, e := range catalogue {
		if e.Kind != modelstore.Speech {
			continue
		}
		info, err := Describe(modelstore.Installed{Dir: "/models/" + e.Name,
			Manifest: modelstore.Manifest{Description: e.Description}})
		if err != nil || info.Model != e.Name || info.MaxChunk < 10*time.Second || info.MaxChunk > 30*time.Second {
			t.Errorf("%s: %+v, %v", e.Name, info, err)
		}
		used = append(used, e.Family)
	}
	for _, f := range Families() {
		if !slices.Contains(used, f.Name) {
			t.Errorf("no model of the catalogue has the family %s", f.Name)
		}
	}
}

func TestManifestsThatCannotBeRunAreExplained(t *testing.T) {
	whole := map[string]string{"model": "m.onnx", "tokens": "t.txt"}
	other := installed("nemo_ctc", whole)
	other.Kind = modelstore.VAD
	for _, c := range []struct {
		m    modelstore.Installed
		want string
	}{
		{installed("telepathy", whole), "transducer, nemo_transducer, nemo_ctc"},
		{installed("nemo_ctc", map[string]string{"model": "m.onnx"}), "files.tokens is missing"},
		{installed("whisper", whole), "files.encoder is missing"},
		{other, "vad model"},
	} {
		if _, err := Describe(c.m); !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.m.Family, err, c.want)
		}
	}
}

func TestAnotherDownloadIsAnotherVersion(t *testing.T) {
	a := installed("nemo_ctc", map[string]string{"model": "m.onnx", "tokens": "t.txt"})
	b := a
	b.SHA256 = "fedcba9876543210"
	one, err := Describe(a)
	if err != nil {
		t.Fatal(err)
	}
	two, err := Describe(b)
	if err != nil || one.Version == two.Version || one.Engine != "sherpa-onnx" || one.Languages[0] != "de-DE" {
		t.Errorf("%+v and %+v, %v", one, two, err)
	}
}

func TestMemoryGrowsWithTheWeights(t *testing.T) {
	m := installed("nemo_ctc", map[string]string{"model": "m.onnx", "tokens": "t.txt"})
	m.Dir = t.TempDir()
	need, limit := Memory(m), MemoryLimit(m)
	if err := os.WriteFile(filepath.Join(m.Dir, "m.onnx"), make([]byte, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	if Memory(m)-need != 2<<20 || MemoryLimit(m)-limit != 4<<20 || limit <= need {
		t.Errorf("%d of %d, then %d of %d", need, limit, Memory(m), MemoryLimit(m))
	}
}

func TestAProgramThatDoesNotStartIsExplained(t *testing.T) {
	dir := t.TempDir()
	broken, old, sound := filepath.Join(dir, "broken"), filepath.Join(dir, "old"), filepath.Join(dir, "sound")
	for name, script := range map[string]string{
		broken: "echo no library; exit 127", old: "echo sherpa-onnx 1.0",
		sound: `[ "$1" = version ] && echo ` + Greeting(),
	} {
		if err := os.WriteFile(name, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for program, want := range map[string]string{filepath.Join(dir, "gone"): "is missing", broken: "no library",
		old: "sherpa-onnx 1.0"} {
		err := Check(t.Context(), program)
		if !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "make sherpa") {
			t.Errorf("%s: %v", program, err)
		}
	}
	if err := Check(t.Context(), sound); err != nil {
		t.Error(err)
	}
}
