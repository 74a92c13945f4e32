package eval_test

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/internal/host/sandbox"
	"parley/internal/lab/eval"
	"parley/internal/speech/asr"
	"parley/internal/speech/asr/line"
	"parley/internal/speech/asr/pocketsphinx"
	"parley/internal/speech/audio"
	"parley/internal/testkit/sandboxtest"
	"parley/internal/testkit/verify"
	"parley/internal/words/transcript"
)

// The test binary is also the engine's child process.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "engine" {
		if pocketsphinx.Main(context.Background(), os.Stdin, os.Stdout, pocketsphinx.Config{}) != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	sandboxtest.Main(m)
}

func recordings(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("PARLEY_DATA")
	if dir == "" {
		t.Skip("PARLEY_DATA is not set: no recordings to measure")
	}
	return filepath.Join(dir, "audio")
}

func pool(t *testing.T) asr.Recognizer {
	p := line.NewPool(line.Config{
		Command: []string{os.Args[0], "engine"},
		Limits:  sandbox.Limits{Memory: pocketsphinx.MemoryLimit, Nice: 5, Access: pocketsphinx.Access},
	})
	t.Cleanup(func() { p.Close() })
	return p
}

// pick creates a folder with the recordings whose path below dir begins with one of the names.
func pick(t *testing.T, dir string, names ...string) string {
	t.Helper()
	picked := t.TempDir()
	for _, name := range names {
		files, _ := filepath.Glob(filepath.Join(dir, name+"*"))
		if len(files) == 0 {
			t.Fatalf("no recording %s", name)
		}
		for _, f := range files {
			below, _ := filepath.Rel(dir, f)
			target := filepath.Join(picked, below)
			os.MkdirAll(filepath.Dir(target), 0o700)
			if err := os.Symlink(f, target); err != nil {
				t.Fatal(err)
			}
		}
	}
	return picked
}

// Upper bounds of PocketSphinx's word error rates in percent: one point above its stock figures; for the call, one
// point above the figure with adaptation.
var worst = map[string]float64{
	"azure_reading_audio1": 11.1, "azure_reading_audio2": 10.7, "brooklyn_bridge": 1, "cards": 5.8, "jfk": 28.3,
	"librivox": 37.7, "mr_quilter": 30.4, "hifitts6097": 45.9, "harvardish": 72.4, "sonnet1": 71.5,
	"telco_account_update": 31.2, "chromecast_call_mono_8k": 64.8, "zipcodes_8k": 54, "call_cable_sales_stereo": 40,
}

func holds(t *testing.T, table eval.Table) {
	t.Helper()
	t.Logf("\n%s", table)
	for _, row := range table {
		if limit, known := worst[row.Set]; !known || 100*row.Score().Rate() > limit {
			t.Errorf("%s: word error rate %.1f %%, at most %v", row.Set, 100*row.Score().Rate(), limit)
		}
		if m := eval.Median(row.Starts); m >= 150*time.Millisecond {
			t.Errorf("%s: words start %v beside the reference", row.Set, m)
		}
	}
}

func TestErrorRatesOfShortRecordingsHold(t *testing.T) {
	verify.Long(t)
	dir := pick(t, recordings(t), "librivox/*", "cards/*", "harvardish/*", "mr_quilter", "brooklyn_bridge", "jfk",
		"zipcodes_8k", "azure_reading_audio2")
	table, err := eval.WER(context.Background(),
		&eval.Request{Dir: dir, Decoder: &audio.Decoder{}, Recognizer: pool(t), Longest: 15 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	holds(t, table)
}

func TestErrorRatesHold(t *testing.T) {
	if os.Getenv("PARLEY_SOAK") == "" {
		t.Skip("PARLEY_SOAK is not set: the whole table takes minutes")
	}
	table, err := eval.WER(context.Background(),
		&eval.Request{Dir: recordings(t), Decoder: &audio.Decoder{}, Recognizer: pool(t), Longest: 15 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	holds(t, table)
}

func TestFolderWithoutReferencesIsAnError(t *testing.T) {
	_, err := eval.WER(context.Background(),
		&eval.Request{Dir: t.TempDir(), Decoder: &audio.Decoder{}, Longest: time.Second})
	if err == nil || !strings.Contains(err.Error(), "no recording") {
		t.Errorf("error %v", err)
	}
}

// parrot recognises one word in everything and records the sources that it receives.
type parrot struct {
	lock    sync.Mutex
	sources []asr.Source
	samples []int // of the chunks
}

func (p *parrot) Recognize(_ context.Context, q asr.Request) (*asr.Recognition, error) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.sources = append(p.sources, q.Source)
	p.samples = append(p.samples, len(q.PCM.Samples))
	return &asr.Recognition{Words: []asr.Word{{Text: "cards", End: time.Second / 10}}}, nil
}

func TestTelephoneRecordingsAreHeardAsSuch(t *testing.T) {
	dir := pick(t, recordings(t), "cards/001")
	for telephone, rate := range map[bool]int{false: 16000, true: 8000} {
		heard := new(parrot)
		table, err := eval.WER(context.Background(),
			&eval.Request{Dir: dir, Decoder: &audio.Decoder{}, Recognizer: heard, Longest: 15 * time.Second,
				Telephone: telephone})
		if err != nil || len(table) != 1 {
			t.Fatalf("table %v, %v", table, err)
		}
		if len(heard.sources) != 1 || heard.sources[0].Rate != rate {
			t.Errorf("telephone %v: sources %+v, want one of %d Hz", telephone, heard.sources, rate)
		}
	}
}

func TestChannelsOfACallAreMeasuredApart(t *testing.T) {
	table, err := eval.WER(context.Background(), &eval.Request{
		Dir: pick(t, recordings(t), "call_cable_sales_stereo"), Decoder: &audio.Decoder{}, Recognizer: new(parrot),
		Longest: 15 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	whole := table[0]
	if len(whole.Channels) != 2 || whole.Channels[0].Score().Plus(whole.Channels[1].Score()) != whole.Score() {
		t.Errorf("channels %+v of %+v", whole.Channels, whole.Score())
	}
	if text := table.String(); !strings.Contains(text, "channel 1") || !strings.Contains(text, "channel 2") {
		t.Errorf("no channels in\n%s", text)
	}
}

// fragile fails on the chunks of one recording, which it identifies by the number of samples.
type fragile struct {
	parrot
	samples int
}

func (f *fragile) Recognize(ctx context.Context, q asr.Request) (*asr.Recognition, error) {
	if len(q.PCM.Samples) == f.samples {
		return nil, &asr.Poisoned{Cause: errors.New("recogniser did not answer in time")}
	}
	return f.parrot.Recognize(ctx, q)
}

// writeTone writes a recording of a steady hum, which counts as speech, with a reference.
func writeTone(t *testing.T, dir, name string, length time.Duration) {
	t.Helper()
	pcm := make([]byte, 0, 2*16000*int(length.Seconds()))
	for i := range 16000 * int(length.Seconds()) {
		s := int16(8000 * math.Sin(float64(i)*2*math.Pi*200/16000) * (1 + math.Sin(float64(i)*2*math.Pi*3/16000)) / 2)
		pcm = append(pcm, byte(s), byte(s>>8))
	}
	head := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(36+len(pcm)))
	head = append(head, "WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x80\x3e\x00\x00\x00\x7d\x00\x00\x02\x00\x10\x00data"...)
	head = binary.LittleEndian.AppendUint32(head, uint32(len(pcm)))
	for path, body := range map[string][]byte{name + ".wav": append(head, pcm...), name + ".txt": []byte("Cards."),
		name + ".rttm": []byte("SPEAKER " + name + " 1 0.0 1.0 <NA> <NA> A <NA> <NA>\n")} {
		if err := os.WriteFile(filepath.Join(dir, path), body, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWhatCannotBeMeasuredIsNamedAndTheRestIsMeasured(t *testing.T) {
	dir := t.TempDir()
	writeTone(t, dir, "good", 2*time.Second)
	writeTone(t, dir, "other", 2*time.Second)
	if err := os.WriteFile(filepath.Join(dir, "damaged.wav"), []byte("no sound"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, ending := range []string{".txt", ".rttm"} {
		if err := os.Link(filepath.Join(dir, "good"+ending), filepath.Join(dir, "damaged"+ending)); err != nil {
			t.Fatal(err)
		}
	}
	named := func(what string, rows int, err error) {
		t.Helper()
		failed, ok := errors.AsType[*eval.Failures](err)
		if !ok || rows == 0 || len(failed.Which) != 1 || failed.All != 3 ||
			!strings.Contains(err.Error(), "damaged.wav: ") || strings.Contains(err.Error(), "good.wav") {
			t.Errorf("%s: %d rows, %v", what, rows, err)
		}
	}
	table, err := eval.WER(t.Context(),
		&eval.Request{Dir: dir, Decoder: &audio.Decoder{}, Recognizer: new(parrot), Longest: 15 * time.Second})
	named("wer", len(table), err)
	turns, err := eval.DER(t.Context(), dir, &audio.Decoder{}, 2)
	named("der", len(turns), err)
	marks, err := eval.RestorePunctuation(t.Context(), dir, &audio.Decoder{}, new(parrot), 15*time.Second,
		func(tr *transcript.Transcript) *transcript.Transcript { return tr })
	named("punct", len(marks), err)
}

func TestAChunkThatFailsCostsItsRecordingAlone(t *testing.T) {
	dir := t.TempDir()
	writeTone(t, dir, "short", 2*time.Second)
	writeTone(t, dir, "long", 4*time.Second)
	heard := new(parrot)
	if _, err := eval.WER(t.Context(),
		&eval.Request{Dir: dir, Decoder: &audio.Decoder{}, Recognizer: heard, Longest: 15 * time.Second}); err != nil ||
		len(heard.samples) != 2 {
		t.Fatalf("chunks of %v samples, %v", heard.samples, err)
	}
	bad := &fragile{samples: slices.Max(heard.samples)}
	table, err := eval.WER(t.Context(),
		&eval.Request{Dir: dir, Decoder: &audio.Decoder{}, Recognizer: bad, Longest: 15 * time.Second})
	if len(table) != 1 || table[0].Set != "short" || err == nil ||
		!strings.Contains(err.Error(), "1 of 2 recordings") ||
		!strings.Contains(err.Error(), "long.wav: channel 1 from 0s") ||
		!strings.Contains(err.Error(), "did not answer in time") {
		t.Errorf("%v, %v", table, err)
	}
}

func TestAnInterruptLeavesWhatWasMeasured(t *testing.T) {
	dir := t.TempDir()
	writeTone(t, dir, "a", 2*time.Second)
	writeTone(t, dir, "b", 2*time.Second)
	ctx, cancel := context.WithCancel(t.Context())
	first := new(parrot)
	stops := recognizerFunc(func(ctx context.Context, q asr.Request) (*asr.Recognition, error) {
		if len(first.sources) > 0 {
			cancel()
			return nil, ctx.Err()
		}
		return first.Recognize(ctx, q)
	})
	table, err := eval.WER(ctx, &eval.Request{Dir: dir, Decoder: &audio.Decoder{}, Recognizer: stops,
		Longest: 15 * time.Second})
	if len(table) != 1 || table[0].Set != "a" || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", table, err)
	}
}

type recognizerFunc func(context.Context, asr.Request) (*asr.Recognition, error)

func (f recognizerFunc) Recognize(ctx context.Context, q asr.Request) (*asr.Recognition, error) {
	return f(ctx, q)
}
