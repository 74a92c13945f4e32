package server

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/internal/call/plan"
	"parley/internal/operation/config"
	"parley/internal/speech/asr"
	"parley/internal/speech/asr/line"
	"parley/internal/speech/asr/remote"
	"parley/internal/speech/asr/sherpa"
	"parley/internal/testkit/sandboxtest"
	"parley/internal/words/fault"
)

// TestMain lets the test binary act as a recogniser when it is started as one.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "recogniser" {
		info := asr.Info{Engine: "own", Model: "echo", Version: "1", Languages: []string{"de-DE"},
			MaxChunk: time.Minute}
		if line.Serve(context.Background(), os.Stdin, os.Stdout, info, echo{}) != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	if len(os.Args) > 3 && os.Args[1] == "serve" { // as parley-sherpa
		info := asr.Info{Engine: "sherpa-onnx", Model: filepath.Base(os.Args[3]), Languages: []string{"en-US"},
			MaxChunk: time.Minute}
		if line.Serve(context.Background(), os.Stdin, os.Stdout, info, echo{}) != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	if len(os.Args) > 2 && os.Args[1] == "diarize" {
		tellApart(os.Args[2:])
		os.Exit(0)
	}
	if len(os.Args) > 1 && os.Args[1] == "version" {
		fmt.Println(sherpa.Greeting())
		os.Exit(0)
	}
	sandboxtest.Main(m)
}

type echo struct{}

func (echo) Recognize(context.Context, asr.Request) (*asr.Recognition, error) {
	return &asr.Recognition{Words: []asr.Word{{Text: "echo", End: time.Millisecond}}}, nil
}

func endpoint(t *testing.T, setting string) remote.Endpoint {
	t.Helper()
	e, err := remote.Parse(setting, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestTheOperatorsEnginesComeBeforeTheDefault(t *testing.T) {
	e, err := openEngines(t.Context(), Config{Settings: config.Settings{
		Engines: 1, Programs: [][]string{{os.Args[0], "recogniser"}},
		Remotes: []remote.Endpoint{endpoint(t, "openai+http://127.0.0.1:1/?model=small.en"),
			endpoint(t, "deepgram+http://127.0.0.1:1/?model=nova-3")},
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var names []string
	for _, m := range e.models() {
		names = append(names, m.Engine+"/"+m.Name)
	}
	if got, want := strings.Join(names, " "),
		"openai/small.en deepgram/nova-3 own/echo pocketsphinx/en-us"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	found, err := e.find(t.Context(), &plan.Recognition{Engine: "own", Model: "echo"})
	if err != nil {
		t.Fatal(err)
	}
	if found.Info.Languages[0] != "de-DE" || found.Info.Parallel != 1 {
		t.Errorf("got %+v", found.Info)
	}
	if _, err := e.find(t.Context(), &plan.Recognition{Engine: "own", Model: "gone"}); !fault.Is(err,
		fault.Unavailable) {
		t.Errorf("an engine that is not there: %v", err)
	}
}

func TestEngineProgramsReadWhatTheyAreGivenAndNothingOfTheServer(t *testing.T) {
	data, models := t.TempDir(), t.TempDir()
	key := filepath.Join(models, "storage.key")
	s := config.Settings{Storage: config.Storage{Dir: data}, EngineFiles: []string{models}}
	access, err := programAccess(s, []string{"engine", "--model", models, data, filepath.Dir(data), "/", "/no/such"})
	if err != nil || strings.Join(access.Read, " ") != models+" "+models || !access.Scratch || access.Trusted ||
		access.Start != nil {
		t.Errorf("%+v, %v", access, err)
	}
	s.StorageKeyFile = key
	if err := os.WriteFile(key, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{models, key, data, filepath.Dir(data), "/", "/no/such"} {
		s.EngineFiles = []string{path}
		if _, err := programAccess(s, []string{"engine"}); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("--engine-files %s: %v", path, err)
		}
	}
	if access, err := programAccess(config.Settings{TrustPrograms: true}, []string{"engine"}); err != nil ||
		!access.Trusted {
		t.Errorf("trusted: %+v, %v", access, err)
	}
}

func TestTwoEnginesOfOneNameAreRefused(t *testing.T) {
	same := endpoint(t, "openai+http://127.0.0.1:1/?model=small.en")
	e, err := openEngines(t.Context(),
		Config{Settings: config.Settings{Engines: 1, Remotes: []remote.Endpoint{same, same}}})
	if err == nil {
		e.Close()
		t.Fatal("it is taken")
	}
	if !strings.Contains(err.Error(), "rename one of them") {
		t.Errorf("got %v", err)
	}
}

func TestAProgramThatIsNoEngineStopsTheStart(t *testing.T) {
	e, err := openEngines(t.Context(),
		Config{Settings: config.Settings{Engines: 1, Programs: [][]string{{"/bin/echo", "hello"}}}})
	if err == nil {
		e.Close()
		t.Fatal("it is taken")
	}
	if !strings.Contains(err.Error(), "/bin/echo") {
		t.Errorf("got %v", err)
	}
}
