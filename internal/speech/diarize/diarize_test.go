package diarize_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parley/internal/speech/diarize"
	"parley/internal/testkit/verify"
	"parley/internal/words/sound"
)

const rate = 16000

// voice synthesises a noisy hum: a pulse train through two resonances that vary as in vowels.
type voice struct {
	pitch, first, second float64 // Hz
}

var (
	low  = voice{110, 450, 1200}
	high = voice{210, 650, 1900}
)

// say appends speech of the given length.
func (v voice) say(pcm []int16, length time.Duration, random *rand.Rand) []int16 {
	var a1, a2, b1, b2 float64
	phase, wander := 0.0, 1.0
	for i := range int(length.Seconds() * rate) {
		if i%(rate/8) == 0 {
			wander = 0.85 + 0.3*random.Float64()
		}
		x := 0.05 * random.NormFloat64()
		if phase += v.pitch / rate; phase >= 1 {
			phase--
			x++
		}
		a1, a2 = resonate(x, v.first*wander, a1, a2), a1
		b1, b2 = resonate(x, v.second*wander, b1, b2), b1
		pcm = append(pcm, int16(600*(a1+b1)))
	}
	return pcm
}

func resonate(x, hertz, y1, y2 float64) float64 {
	const r = 0.97
	return x + 2*r*math.Cos(2*math.Pi*hertz/rate)*y1 - r*r*y2
}

// conversation returns speech of alternating voices with pauses between turns, and the turns.
func conversation(turns int, length time.Duration, voices ...voice) ([]int16, []diarize.Turn) {
	random := rand.New(rand.NewPCG(1, 2))
	var pcm []int16
	var said []diarize.Turn
	for i := range turns {
		start := sound.At(len(pcm), rate)
		pcm = voices[i%len(voices)].say(pcm, length, random)
		said = append(said, diarize.Turn{Speaker: i % len(voices),
			Segment: sound.Segment{Start: start, End: sound.At(len(pcm), rate)}})
		pcm = append(pcm, make([]int16, rate/2)...)
	}
	return pcm, said
}

func featuresOf(pcm []int16) *diarize.Features {
	f := diarize.NewFeatures(rate, rate)
	f.Add(pcm)
	return f
}

func segmentsOf(turns []diarize.Turn) []sound.Segment {
	var segments []sound.Segment
	for _, t := range turns {
		segments = append(segments, t.Segment)
	}
	return segments
}

func TestVoicesAreToldApart(t *testing.T) {
	pcm, said := conversation(16, 3*time.Second, low, high)
	found := diarize.Find(&diarize.Request{Features: featuresOf(pcm), Speech: segmentsOf(said)})
	if found.Speakers != 2 || !reflect.DeepEqual(found.Turns, said) {
		t.Errorf("%d speakers, %v, want %v", found.Speakers, found.Turns, said)
	}
}

func TestSpeakersWhoAnswerWithoutAPauseAreToldApart(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var pcm []int16
	for i := range 12 {
		pcm = []voice{low, high}[i%2].say(pcm, 4*time.Second, random)
	}
	speech := sound.Segment{End: sound.At(len(pcm), rate)}
	found := diarize.Find(&diarize.Request{Features: featuresOf(pcm), Speech: []sound.Segment{speech}})
	if len(found.Turns) != 12 {
		t.Fatalf("turns %v, want 12", found.Turns)
	}
	for i, turn := range found.Turns {
		if at := time.Duration(i) * 4 * time.Second; turn.Speaker != i%2 ||
			(turn.Start-at).Abs() > 200*time.Millisecond {
			t.Errorf("turn %d: %v, want speaker %d at %v", i, turn, i%2, at)
		}
	}
}

func TestOneVoiceIsOneSpeaker(t *testing.T) {
	pcm, said := conversation(16, 3*time.Second, low)
	if found := diarize.Find(&diarize.Request{Features: featuresOf(pcm),
		Speech: segmentsOf(said)}); found.Speakers != 1 {
		t.Errorf("%d speakers: %v", found.Speakers, found.Turns)
	}
}

func TestAskedNumberOfSpeakersIsNotExceeded(t *testing.T) {
	pcm, said := conversation(18, 3*time.Second, low, high, voice{150, 300, 2500})
	for speakers := 1; speakers <= 4; speakers++ {
		found := diarize.Find(&diarize.Request{Features: featuresOf(pcm), Speech: segmentsOf(said), Speakers: speakers})
		if found.Speakers > speakers || found.Speakers < min(speakers, 3) {
			t.Errorf("%d speakers of %d asked", found.Speakers, speakers)
		}
	}
	found := diarize.Find(&diarize.Request{Features: featuresOf(pcm), Speech: segmentsOf(said), Most: 5})
	if !reflect.DeepEqual(found.Turns, said) {
		t.Errorf("three speakers, at most five: %v, want %v", found.Turns, said)
	}
}

func TestFeaturesMayComeInPiecesOfAnySize(t *testing.T) {
	verify.Long(t)
	pcm, said := conversation(8, 2*time.Second, low, high)
	want := diarize.Find(&diarize.Request{Features: featuresOf(pcm), Speech: segmentsOf(said)})
	rapid.Check(t, func(t *rapid.T) {
		f := diarize.NewFeatures(rate, rate)
		for rest := pcm; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "piece")
			f.Add(rest[:n])
			rest = rest[n:]
		}
		if got := diarize.Find(&diarize.Request{Features: f, Speech: segmentsOf(said)}); !reflect.DeepEqual(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

// speechOf generates segments of any length, including segments beyond the audio.
func speechOf(t *rapid.T) []sound.Segment {
	var speech []sound.Segment
	at := time.Duration(0)
	for range rapid.IntRange(0, 12).Draw(t, "segments") {
		at += time.Duration(rapid.IntRange(0, 2000).Draw(t, "pause")) * time.Millisecond
		end := at + time.Duration(rapid.IntRange(1, 6000).Draw(t, "length"))*time.Millisecond
		speech = append(speech, sound.Segment{Start: at, End: end})
		at = end
	}
	return speech
}

func TestTurnsCoverExactlyTheSpeechAndDoNotOverlap(t *testing.T) {
	pcm, _ := conversation(8, 3*time.Second, low, high)
	f := featuresOf(pcm)
	rapid.Check(t, func(t *rapid.T) {
		r := &diarize.Request{
			Features: f, Speech: speechOf(t),
			Speakers: rapid.IntRange(0, 4).Draw(t, "speakers"), Most: rapid.IntRange(0, 4).Draw(t, "most"),
		}
		found := diarize.Find(r)
		if again := diarize.Find(r); !reflect.DeepEqual(found, again) {
			t.Fatalf("%v, then %v", found, again)
		}
		check(t, found, r.Speech)
	})
}

func check(t *rapid.T, found *diarize.Result, speech []sound.Segment) {
	next := 0
	seen := 0
	for _, s := range speech {
		at := s.Start
		for ; at < s.End; next++ {
			if next == len(found.Turns) || found.Turns[next].Start != at || found.Turns[next].End <= at {
				t.Fatalf("no turn at %v of %v in %v", at, s, found.Turns)
			}
			at = found.Turns[next].End
			seen = max(seen, found.Turns[next].Speaker+1)
		}
		if at != s.End {
			t.Fatalf("a turn ends at %v, not with the speech at %v", at, s.End)
		}
	}
	if next != len(found.Turns) || seen != found.Speakers {
		t.Fatalf("turns %v for speech %v, %d speakers", found.Turns, speech, found.Speakers)
	}
}

func TestAudioWithoutContentIsOneSpeaker(t *testing.T) {
	for name, pcm := range map[string][]int16{
		"nothing": nil, "one sample": {1}, "one frame": make([]int16, 512), "silence": make([]int16, 20*rate),
	} {
		speech := []sound.Segment{{Start: 0, End: 5 * time.Second}, {Start: 6 * time.Second, End: 20 * time.Second}}
		found := diarize.Find(&diarize.Request{Features: featuresOf(pcm), Speech: speech})
		if found.Speakers != 1 || !reflect.DeepEqual(segmentsOf(found.Turns), speech) {
			t.Errorf("%s: %+v", name, found)
		}
	}
	if found := diarize.Find(&diarize.Request{Features: featuresOf(nil)}); found.Speakers != 0 || found.Turns != nil {
		t.Errorf("without speech: %+v", found)
	}
}

func FuzzAnySoundIsSafe(f *testing.F) {
	f.Add([]byte{}, byte(0))
	f.Add([]byte{0, 128, 255, 127, 1}, byte(2))
	f.Fuzz(func(t *testing.T, data []byte, speakers byte) {
		random := rand.New(rand.NewPCG(uint64(len(data)), 1))
		var pcm []int16
		for _, b := range data[:min(len(data), 40)] { // each byte becomes a tenth of a second
			for range rate / 10 {
				pcm = append(pcm, int16(int(b)<<8-1<<15)/int16(1+random.IntN(int(b)+1)))
			}
		}
		speech := []sound.Segment{{End: max(sound.At(len(pcm), rate), 1)}}
		found := diarize.Find(&diarize.Request{Features: featuresOf(pcm), Speech: speech, Speakers: int(speakers % 8)})
		if last := found.Turns[len(found.Turns)-1]; last.End != speech[0].End {
			t.Errorf("turns end at %v of %v", last.End, speech[0].End)
		}
	})
}

func BenchmarkCallOfTenMinutes(b *testing.B) {
	pcm, said := conversation(170, 3*time.Second, low, high)
	for b.Loop() {
		diarize.Find(&diarize.Request{Features: featuresOf(pcm), Speech: segmentsOf(said)})
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/sound.At(len(pcm), rate).Seconds(), "time/length")
}
