package voice

import (
	"math"
	"math/rand/v2"
	"testing"

	"parley/internal/words/sound"
	"parley/internal/words/transcript"
)

// partial is a sine.
type partial struct{ hertz, amplitude float64 }

// tone returns a sum of sines at 16 kHz.
func tone(samples int, partials ...partial) *sound.PCM {
	pcm := &sound.PCM{Rate: 16000, Samples: make([]int16, samples)}
	for i := range pcm.Samples {
		sum := 0.0
		for _, p := range partials {
			sum += p.amplitude * math.Sin(2*math.Pi*p.hertz*float64(i)/16000+p.hertz)
		}
		pcm.Samples[i] = int16(math.Round(sum * math.MaxInt16))
	}
	return pcm
}

func noise(samples int, amplitude float64) *sound.PCM {
	random := rand.New(rand.NewPCG(1, 2))
	pcm := &sound.PCM{Rate: 16000, Samples: make([]int16, samples)}
	for i := range pcm.Samples {
		pcm.Samples[i] = int16(amplitude * random.NormFloat64() * math.MaxInt16)
	}
	return pcm
}

func measure(pcm *sound.PCM) *transcript.Voice { return NewMeter(16000, 16000).Measure(pcm) }

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

// TestFrequencyOfATone checks that the frequency is found to 1 Hz, also between bins, and that the peak has all of
// the energy.
func TestFrequencyOfATone(t *testing.T) {
	for _, hertz := range []float64{80, 100, 123.4, 220, 300.7, 440, 1000, 1234.5, 3999, 7000} {
		v := measure(tone(4800, partial{hertz, .3}))
		if got := v.Peaks[0]; !near(got.Frequency, hertz, 1) || got.Energy < .98 {
			t.Errorf("a tone of %v Hz is heard as %+v", hertz, got)
		}
	}
}

// TestPeaksOfASumOfTones checks that peaks are in order of amplitude, with proportional energies.
func TestPeaksOfASumOfTones(t *testing.T) {
	v := measure(tone(8000, partial{437.5, .4}, partial{1250, .1}, partial{2500, .2}))
	if len(v.Peaks) != 2 {
		t.Fatalf("peaks %+v, want the two highest", v.Peaks)
	}
	for i, want := range []transcript.Peak{{Frequency: 437.5, Energy: 1}, {Frequency: 2500, Energy: .5}} {
		if got := v.Peaks[i]; !near(got.Frequency, want.Frequency, 1) || !near(got.Energy, want.Energy, .02) {
			t.Errorf("peak %d is %+v, want %+v", i, got, want)
		}
	}
}

// TestVolumeOfAToneByHand: a sine of amplitude a on a bin has three bins of amplitude a, a/2, a/2 in each frame (from
// the Hann window), so that M = √a and A = √a (1 + 2/√2) over 508 bins, except for rounding.
func TestVolumeOfAToneByHand(t *testing.T) {
	const a = .25
	v := measure(tone(1024+256*10, partial{1000, a}))
	want := 100 * math.Sqrt(a) * math.Sqrt(a) * (1 + math.Sqrt2) / 508
	if got := v.Volume; got < want || got > want*1.25 { // rounding to 16 bits adds a little to the other bins
		t.Errorf("volume %.4f, want %.4f or a little more", got, want)
	}
}

// TestVolumeFollowsAmplitude: doubling the amplitude doubles the volume of tones, noise and both.
func TestVolumeFollowsAmplitude(t *testing.T) {
	for name, make := range map[string]func(float64) *sound.PCM{
		"tone":  func(a float64) *sound.PCM { return tone(4800, partial{200, a}, partial{1700, a / 3}) },
		"noise": func(a float64) *sound.PCM { return noise(4800, a/4) },
	} {
		quiet, loud := measure(make(.2)), measure(make(.4))
		if r := loud.Volume / quiet.Volume; !near(r, 2, .08) {
			t.Errorf("%s: twice the amplitude is %.3f times the volume, want 2", name, r)
		}
		if !near(quiet.Peaks[0].Frequency, loud.Peaks[0].Frequency, .5) {
			t.Errorf("%s: peaks move with the amplitude: %v and %v", name, quiet.Peaks, loud.Peaks)
		}
	}
}

// TestVolumeOfSteadySoundDoesNotDependOnLength: A is a mean and M a maximum.
func TestVolumeOfSteadySoundDoesNotDependOnLength(t *testing.T) {
	short, long := measure(tone(2048, partial{312.5, .3})), measure(tone(32000, partial{312.5, .3}))
	if r := long.Volume / short.Volume; !near(r, 1, .02) {
		t.Errorf("ten times the length is %.3f times the volume", r)
	}
}

// TestPeaksComeFromTheLoudFrames: a quiet beginning with another pitch is ignored.
func TestPeaksComeFromTheLoudFrames(t *testing.T) {
	pcm := &sound.PCM{Rate: 16000,
		Samples: append(tone(2000, partial{3000, .05}).Samples, tone(3000, partial{150, .3}).Samples...)}
	if got := measure(pcm).Peaks[0].Frequency; !near(got, 150, 3) {
		t.Errorf("dominant frequency %.1f, want that of the loud part, 150", got)
	}
}

// TestNothingIsFoundAboveTheSourcesHalfRate: residue of the resampling there is not speech.
func TestNothingIsFoundAboveTheSourcesHalfRate(t *testing.T) {
	pcm := tone(8000, partial{6000, .4}, partial{1000, .1})
	if got := NewMeter(16000, 8000).Measure(pcm).Peaks[0].Frequency; !near(got, 1000, 1) {
		t.Errorf("dominant frequency %.1f of telephone audio, want 1000", got)
	}
	for _, rate := range []int{8000, 11025, 16000, 44100} {
		for _, p := range NewMeter(16000, rate).Measure(noise(16000, .1)).Peaks {
			if p.Frequency > float64(min(rate, 16000))/2 || p.Frequency < lowest || p.Energy < 0 || p.Energy > 1 {
				t.Errorf("source rate %d: peak %+v", rate, p)
			}
		}
	}
}

// TestWordsOfAnyLengthAreMeasured: no samples, one sample, less than a frame, silence.
func TestWordsOfAnyLengthAreMeasured(t *testing.T) {
	for _, n := range []int{0, 1, 100, 1023, 1024, 1025, 5000} {
		if v := measure(&sound.PCM{Rate: 16000, Samples: make([]int16, n)}); v.Volume != 0 || v.Peaks != nil {
			t.Errorf("%d silent samples: %+v, want nothing", n, v)
		}
	}
	for _, n := range []int{1, 17, 100, 1023} {
		v := measure(noise(n, .3))
		if math.IsNaN(v.Volume) || math.IsInf(v.Volume, 0) || v.Volume < 0 {
			t.Errorf("%d samples: volume %v", n, v.Volume)
		}
	}
}

// BenchmarkMinute measures a minute of speech without pauses, in words of 300 ms. ns/op divided by 60 s is the share
// of a core.
func BenchmarkMinute(b *testing.B) {
	word := noise(4800, .1)
	m := NewMeter(16000, 16000)
	for b.Loop() {
		for range 200 {
			m.Measure(word)
		}
	}
}
