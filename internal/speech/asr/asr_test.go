package asr_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parley/internal/speech/asr"
	"parley/internal/words/fault"
	"parley/internal/words/sound"
	"parley/internal/words/vocabulary"
)

const ms = time.Millisecond

func TestChunksOfAllChannelsComeInTheOrderOfTheirStart(t *testing.T) {
	got := asr.Chunks([][]sound.Segment{
		{{Start: 0, End: 5 * ms}, {Start: 20 * ms, End: 30 * ms}},
		{{Start: 0, End: 10 * ms}, {Start: 15 * ms, End: 40 * ms}},
	})
	want := []asr.Chunk{
		{Channel: 0, Segment: sound.Segment{Start: 0, End: 5 * ms}},
		{Channel: 1, Segment: sound.Segment{Start: 0, End: 10 * ms}},
		{Channel: 1, Segment: sound.Segment{Start: 15 * ms, End: 40 * ms}},
		{Channel: 0, Segment: sound.Segment{Start: 20 * ms, End: 30 * ms}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestPlacedWordsStayInsideTheChunkAndInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := func(name string) time.Duration {
			return time.Duration(rapid.Int64Range(-5000, 5000).Draw(t, name)) * ms
		}
		start := at("start").Abs()
		chunk := asr.Chunk{Segment: sound.Segment{Start: start, End: start + at("length").Abs()}}
		r := &asr.Recognition{Words: make([]asr.Word, rapid.IntRange(0, 5).Draw(t, "words"))}
		for i := range r.Words {
			r.Words[i] = asr.Word{Start: at("from"), End: at("to"),
				Confidence: rapid.Float64Range(-1, 2).Draw(t, "confidence")}
		}
		last := chunk.Segment.Start
		for _, w := range chunk.Place(r) {
			if w.Start < last || w.End < w.Start || w.End > chunk.Segment.End || w.Confidence < 0 || w.Confidence > 1 {
				t.Fatalf("word %+v after %v in %v", w, last, chunk)
			}
			last = w.Start
		}
	})
}

func TestPlacedWordsHaveTimesOfTheRecording(t *testing.T) {
	chunk := asr.Chunk{Segment: sound.Segment{Start: time.Second, End: 2 * time.Second}}
	got := chunk.Place(&asr.Recognition{Words: []asr.Word{{Text: "a", Start: 100 * ms, End: 300 * ms,
		Confidence: 0.5}}})
	want := []asr.Word{{Text: "a", Start: 1100 * ms, End: 1300 * ms, Confidence: 0.5}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestRecognitionSurvivesKeeping(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := &asr.Recognition{Warnings: rapid.SliceOfN(rapid.String(), 1, 3).Draw(t, "warnings")}
		for range rapid.IntRange(0, 5).Draw(t, "words") {
			r.Words = append(r.Words, asr.Word{
				Text:       rapid.String().Draw(t, "text"),
				Start:      time.Duration(rapid.Int64Range(0, 1e9).Draw(t, "start")) * time.Microsecond,
				End:        time.Duration(rapid.Int64Range(0, 1e9).Draw(t, "end")) * time.Microsecond,
				Confidence: rapid.Float64Range(0, 1).Draw(t, "confidence"),
			})
		}
		got, err := asr.Decode(asr.Encode(r))
		if err != nil || !reflect.DeepEqual(got, r) {
			t.Fatalf("got %+v, %v, want %+v", got, err, r)
		}
	})
}

func TestOtherBytesAreNoRecognition(t *testing.T) {
	for _, data := range []string{"", "{}", `{"format":99}`, `{"format":1,"words":3}`, "\x00"} {
		if _, err := asr.Decode([]byte(data)); err == nil {
			t.Errorf("%q was read", data)
		}
	}
}

func TestFingerprintChangesWithEverythingThatMatters(t *testing.T) {
	info := asr.Info{Engine: "e", Model: "m", Version: "1"}
	request := func() asr.Request {
		return asr.Request{PCM: &sound.PCM{Rate: 16000, Samples: []int16{1, 2}}, Language: "en-US"}
	}
	base := asr.Fingerprint(info, request())
	if again := asr.Fingerprint(info, request()); again != base {
		t.Error("the same request has two fingerprints")
	}
	seen := map[string]string{base: "the request itself"}
	for name, change := range map[string]func(*asr.Info, *asr.Request){
		"version":  func(i *asr.Info, _ *asr.Request) { i.Version = "2" },
		"engine":   func(i *asr.Info, _ *asr.Request) { i.Engine = "f" },
		"language": func(_ *asr.Info, r *asr.Request) { r.Language = "en-UK" },
		"source":   func(_ *asr.Info, r *asr.Request) { r.Source.Call = true },
		"audio":    func(_ *asr.Info, r *asr.Request) { r.PCM.Samples[1] = 3 },
		"rate":     func(_ *asr.Info, r *asr.Request) { r.PCM.Rate = 8000 },
		"vocabulary": func(_ *asr.Info, r *asr.Request) {
			r.Vocabulary = []vocabulary.Vocabulary{{Scripts: []string{"x"}}}
		},
	} {
		i, r := info, request()
		change(&i, &r)
		f := asr.Fingerprint(i, r)
		if other, taken := seen[f]; taken {
			t.Errorf("%s has the fingerprint of %s", name, other)
		}
		seen[f] = name
	}
}

func TestPoisonedKeepsItsCauseAndIsNotWorthRepeating(t *testing.T) {
	cause := errors.New("x")
	if err := error(&asr.Poisoned{Cause: cause}); !errors.Is(err, cause) || fault.Is(err, fault.Unavailable) {
		t.Errorf("error %v", err)
	}
}

func TestVoicesAreLearntFromTheFirstHalfMinuteOfEachChannelThatHasEnough(t *testing.T) {
	chunk := func(channel, from, to int) asr.Chunk {
		return asr.Chunk{Channel: channel,
			Segment: sound.Segment{Start: time.Duration(from) * time.Second, End: time.Duration(to) * time.Second}}
	}
	chunks := []asr.Chunk{chunk(0, 0, 14), chunk(1, 0, 9), chunk(0, 20, 35), chunk(2, 20, 30), chunk(0, 40, 50),
		chunk(2, 50, 55), chunk(0, 60, 75)}
	if got, want := asr.Openings(chunks), []int{0, 2, 3, 4, 5}; !reflect.DeepEqual(got, want) {
		t.Errorf("openings %v, want %v", got, want)
	}
	found := []*asr.Recognition{{Voice: []byte("a")}, nil, {}, {}, {Voice: []byte("b")}, nil, nil}
	if got, want := asr.Voices(chunks, found),
		map[int][][]byte{0: {[]byte("a"), []byte("b")}}; !reflect.DeepEqual(got, want) {
		t.Errorf("voices %v, want %v", got, want)
	}
}

func TestAnswersWithOtherVoicesHaveOtherFingerprints(t *testing.T) {
	info, plain := asr.Info{Engine: "e"}, asr.Request{PCM: &sound.PCM{Rate: 16000}}
	seen := map[string]bool{}
	learn, one, other := plain, plain, plain
	learn.Learn, one.Voices, other.Voices = true, [][]byte{{1}}, [][]byte{{2}}
	for _, q := range []asr.Request{plain, learn, one, other} {
		seen[asr.Fingerprint(info, q)] = true
	}
	if len(seen) != 4 {
		t.Errorf("%d fingerprints of 4 requests", len(seen))
	}
}
