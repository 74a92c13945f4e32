package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sherpaonnx "github.com/k2-fsa/sherpa-onnx-go-linux"

	"parley/cmd/parley-sherpa/internal/toy"
	"parley/internal/host/sandbox"
	"parley/internal/speech/asr"
	"parley/internal/speech/asr/line"
	"parley/internal/speech/asr/remote"
	"parley/internal/speech/asr/sherpa"
	"parley/internal/testkit/asrtest"
	"parley/internal/testkit/sandboxtest"
	"parley/internal/words/fault"
	"parley/internal/words/sound"
	"parley/internal/words/vocabulary"
)

// TestMain lets the test binary act as the program when it is started as such.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == "serve" || os.Args[1] == "diarize" || os.Args[1] == "version") {
		main()
		os.Exit(0)
	}
	sandboxtest.Main(m)
}

const ms = time.Millisecond

// said returns the tones of "Parley hears tones." with a pause inside.
func said() []toy.Tone {
	return []toy.Tone{
		{Piece: "▁Parley", Start: 300 * ms, End: 600 * ms},
		{Piece: "▁he", Start: 700 * ms, End: 900 * ms}, {Piece: "ars", Start: 900 * ms, End: 1100 * ms},
		{Piece: "▁tones", Start: 2000 * ms, End: 2200 * ms}, {Piece: ".", Start: 2200 * ms, End: 2400 * ms},
	}
}

func ctc(t *testing.T) string        { return installed(t, "toy-ctc", toy.InstallCTC) }
func transducer(t *testing.T) string { return installed(t, "toy-tdt", toy.InstallTransducer) }
func zipformer(t *testing.T) string  { return installed(t, "toy-zipformer", toy.InstallZipformer) }
func sense(t *testing.T) string      { return installed(t, "toy-sense", toy.InstallSenseVoice) }
func whisper(t *testing.T) string    { return installed(t, "toy-whisper", toy.InstallWhisper) }
func moonshine(t *testing.T) string  { return installed(t, "toy-moonshine", toy.InstallMoonshine) }

func installed(t *testing.T, name string, install func(string) error) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := install(dir); err != nil {
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
	for _, dir := range []string{ctc(t), transducer(t), zipformer(t), sense(t)} {
		got := hear(t, loaded(t, dir), toy.Say(3*time.Second, said()...))
		expect(t, got.Words, []asr.Word{
			{Text: "parley", Start: 300 * ms, End: 600 * ms}, {Text: "hears", Start: 700 * ms, End: 1100 * ms},
			{Text: "tones", Start: 2000 * ms, End: 2200 * ms},
		})
	}
}

func TestSentencesAreKeptAsTheModelWritesThem(t *testing.T) {
	for want, dirs := range map[string][]string{
		"Parley hears tones.": {ctc(t), transducer(t), zipformer(t)},
		"Hello, toy world.":   {whisper(t), moonshine(t)},
		"":                    {sense(t)},
	} {
		for _, dir := range dirs {
			var got []string
			for _, w := range hear(t, loaded(t, dir), toy.Say(3*time.Second, said()...)).Words {
				got = append(got, w.Punctuated)
			}
			if s := strings.TrimSpace(strings.Join(got, " ")); s != want {
				t.Errorf("%s: %q, want %q", filepath.Base(dir), s, want)
			}
		}
	}
}

func TestModelsThatTellNoTimesSpeakWhereThereIsSound(t *testing.T) {
	for _, dir := range []string{whisper(t), moonshine(t)} {
		tones := []toy.Tone{{Piece: "▁tones", Start: 1000 * ms, End: 3000 * ms}}
		got := hear(t, loaded(t, dir), toy.Say(5*time.Second, tones...)).Words
		if len(got) != 3 || got[0].Start < 800*ms || got[2].End > 3300*ms {
			t.Errorf("heard %+v", got)
		}
	}
}

func TestAnotherLanguageLoadsTheModelAnew(t *testing.T) {
	r := loaded(t, whisper(t))
	for _, language := range []string{"de-DE", "en-US", ""} {
		got, err := r.Recognize(t.Context(), asr.Request{PCM: toy.Say(time.Second), Language: language})
		if err != nil || len(got.Words) != 3 {
			t.Errorf("%s: %+v, %v", language, got, err)
		}
		if want := map[string]string{"de-DE": "de", "en-US": "en", "": "en"}[language]; r.now.language != want {
			t.Errorf("%s: loaded for %s", language, r.now.language)
		}
	}
}

func hear(t *testing.T, r *recognizer, pcm *sound.PCM, terms ...vocabulary.Term) *asr.Recognition {
	t.Helper()
	request := asr.Request{PCM: pcm, Language: "en-US"}
	if len(terms) > 0 {
		request.Vocabulary = []vocabulary.Vocabulary{{Terms: terms}}
	}
	got, err := r.Recognize(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestProbabilitiesAreConfidencesWhereTheModelTellsThem(t *testing.T) {
	clear := toy.Say(time.Second, toy.Tone{Piece: "▁Parley", Start: 300 * ms, End: 600 * ms})
	either := toy.Say(time.Second, toy.Tone{Piece: "▁Jon", Start: 300 * ms, End: 600 * ms})
	r := loaded(t, transducer(t))
	sure, unsure := hear(t, r, clear).Words[0].Confidence, hear(t, r, either).Words[0].Confidence
	if sure < 0.99 || unsure > 0.8 || unsure < 0.6 { // the other word with the tone has e⁻¹ of its probability
		t.Errorf("confidences %v and %v", sure, unsure)
	}
	if got := hear(t, loaded(t, ctc(t)), clear).Words[0].Confidence; got != remote.Unknown {
		t.Errorf("confidence %v of a model that tells none", got)
	}
}

func TestTermsOfAVocabularyAreFavoured(t *testing.T) {
	for _, dir := range []string{transducer(t), zipformer(t)} {
		t.Run(filepath.Base(dir), func(t *testing.T) { favours(t, loaded(t, dir)) })
	}
}

func favours(t *testing.T, r *recognizer) {
	t.Setenv("TMPDIR", t.TempDir())
	jon := toy.Say(time.Second, toy.Tone{Piece: "▁Jon", Start: 300 * ms, End: 600 * ms})
	if got := hear(t, r, jon).Words; len(got) != 1 || got[0].Text != "jon" {
		t.Fatalf("without a vocabulary: %+v", got)
	}
	got := hear(t, r, jon, vocabulary.Term{Text: "Parley"}, vocabulary.Term{Text: "John", Weight: 1},
		vocabulary.Term{Text: "Zoë"})
	if len(got.Words) != 1 || got.Words[0].Text != "john" || got.Words[0].Confidence > 1 {
		t.Errorf("with a vocabulary: %+v", got.Words)
	}
	if len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "Zoë") {
		t.Errorf("warnings %q", got.Warnings)
	}
	if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if got := hear(t, r, jon).Words; len(got) != 1 || got[0].Text != "jon" {
		t.Errorf("a vocabulary outlives its request: %+v", got)
	}
}

func TestModelsThatTakeNoTermsSayIt(t *testing.T) {
	got := hear(t, loaded(t, ctc(t)), toy.Say(time.Second), vocabulary.Term{Text: "John"})
	if len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "nemo_ctc") {
		t.Errorf("warnings %q", got.Warnings)
	}
}

// expect compares words, with a tolerance for their times.
func expect(t *testing.T, got, want []asr.Word) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("heard %+v", got)
	}
	for i, w := range want {
		g := got[i]
		if g.Text != w.Text || (g.Start-w.Start).Abs() > 60*ms || g.End <= g.Start || g.End > w.End+250*ms {
			t.Errorf("heard %+v, want %+v", g, w)
		}
	}
}

func TestProgramHoldsTheRecognizerContract(t *testing.T) {
	for _, dir := range []string{ctc(t), transducer(t), zipformer(t), sense(t), whisper(t), moonshine(t)} {
		t.Run(filepath.Base(dir), func(t *testing.T) { holds(t, dir) })
	}
}

// pool runs the program, which may read only one folder.
func pool(dir string, children int) *line.Pool {
	return line.NewPool(line.Config{
		Command: []string{os.Args[0], "serve", "--model", dir}, Children: children,
		Limits: sandbox.Limits{Memory: 2 << 30, Access: sandbox.Access{Read: []string{dir}, Scratch: true}},
	})
}

func holds(t *testing.T, dir string) {
	p := pool(dir, 2)
	defer p.Close()
	info, err := p.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if info.Engine != "sherpa-onnx" || info.Model != filepath.Base(dir) || info.Languages[0] != "en-US" {
		t.Errorf("it is %+v", info)
	}
	asrtest.Run(t, p, info.MaxChunk, toy.Say(3*time.Second, said()...))
}

func TestWhatCannotBeLoadedIsExplained(t *testing.T) {
	for file, want := range map[string]string{"model.json": "not installed",
		"model.onnx": "model.onnx is missing or empty", "tokens.txt": "tokens.txt is missing or empty"} {
		dir := ctc(t)
		if err := os.Remove(filepath.Join(dir, file)); err != nil {
			t.Fatal(err)
		}
		p := pool(dir, 1)
		_, err := p.Info(t.Context())
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("without %s: %v", file, err)
		}
		p.Close()
	}
}

func TestWeightsThatAreGarbageAreExplained(t *testing.T) {
	dir := ctc(t)
	if err := os.WriteFile(filepath.Join(dir, "model.onnx"), []byte("garbage"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := pool(dir, 1)
	defer p.Close()
	_, err := p.Info(t.Context())
	if !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), "protobuf parsing failed") ||
		strings.Contains(err.Error(), "goroutine") {
		t.Errorf("got %v", err)
	}
}

func TestTheProgramSaysItsVersionWhichIsTheLibrarys(t *testing.T) {
	var out strings.Builder
	if err := run([]string{"version"}, nil, &out); err != nil || strings.TrimSpace(out.String()) != sherpa.Greeting() {
		t.Errorf("it says %q, %v", out.String(), err)
	}
	if library := sherpaonnx.GetVersion(); !strings.HasPrefix(sherpa.Version, library+"-") {
		t.Errorf("version %s, but the library is %s", sherpa.Version, library)
	}
	if err := run([]string{"sing"}, nil, &out); err == nil || !strings.Contains(err.Error(), "usage") {
		t.Errorf("an unknown command: %v", err)
	}
}
