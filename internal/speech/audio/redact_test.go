package audio

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"parley/internal/testkit/verify"
	"parley/internal/words/sound"
)

// noise returns ffmpeg input options for two channels of different noise.
func noise(length time.Duration) []string {
	d := fmt.Sprint(length.Seconds())
	return []string{"-f", "lavfi", "-i", "anoisesrc=r=8000:c=pink:a=0.5:seed=1:d=" + d, "-f", "lavfi", "-i",
		"anoisesrc=r=8000:c=pink:a=0.5:seed=2:d=" + d,
		"-filter_complex", "[0][1]amerge=inputs=2"}
}

// redacted redacts a recording and returns the decoded source, the redacted file, and its decoded content.
func redacted(
	t *testing.T, path string, beeps []sound.Beep, to *Format,
) (source *Decoded, written string, got *Decoded) {
	t.Helper()
	source, err := decode(t, Decoder{}, path)
	must(t, source, err)
	d := Decoder{Temp: t.TempDir()}
	out, contentType, err := d.Redact(t.Context(), path, ContentType(head(t, path), filepath.Base(path)), source, beeps,
		to)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	defer out.Close()
	if left, _ := os.ReadDir(d.Temp); len(left) > 0 {
		t.Errorf("left in the temporary folder: %v", left)
	}
	noChildren(t)
	body, err := io.ReadAll(out)
	if err != nil {
		t.Fatal(err)
	}
	if kind := ContentType(body, ""); kind != contentType {
		t.Errorf("%s became %s, said to be %s", path, kind, contentType)
	}
	written = filepath.Join(t.TempDir(), "redacted")
	if err := os.WriteFile(written, body, 0o600); err != nil {
		t.Fatal(err)
	}
	got, err = decode(t, Decoder{}, written)
	if must(t, got, err); len(got.Warnings) > 0 {
		t.Errorf("%s: %v", path, got.Warnings)
	}
	return source, written, got
}

func part(t *testing.T, d *Decoded, channel int, s sound.Segment) []int16 {
	t.Helper()
	p, err := d.Track(channel).Read(s)
	if err != nil {
		t.Fatal(err)
	}
	return p.Samples
}

// correlation returns the maximum correlation of two signals, 0..1, at any shift up to 5 ms.
func correlation(a, b []int16) float64 {
	greatest := 0.0
	for shift := -Rate / 200; shift <= Rate/200; shift++ {
		var ab, aa, bb float64
		for i := max(0, -shift); i < len(a) && i+shift < len(b); i++ {
			x, y := float64(a[i]), float64(b[i+shift])
			ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
		}
		if aa > 0 && bb > 0 {
			greatest = max(greatest, math.Abs(ab)/math.Sqrt(aa*bb))
		}
	}
	return greatest
}

func ms(from, to int) sound.Segment {
	return sound.Segment{Start: time.Duration(from) * time.Millisecond, End: time.Duration(to) * time.Millisecond}
}

var twoBeeps = []sound.Beep{{Segment: ms(500, 900), Frequency: 600, Gain: .3},
	{Segment: ms(1400, 1700), Frequency: 1000, Gain: .3}}

// recordings maps the names of test recordings to the ffmpeg arguments that create them.
var recordings = map[string]struct {
	args     []string
	lossless bool
}{
	"s16.wav":   {[]string{"-c:a", "pcm_s16le"}, true},
	"u8.wav":    {[]string{"-c:a", "pcm_u8"}, true},
	"s24.wav":   {[]string{"-c:a", "pcm_s24le"}, true},
	"s32.wav":   {[]string{"-c:a", "pcm_s32le"}, true},
	"f32.wav":   {[]string{"-c:a", "pcm_f32le"}, true},
	"mulaw.wav": {[]string{"-c:a", "pcm_mulaw"}, true},
	"alaw.wav":  {[]string{"-c:a", "pcm_alaw"}, true},
	"a.flac":    {[]string{"-c:a", "flac"}, true},
	"a.aiff":    {[]string{"-c:a", "pcm_s16be"}, true},
	"a.mp3":     {[]string{"-c:a", "libmp3lame", "-b:a", "128k"}, false},
	"a.ogg":     {[]string{"-c:a", "libvorbis", "-q:a", "6"}, false},
	"a.opus":    {[]string{"-c:a", "libopus", "-b:a", "96k"}, false},
	"a.m4a":     {[]string{"-c:a", "aac", "-b:a", "128k"}, false},
	"a.wma":     {[]string{"-c:a", "wmav2", "-b:a", "128k"}, false},
}

func TestNothingOfTheRecordingIsLeftInABeepAndAllOutside(t *testing.T) {
	verify.Long(t)
	for name, kind := range recordings {
		path := make16(t, name, append(noise(2*time.Second), kind.args...)...)
		source, _, got := redacted(t, path, twoBeeps, nil)
		if got.Channels != 2 || (got.Length-source.Length).Abs() > 60*time.Millisecond {
			t.Errorf("%s: %d channels, %v instead of %v", name, got.Channels, got.Length, source.Length)
			continue
		}
		for c := range 2 {
			for _, b := range twoBeeps {
				inside := sound.Segment{Start: b.Start + 5*time.Millisecond, End: b.End - 5*time.Millisecond}
				if r := correlation(part(t, source, c, inside), part(t, got, c, inside)); r > .15 {
					t.Errorf("%s: channel %d correlates by %.2f inside a beep", name, c, r)
				}
				steady, err := got.Track(c).Read(sound.Segment{Start: b.Start + 30*time.Millisecond,
					End: b.End - 30*time.Millisecond})
				if err != nil {
					t.Fatal(err)
				}
				if f, l := pitch(steady), rms(steady)/math.MaxInt16*math.Sqrt2; math.Abs(f-b.Frequency) > 15 ||
					math.Abs(l-b.Gain) > .03 {
					t.Errorf("%s: channel %d has %.0f Hz at %.2f, want %v at %v", name, c, f, l, b.Frequency, b.Gain)
				}
			}
			for _, outside := range []sound.Segment{ms(20, 490), ms(910, 1390), ms(1710, 1980)} {
				before, after := part(t, source, c, outside), part(t, got, c, outside)
				if kind.lossless && !slices.Equal(before, after) {
					t.Errorf("%s: channel %d is not what it was at %v", name, c, outside)
				}
				if r := correlation(before, after); r < .93 {
					t.Errorf("%s: channel %d correlates by %.2f outside", name, c, r)
				}
			}
		}
	}
}

// TestSamplesOutsideOfBeepsKeepEveryBit compares the bytes of WAV files, to the exact sample.
func TestSamplesOutsideOfBeepsKeepEveryBit(t *testing.T) {
	verify.Long(t)
	beep := sound.Beep{Segment: sound.Segment{Start: 500*time.Millisecond + 1, End: 900*time.Millisecond + 1},
		Frequency: 600, Gain: 1}
	for _, name := range []string{"s16.wav", "u8.wav", "s24.wav", "s32.wav", "f32.wav", "mulaw.wav", "alaw.wav"} {
		path := make16(t, name, append(noise(time.Second), recordings[name].args...)...)
		_, written, _ := redacted(t, path, []sound.Beep{beep}, nil)
		before, w := samplesOf(t, path)
		after, _ := samplesOf(t, written)
		frame := w.channels * w.coding.width
		from, to := 4000*frame, 7201*frame
		if len(before) != len(after) || !slices.Equal(before[:from], after[:from]) ||
			!slices.Equal(before[to:], after[to:]) {
			t.Errorf("%s: samples outside have changed", name)
		}
		if equal := unchanged(before[from:to], after[from:to], frame); equal > .2 {
			t.Errorf("%s: %.0f%% of the samples inside are as they were", name, 100*equal)
		}
	}
}

func unchanged(a, b []byte, frame int) float64 {
	n := 0
	for i := 0; i < len(a); i += frame {
		if slices.Equal(a[i:i+frame], b[i:i+frame]) {
			n++
		}
	}
	return float64(n*frame) / float64(len(a))
}

func samplesOf(t *testing.T, path string) ([]byte, wavFile) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	w, ok := parseWAV(f, info.Size())
	if !ok {
		t.Fatalf("%s is no WAV file", path)
	}
	b := make([]byte, w.length)
	if _, err := f.ReadAt(b, w.at); err != nil {
		t.Fatal(err)
	}
	return b, w
}

func TestRedactedRecordingsAreWrittenInTheFormatAskedFor(t *testing.T) {
	path := make16(t, "a.wav", append(noise(2*time.Second), "-c:a", "pcm_s16le")...)
	for _, to := range []Format{{"mp3", "mp3"}, {"ogg", "opus"}, {"flac", "flac"}, {"wav", "pcm"}} {
		source, _, got := redacted(t, path, twoBeeps, &to)
		if !to.Already(got) {
			t.Errorf("%v is %s in %s", to, got.Codec, got.Container)
		}
		inside := sound.Segment{Start: twoBeeps[0].Start, End: twoBeeps[0].End}
		if r := correlation(part(t, source, 0, inside), part(t, got, 0, inside)); r > .15 {
			t.Errorf("%v correlates by %.2f inside a beep", to, r)
		}
	}
}

func TestTagsAndForeignChunksDoNotOutliveRedaction(t *testing.T) {
	for name, args := range map[string][]string{"a.wav": {"-c:a", "pcm_s16le"}, "a.flac": {"-c:a", "flac"}} {
		path := make16(t, name, append(append(noise(time.Second), args...), "-metadata",
			"title=card 4111111111111111")...)
		if body, err := os.ReadFile(path); err != nil || !bytes.Contains(body, []byte("4111111111111111")) {
			t.Fatalf("%s has no title: %v", name, err)
		}
		_, written, _ := redacted(t, path, nil, nil)
		if body, err := os.ReadFile(written); err != nil || bytes.Contains(body, []byte("4111111111111111")) {
			t.Errorf("%s still has its title (%v)", name, err)
		}
	}
}

// TestG711IsWrittenAsItIsRead compares the codes with ffmpeg's decoding of them.
func TestG711IsWrittenAsItIsRead(t *testing.T) {
	for _, name := range []string{"mulaw.wav", "alaw.wav"} {
		path := make16(t, name, append(noise(time.Second), recordings[name].args...)...)
		beep := sound.Beep{Segment: ms(100, 900), Frequency: 440, Gain: .8}
		_, _, got := redacted(t, path, []sound.Beep{beep}, nil)
		p, err := got.Track(0).Read(ms(200, 800))
		if err != nil {
			t.Fatal(err)
		}
		var worst float64
		for i, x := range p.Samples {
			at := float64(i) + .1*Rate
			worst = max(worst, math.Abs(float64(x)-.8*math.MaxInt16*math.Sin(2*math.Pi*440*at/Rate)))
		}
		if worst > .05*math.MaxInt16 {
			t.Errorf("%s: a sample is off by %.0f", name, worst)
		}
	}
}

// BenchmarkRedactHour redacts ten stretches of an hour of two channels at 8 kHz.
func BenchmarkRedactHour(b *testing.B) {
	var beeps []sound.Beep
	for i := range 10 {
		at := time.Duration(i) * 6 * time.Minute
		beeps = append(beeps, sound.Beep{Segment: sound.Segment{Start: at, End: at + 8*time.Second}, Frequency: 440,
			Gain: .5})
	}
	for _, name := range []string{"s16.wav", "a.flac", "a.mp3"} {
		b.Run(name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), name)
			args := append(append([]string{"-nostdin", "-v", "error", "-y"}, noise(time.Hour)...),
				append(recordings[name].args, path)...)
			if out, err := exec.Command("ffmpeg", args...).CombinedOutput(); err != nil {
				b.Fatalf("%v: %s", err, out)
			}
			d := Decoder{Temp: b.TempDir()}
			source, err := d.Decode(b.Context(), path, "")
			if err != nil {
				b.Fatal(err)
			}
			defer source.Close()
			b.ReportAllocs()
			for b.Loop() {
				out, _, err := d.Redact(b.Context(), path, "", source, beeps, nil)
				if err != nil {
					b.Fatal(err)
				}
				out.Close()
			}
		})
	}
}
