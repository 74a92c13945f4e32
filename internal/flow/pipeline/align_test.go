package pipeline_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"parley/internal/call/plan"
	"parley/internal/flow/pipeline"
	"parley/internal/speech/asr/pocketsphinx"
	"parley/internal/speech/audio"
	"parley/internal/speech/importer"
	"parley/internal/testkit/verify"
	"parley/internal/words/fault"
	"parley/internal/words/transcript"
)

// part is how much of the call is aligned: aligning all of it takes minutes.
const part = time.Minute

// callAndWords returns the first part of a call with one channel per speaker, and another service's words for it.
func callAndWords(t *testing.T) (*audio.Decoded, *transcript.Transcript) {
	t.Helper()
	data := os.Getenv("PARLEY_DATA")
	if data == "" {
		t.Skip("PARLEY_DATA is not set; it names a folder of recordings for tests")
	}
	raw, err := os.ReadFile(filepath.Join(data, "audio", "call_cable_sales_stereo.voicebase.json"))
	if err != nil {
		t.Fatal(err)
	}
	given, err := importer.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	words := given.Transcript
	words.Words = slices.DeleteFunc(words.Words, func(w transcript.Word) bool { return w.End > part })
	file := filepath.Join(t.TempDir(), "call.wav")
	cut := exec.Command("ffmpeg", "-nostdin", "-v", "error", "-i",
		filepath.Join(data, "audio", "call_cable_sales_stereo.mp3"), "-t", "60", file)
	if out, err := cut.CombinedOutput(); err != nil {
		t.Fatalf("ffmpeg (install the package ffmpeg): %v %s", err, out)
	}
	decoded, err := (&audio.Decoder{}).Decode(t.Context(), file, "audio/x-wav")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { decoded.Close() })
	return decoded, words
}

func TestWordsOfARealCallAreFoundWithinATenthOfASecond(t *testing.T) {
	verify.Long(t)
	decoded, words := callAndWords(t)
	recognizer, err := pocketsphinx.New(pocketsphinx.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer recognizer.Close()
	e := pipeline.Engine{Recognizer: recognizer, Info: pocketsphinx.Describe()}
	request, err := plan.Parse([]byte(
		`{"ingest":{"stereo":{"left":{"speakerName":"Agent"},"right":{"speakerName":"Caller"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Resolve(request, plan.Environment{Models: pipeline.Engines{e}.Models(), TextGiven: true})
	if err != nil {
		t.Fatal(err)
	}
	heard, _, err := pipeline.Transcribe(t.Context(), e, decoded, p, pipeline.NoArtifacts{}, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	got, warnings, err := pipeline.Align(t.Context(), e, words, heard, decoded, p, pipeline.NoArtifacts{}, func(int) {})
	if err != nil || len(warnings) != 1 || warnings[0].Code != fault.CodeIgnored { // the text names no speakers
		t.Fatal(err, warnings)
	}
	var off []time.Duration
	for i, w := range got.Words {
		if w.Kind == transcript.Spoken {
			off = append(off, (w.Start - words.Words[i].Start).Abs())
		}
	}
	slices.Sort(off)
	t.Logf("%d words: half within %v, nine tenths within %v", len(off), off[len(off)/2], off[len(off)*9/10])
	if median := off[len(off)/2]; median >= 100*time.Millisecond {
		t.Errorf("half of the words begin more than %v off", median)
	}
}
