package waveform_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"parley/internal/speech/waveform"
	"parley/internal/words/sound"
)

const rate = 16000

// noise returns frames of random samples.
func noise(channels, frames int) []byte {
	b := make([]byte, 2*channels*frames)
	rand.NewChaCha8([32]byte{3}).Read(b)
	return b
}

// collect gives samples to a Collector in pieces of random sizes, and returns the stored waveform.
func collect(t testing.TB, samples []byte, channels int, flat ...sound.Segment) []byte {
	t.Helper()
	var points bytes.Buffer
	c := waveform.NewCollector(&points, channels, rate)
	random := rand.New(rand.NewPCG(1, 2))
	for rest := samples; len(rest) > 0; {
		n := min(random.IntN(1000)*2*channels, len(rest))
		if err := c.Add(rest[:n]); err != nil {
			t.Fatal(err)
		}
		rest = rest[n:]
	}
	shape, err := c.Finish()
	if err != nil {
		t.Fatal(err)
	}
	stored, err := io.ReadAll(waveform.Encode(bytes.NewReader(points.Bytes()), shape, flat))
	if err != nil {
		t.Fatal(err)
	}
	return stored
}

// naive returns the points of a part of samples, each of so many frames.
func naive(samples []byte, channels, frames, first, n int) (points []int8) {
	for i := first; i < first+n; i++ {
		for c := range channels {
			low, high := 1<<15, -1<<15
			for f := i * frames; f < min((i+1)*frames, len(samples)/(2*channels)); f++ {
				x := int(int16(binary.LittleEndian.Uint16(samples[2*(f*channels+c):])))
				low, high = min(low, x), max(high, x)
			}
			points = append(points, int8(low/256), int8(high/256))
		}
	}
	return points
}

// ask returns what a stored waveform has for a window.
func ask(t testing.TB, stored []byte, from, to time.Duration, most int) waveform.Audiowaveform {
	t.Helper()
	shape, err := waveform.Parse(stored, int64(len(stored)))
	if err != nil {
		t.Fatal(err)
	}
	w := shape.Window(from, to, most)
	return w.Describe(w.Points(slices.Clone(stored[w.Offset : w.Offset+w.Bytes])))
}

func TestEveryWindowHasTheExtremesOfItsSamples(t *testing.T) {
	for _, channels := range []int{1, 2, 5} {
		for _, frames := range []int{0, 1, 159, 160, 161, 16001, 700_003} {
			samples := noise(channels, frames)
			stored := collect(t, samples, channels)
			length := time.Duration(frames) * time.Second / rate
			random := rand.New(rand.NewPCG(uint64(frames), uint64(channels)))
			for range 50 {
				from := time.Duration(random.Int64N(int64(length) + 1))
				to := from + 1 + time.Duration(random.Int64N(int64(length)+1))
				most := 1 + random.IntN(3000)
				a := ask(t, stored, from, to, most)
				first := int(a.Start) * (rate / 1000) / a.SamplesPerPixel
				if a.Length > most || a.Channels != channels || !slices.Equal(a.Data, naive(samples, channels, a.SamplesPerPixel, first, a.Length)) {
					t.Fatalf("%d channels, %d frames, %v to %v, at most %d: %d points of %d samples from %d", channels, frames,
						from, to, most, a.Length, a.SamplesPerPixel, a.Start)
				}
				if frames > 0 && from < length && a.Length == 0 || time.Duration(a.Start)*time.Millisecond > from {
					t.Fatalf("%v to %v of %v: %d points from %d", from, to, length, a.Length, a.Start)
				}
			}
		}
	}
}

func TestPointsThatTouchAFlatStretchAreFlatInEveryResolution(t *testing.T) {
	samples := noise(2, 10*rate)
	flat := []sound.Segment{{Start: 6 * time.Second, End: 6*time.Second + 15*time.Millisecond}, {Start: 2005 * time.Millisecond, End: 4 * time.Second},
		{Start: 3 * time.Second, End: 3500 * time.Millisecond}}
	stored := collect(t, samples, 2, flat...)
	silenced := slices.Clone(samples)
	for _, s := range []sound.Segment{{Start: 2 * time.Second, End: 4 * time.Second}, {Start: 6 * time.Second, End: 6*time.Second + 20*time.Millisecond}} {
		clear(silenced[s.Start.Milliseconds()*64 : s.End.Milliseconds()*64])
	}
	for most, frames := range map[int]int{1000: 160, 100: 1600, 10: 16000} {
		a := ask(t, stored, 0, 10*time.Second, most)
		if a.SamplesPerPixel != frames || !slices.Equal(a.Data, naive(silenced, 2, frames, 0, a.Length)) {
			t.Errorf("at most %d: %d samples per point", most, a.SamplesPerPixel)
		}
	}
}

func TestDamagedWaveformsAreRefused(t *testing.T) {
	stored := collect(t, noise(1, rate), 1)
	for at := range waveform.HeaderSize {
		damaged := slices.Clone(stored)
		damaged[at] ^= 0x40
		if s, err := waveform.Parse(damaged, int64(len(damaged))); err == nil && at/4 != 4 { // any rate is possible
			t.Errorf("byte %d: %+v", at, s)
		}
	}
	if _, err := waveform.Parse(stored, int64(len(stored))-1); err == nil {
		t.Error("a waveform that was cut off is taken")
	}
}

func FuzzParse(f *testing.F) {
	f.Add(collect(f, noise(1, 1000), 1), int64(100), 10)
	f.Fuzz(func(t *testing.T, stored []byte, to int64, most int) {
		s, err := waveform.Parse(stored, int64(len(stored)))
		if err != nil || most < 1 || to < 0 {
			return
		}
		w := s.Window(0, time.Duration(to), most)
		if w.Offset < waveform.HeaderSize || w.Offset+w.Bytes > int64(len(stored)) {
			t.Errorf("%+v of %d bytes", w, len(stored))
		}
	})
}

func ExampleShape_Window() {
	var points bytes.Buffer
	c := waveform.NewCollector(&points, 1, rate)
	c.Add(make([]byte, 2*3*rate)) // three seconds of silence
	shape, _ := c.Finish()
	w := shape.Window(500*time.Millisecond, 3*time.Second, 30)
	fmt.Println(w.Start, w.SamplesPerPoint(), w.Bytes/2)
	// Output: 500ms 1600 25
}

func BenchmarkCollect(b *testing.B) {
	second := noise(2, rate)
	c := waveform.NewCollector(io.Discard, 2, rate)
	b.SetBytes(int64(len(second)))
	for b.Loop() {
		c.Add(second)
	}
}
