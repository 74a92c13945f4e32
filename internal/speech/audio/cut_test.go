package audio

import (
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"parley/internal/testkit/verify"
)

// stored opens a recording for Cut.
func stored(t testing.TB, path string) Stored {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	return Stored{f, info.Size(), ContentType(head16(t, f), filepath.Base(path))}
}

func head16(t testing.TB, f *os.File) []byte {
	b := make([]byte, HeadSize)
	n, err := f.ReadAt(b, 0)
	if err != nil && err != io.EOF {
		t.Fatal(err)
	}
	return b[:n]
}

// chirpy is a signal whose every stretch differs from every other.
func chirpy(length, channels string) []string {
	return []string{"-f", "lavfi", "-i", "anoisesrc=r=16000:c=pink:a=0.6:seed=7:d=" + length, "-ac", channels}
}

// cutFiles are recordings of the kinds that are kept, with the number of samples at 16 kHz by which a part may be off.
var cutFiles = map[string]struct {
	args []string
	off  int
}{
	"s16.wav":      {append(chirpy("40", "2"), "-ar", "16000"), 0},
	"s16-8k.wav":   {append(chirpy("40", "1"), "-ar", "8000"), 0},
	"mulaw.wav":    {append(chirpy("40", "2"), "-ar", "8000", "-c:a", "pcm_mulaw"), 0},
	"s16-44k.wav":  {append(chirpy("40", "1"), "-ar", "44100"), 1},
	"f32-48k.wav":  {append(chirpy("40", "2"), "-ar", "48000", "-c:a", "pcm_f32le"), 1},
	"three.wav":    {append(chirpy("40", "3"), "-ar", "16000"), 1},
	"gsm.wav":      {append(chirpy("40", "1"), "-ar", "8000", "-c:a", "libgsm_ms"), 8},
	"adpcm.wav":    {append(chirpy("40", "1"), "-ar", "8000", "-c:a", "adpcm_ms"), 8},
	"cbr.mp3":      {append(chirpy("40", "1"), "-b:a", "64k"), 1},
	"cbr44.mp3":    {append(chirpy("40", "2"), "-ar", "44100", "-b:a", "128k"), 1},
	"cbr8.mp3":     {append(chirpy("40", "1"), "-ar", "8000", "-b:a", "32k"), 1},
	"cbr-bare.mp3": {append(chirpy("40", "1"), "-b:a", "64k", "-write_xing", "0", "-id3v2_version", "0"), 1},
	"vbr.mp3":      {append(chirpy("40", "2"), "-q:a", "4"), 8},
	"vbr-bare.mp3": {append(chirpy("40", "2"), "-q:a", "4", "-write_xing", "0"), 8},
	"a.gsm":        {append(chirpy("40", "1"), "-ar", "8000", "-c:a", "libgsm"), 8},
	"opus.ogg":     {append(chirpy("40", "2"), "-c:a", "libopus"), 8},
	"vorbis.ogg":   {append(chirpy("40", "2"), "-c:a", "libvorbis"), 8},
	"a.flac":       {chirpy("40", "2"), 0},
	"a-8k.flac":    {append(chirpy("40", "1"), "-ar", "8000"), 1},
	"a-24.flac":    {append(chirpy("40", "2"), "-sample_fmt", "s32"), 8},
	"a-44k.flac":   {append(chirpy("40", "2"), "-ar", "44100"), 8},
	"a.m4a":        {append(chirpy("40", "2"), "-c:a", "aac"), 8},
	"a.webm":       {append(chirpy("40", "1"), "-c:a", "libopus"), 160},
}

// cutSamples returns the samples of the first channel of a part.
func cutSamples(t testing.TB, c *Cut) []int16 {
	t.Helper()
	all, err := io.ReadAll(c.WAV())
	if err != nil || int64(len(all)) != c.Size() {
		t.Fatalf("%d of %d bytes: %v", len(all), c.Size(), err)
	}
	var samples []int16
	for at := wavHeaderSize; at < len(all); at += 2 * c.Channels {
		samples = append(samples, int16(binary.LittleEndian.Uint16(all[at:])))
	}
	return samples
}

func TestAPartIsWhatTheWholeRecordingHasAtThisTime(t *testing.T) {
	verify.Long(t)
	for name, file := range cutFiles {
		t.Run(name, func(t *testing.T) {
			path := make16(t, name, file.args...)
			whole, err := decode(t, Decoder{}, path)
			must(t, whole, err)
			in := stored(t, path)
			for _, from := range []time.Duration{0, 730 * time.Millisecond, 17*time.Second + 123*time.Millisecond, 38 * time.Second} {
				d := Decoder{Temp: t.TempDir()}
				c, err := d.Cut(t.Context(), in, from, from+1500*time.Millisecond)
				if err != nil {
					t.Fatal(from, err)
				}
				got := cutSamples(t, c)
				if c.Close(); c.Channels != whole.Channels || len(got) < 24000-16 || len(got) > 24000 {
					t.Fatalf("%v: %d channels, %d samples", from, c.Channels, len(got))
				}
				want := wholeSamples(t, whole, from, len(got))
				if off, error := alignment(want, got, 400); off > file.off || off < -file.off || error > 0.1 {
					t.Errorf("from %v: off by %d samples, error %.3f", from, off, error)
				}
				if file.off == 0 && !equalInside(want[400:400+len(got)], got) {
					t.Errorf("from %v: samples differ", from)
				}
			}
		})
	}
}

// wholeSamples returns samples of the first channel, with 400 before and after.
func wholeSamples(t *testing.T, d *Decoded, from time.Duration, n int) []int16 {
	raw := make([]byte, (n+800)*2*d.Channels)
	first := (frameAt(from, Rate) - 400) * int64(2*d.Channels)
	pad := max(-first, 0)
	if _, err := d.file.ReadAt(raw[pad:], first+pad); err != nil && err != io.EOF {
		t.Fatal(err)
	}
	samples := make([]int16, n+800)
	for i := range samples {
		samples[i] = int16(binary.LittleEndian.Uint16(raw[i*2*d.Channels:]))
	}
	return samples
}

// alignment returns the shift at which got fits want best, whose middle it should be, and the relative error there.
func alignment(want, got []int16, most int) (off int, relative float64) {
	relative = 1e9
	for shift := -most; shift <= most; shift++ {
		var energy, error float64
		for i := 2000; i < len(got)-2000; i += 3 {
			x, y := float64(want[most+i+shift]), float64(got[i])
			energy, error = energy+x*x, error+(x-y)*(x-y)
		}
		if error/energy < relative {
			off, relative = shift, error/energy
		}
	}
	return off, relative
}

// equalInside compares all samples except those near the ends, which were resampled without neighbours.
func equalInside(a, b []int16) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
