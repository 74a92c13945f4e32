package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/cmd/parley-sherpa/internal/toy"
	"parley/internal/asr"
	"parley/internal/asr/asrtest"
	"parley/internal/asr/line"
	"parley/internal/child"
)

// TestMain makes the test binary the program when it is started as such.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == "serve" || os.Args[1] == "version") {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const ms = time.Millisecond

// said is "Parley hears tones." with a pause inside.
func said() []toy.Tone {
	return []toy.Tone{
		{Piece: "▁Parley", Start: 300 * ms, End: 600 * ms},
		{Piece: "▁he", Start: 700 * ms, End: 900 * ms}, {Piece: "ars", Start: 900 * ms, End: 1100 * ms},
		{Piece: "▁tones", Start: 2000 * ms, End: 2200 * ms}, {Piece: ".", Start: 2200 * ms, End: 2400 * ms},
	}
}

func ctc(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "toy-ctc")
	if err := toy.InstallCTC(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func loaded(t *testing.T, dir string) *recognizer {
	t.Helper()
	r, err := open(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func TestWordsAreHeardWhenTheyAreSaid(t *testing.T) {
	r := loaded(t, ctc(t))
	got, err := r.Recognize(t.Context(), asr.Request{PCM: toy.Say(3*time.Second, said()...), Language: "en-US"})
	if err != nil {
		t.Fatal(err)
	}
	want := []asr.Word{
		{Text: "parley", Punctuated: "Parley", Start: 300 * ms, End: 600 * ms},
		{Text: "hears", Punctuated: "hears", Start: 700 * ms, End: 1100 * ms},
		{Text: "tones", Punctuated: "tones.", Start: 2000 * ms, End: 2400 * ms},
	}
	expect(t, got.Words, want)
}

// expect compares words; their times may be a little off.
func expect(t *testing.T, got, want []asr.Word) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("heard %+v", got)
	}
	for i, w := range want {
		g := got[i]
		if g.Text != w.Text || g.Punctuated != w.Punctuated || (g.Start-w.Start).Abs() > 60*ms || (g.End-w.End).Abs() > 250*ms {
			t.Errorf("heard %+v, want %+v", g, w)
		}
	}
}

func TestProgramHoldsTheRecognizerContract(t *testing.T) {
	p := line.NewPool(line.Config{
		Command: []string{os.Args[0], "serve", "--model", ctc(t)}, Children: 2, Limits: child.Limits{Memory: 2 << 30},
	})
	defer p.Close()
	info, err := p.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if info.Engine != "sherpa-onnx" || info.Model != "toy-ctc" || info.Languages[0] != "en-US" {
		t.Errorf("it is %+v", info)
	}
	asrtest.Run(t, p, info.MaxChunk, toy.Say(3*time.Second, said()...))
}

func TestWhatCannotBeLoadedIsExplained(t *testing.T) {
	for file, want := range map[string]string{"model.json": "not installed", "model.onnx": "model.onnx is missing or empty", "tokens.txt": "tokens.txt is missing or empty"} {
		dir := ctc(t)
		if err := os.Remove(filepath.Join(dir, file)); err != nil {
			t.Fatal(err)
		}
		p := line.NewPool(line.Config{Command: []string{os.Args[0], "serve", "--model", dir}, Children: 1})
		_, err := p.Info(t.Context())
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("without %s: %v", file, err)
		}
		p.Close()
	}
}
