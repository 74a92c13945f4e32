package telephone_test

import (
	"math"
	"testing"

	"parley/internal/lab/telephone"
	"parley/internal/words/sound"
)

// tone returns a second of a sine.
func tone(hertz, amplitude float64) *sound.PCM {
	pcm := &sound.PCM{Rate: 16000, Samples: make([]int16, 16000)}
	for i := range pcm.Samples {
		pcm.Samples[i] = int16(amplitude * math.Sin(2*math.Pi*hertz*float64(i)/16000))
	}
	return pcm
}

// level returns the root mean square without the edges.
func level(pcm *sound.PCM) float64 {
	sum := 0.0
	inner := pcm.Samples[len(pcm.Samples)/8 : len(pcm.Samples)*7/8]
	for _, s := range inner {
		sum += float64(s) * float64(s)
	}
	return math.Sqrt(sum / float64(len(inner)))
}

func TestOnlyTheTelephoneBandComesThrough(t *testing.T) {
	for hertz, want := range map[float64]float64{100: 0, 500: 1, 1000: 1, 3000: 1, 3800: 0, 5000: 0, 7000: 0} {
		in := tone(hertz, 8000)
		out := telephone.Usual().Simulate(in)
		if out.Rate != 8000 || len(out.Samples) != 8000 {
			t.Fatalf("%d samples at %d Hz", len(out.Samples), out.Rate)
		}
		if got := level(out) / level(in); math.Abs(got-want) > 0.02 {
			t.Errorf("%v Hz comes through by %.3f, want %v", hertz, got, want)
		}
	}
}

func TestSamplesAreThoseOfMuLaw(t *testing.T) {
	codes := map[int16]bool{}
	for _, amplitude := range []float64{20, 300, 3000, 32000} {
		out := telephone.Usual().Simulate(tone(1234, amplitude))
		for _, s := range out.Samples {
			codes[s] = true
		}
		if signal := level(out); amplitude >= 300 && math.Abs(signal-amplitude/math.Sqrt2) > 0.02*signal {
			t.Errorf("amplitude %v has level %.1f", amplitude, signal)
		}
	}
	if len(codes) > 256 {
		t.Errorf("%d different samples", len(codes))
	}
	if !codes[-32124] {
		t.Error("no sample is 32124, the greatest code") // of G.711's table
	}
}

func TestNothingStaysNothing(t *testing.T) {
	if out := telephone.Usual().Simulate(&sound.PCM{Rate: 16000}); len(out.Samples) != 0 {
		t.Errorf("%d samples", len(out.Samples))
	}
	if out := telephone.Usual().Simulate(&sound.PCM{Rate: 16000, Samples: make([]int16, 160)}); level(out) != 0 {
		t.Errorf("silence has level %v", level(out))
	}
}

func TestAfterTheLineItIsTheSameButForTheBand(t *testing.T) {
	in := tone(1000, 8000)
	out := telephone.Usual().Through(in)
	if out.Rate != 16000 || len(out.Samples) != len(in.Samples) {
		t.Fatalf("%d samples at %d Hz", len(out.Samples), out.Rate)
	}
	for i := 4000; i < 12000; i++ {
		if d := int(out.Samples[i]) - int(in.Samples[i]); d > 400 || d < -400 {
			t.Fatalf("sample %d is %d, was %d", i, out.Samples[i], in.Samples[i])
		}
	}
	if got := level(telephone.Usual().Through(tone(5000, 8000))); got > 50 {
		t.Errorf("5000 Hz come through with level %.0f", got)
	}
}
