package pocketsphinx

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"parley/internal/speech/asr"
	"parley/internal/speech/cepstrum"
	"parley/internal/speech/cmllr"
	"parley/internal/testkit/verify"
)

func TestAVoiceIsLearntOnlyWhenAskedForAndChangesNoWord(t *testing.T) {
	verify.Long(t)
	r, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	q := asr.Request{PCM: read(t, "thank you for calling customer service my name is john how may i help you"),
		Source: asr.Source{Rate: rate, Call: true, Other: 1}}
	plain, err := r.Recognize(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	q.Learn = true
	learnt, err := r.Recognize(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if plain.Voice != nil || learnt.Voice == nil || !reflect.DeepEqual(plain.Words, learnt.Words) {
		t.Errorf("voices of %d and %d bytes", len(plain.Voice), len(learnt.Voice))
	}
	q.Learn, q.Voices = false, [][]byte{learnt.Voice, learnt.Voice, learnt.Voice, learnt.Voice}
	adapted, err := r.Recognize(t.Context(), q)
	if err != nil || len(adapted.Words) < len(plain.Words)/2 || reflect.DeepEqual(adapted.Words, plain.Words) {
		t.Errorf("with the voice: %v, %v", adapted, err)
	}
}

func TestATransformFollowsOnlyFromEnoughOfAVoice(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	frames := &cmllr.Statistics{}
	for range 300 {
		for stream := range cmllr.Streams {
			var x, precision, pull cmllr.Vector
			for i := range x {
				x[i], precision[i], pull[i] = random.NormFloat64(), 1, 0.1*random.NormFloat64()
			}
			frames.Add(stream, &x, &precision, &pull)
		}
	}
	v := frames.Encode()
	if transform([][]byte{v, v, v, v}) == nil {
		t.Error("no transform follows from 1200 frames")
	}
	for name, voices := range map[string][][]byte{
		"none": nil, "too little": {v, v}, "nonsense": {v, v, v, v, []byte("nonsense")}, "nothing": {nil},
		"no frames": {(&cmllr.Statistics{}).Encode()},
	} {
		if transform(voices) != nil {
			t.Errorf("%s: a transform follows", name)
		}
	}
}

func TestWithoutAnAcousticModelThatCanBeReadWordsAreHeardAsEver(t *testing.T) {
	r, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	r.modelDir = t.TempDir()
	q := asr.Request{PCM: read(t, "thank you for calling"), Source: asr.Source{Call: true}, Learn: true}
	if got, err := r.Recognize(t.Context(), q); err != nil || got.Voice != nil || len(got.Words) == 0 {
		t.Errorf("%v, %v", got, err)
	}
}

func TestEntriesAreThoseThatWordsWereMadeOf(t *testing.T) {
	for _, entry := range []string{"read", "b.", "a", "a.", "i", "i.", "=3"} {
		if got := entryOf(spoken(entry)); got != entry {
			t.Errorf("%q is spoken %q and looked up as %q", entry, spoken(entry), got)
		}
	}
}

func TestFramesOfWordsAreThoseThatTheirTimesWereMadeOf(t *testing.T) {
	for _, shift := range []int{readShift, callShift} {
		d := &decoder{shift: shift}
		for i := range 1400 {
			if got := frameAt(d.frame(i, MaxChunk), shift); got != i {
				t.Fatalf("shift %d: frame %d is found as %d", shift, i, got)
			}
		}
	}
}

func TestTheMeanIsThatOfTheLouderFrames(t *testing.T) {
	f := [][cepstrum.Coefficients]float32{{2, 10}, {4, 20}, {-1, 99}}
	subtractMean(f)
	if f[0][0] != -1 || f[1][1] != 5 || f[2][0] != -4 || f[2][1] != 84 {
		t.Errorf("got %v", f)
	}
	silent := [][cepstrum.Coefficients]float32{{-2, 10}}
	if subtractMean(silent); silent[0][1] != 10 {
		t.Errorf("frames of which none is loud are moved: %v", silent)
	}
}

func TestOnlyTheMeanOfTheModelsParametersIsTurnedOff(t *testing.T) {
	path := filepath.Join(t.TempDir(), "feat.params")
	if err := os.WriteFile(path, []byte("-agc none\n-cmn batch\n-cmninit 41.00,-5.29\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	pipe, _, err := ownMean(path)
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	var got bytes.Buffer
	if _, err := got.ReadFrom(pipe); err != nil || got.String() != "-agc none\n-cmninit 41.00,-5.29\n\n-cmn none\n" {
		t.Errorf("%q, %v", got.String(), err)
	}
}
