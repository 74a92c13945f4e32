package audio

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"testing"
)

// riff returns a WAV file with a chunk that describes the samples, another one, and then the samples.
func riff(tag, channels, rate, bits int, samples []byte) []byte {
	b := append([]byte("RIFF\x00\x00\x00\x00WAVEfmt "), 16, 0, 0, 0)
	for _, v := range []uint16{uint16(tag), uint16(channels)} {
		b = binary.LittleEndian.AppendUint16(b, v)
	}
	frame := channels * ((bits + 7) / 8)
	b = binary.LittleEndian.AppendUint32(b, uint32(rate))
	b = binary.LittleEndian.AppendUint32(b, uint32(rate*frame))
	b = binary.LittleEndian.AppendUint16(b, uint16(frame))
	b = binary.LittleEndian.AppendUint16(b, uint16(bits))
	b = append(b, "JUNK\x03\x00\x00\x00abc\x00"...)
	b = append(append(b, "data"...), binary.LittleEndian.AppendUint32(nil, uint32(len(samples)))...)
	b = append(b, samples...)
	binary.LittleEndian.PutUint32(b[4:], uint32(len(b)-8))
	return b
}

// signals returns samples of 16 bits for channels of n samples: noise, then a tone that is as loud as it can be.
func signals(channels, n int) (b []byte) {
	random := rand.New(rand.NewPCG(uint64(channels), uint64(n)))
	for i := range n {
		for c := range channels {
			x := math.Round(math.MaxInt16 * math.Sin(float64(i*(c+1))))
			if i < n/2 {
				x = float64(random.IntN(40_000) - 20_000)
			}
			b = binary.LittleEndian.AppendUint16(b, uint16(int16(x)))
		}
	}
	return b
}

// encodings of WAV files that are read without ffmpeg: the tag of the format and the bits of a sample.
var plainEncodings = map[string][2]int{"pcm_u8": {1, 8}, "pcm_s16le": {1, 16}, "pcm_mulaw": {7, 8}, "pcm_alaw": {6, 8}}

func TestPlainWAVFilesDecodeAsFFmpegDecodesThem(t *testing.T) {
	for codec, encoding := range plainEncodings {
		for _, rate := range []int{8000, 16000} {
			lengths := []int{leastPlain + 1, 2*plainBlock + 2}
			if codec == "pcm_s16le" {
				lengths = append(lengths, leastPlain, plainBlock+1, plainBlock+reach-1)
			}
			for _, n := range lengths {
				channels := 1 + n%2
				samples := signals(channels, n)
				if encoding[1] == 8 { // all values
					samples = samples[:len(samples)/2]
				}
				path := filepath.Join(t.TempDir(), codec+strconv.Itoa(n)+".wav")
				if err := os.WriteFile(path, riff(encoding[0], channels, rate, encoding[1], samples), 0o644); err != nil {
					t.Fatal(err)
				}
				ours, theirs := bothWays(t, path)
				if ours.Codec != codec || ours.Channels != channels || !reflect.DeepEqual(described(ours), described(theirs)) {
					t.Errorf("%s %d Hz: %+v, ffmpeg %+v", filepath.Base(path), rate, described(ours), described(theirs))
				}
				if at := firstDifference(t, ours, theirs); at >= 0 {
					t.Errorf("%s %d Hz, %d channels: byte %d of the samples differs", filepath.Base(path), rate, channels, at)
				}
			}
		}
	}
}

// bothWays decodes a file without and with ffmpeg.
func bothWays(t *testing.T, path string) (ours, theirs *Decoded) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := plainWAV(file, info.Size()); !ok {
		t.Fatalf("%s is left to ffmpeg", path)
	}
	none := Decoder{FFmpeg: "none", FFprobe: "none", Temp: t.TempDir()}
	ours, err = none.Decode(t.Context(), path, "audio/wav")
	must(t, ours, err)
	t.Cleanup(func() { ours.Close() })
	theirs, err = (&Decoder{Temp: t.TempDir()}).convert(t.Context(), file, info.Size(), "audio/wav")
	must(t, theirs, err)
	t.Cleanup(func() { theirs.Close() })
	return ours, theirs
}

// described is a recording without its samples.
func described(d *Decoded) Decoded {
	c := *d
	c.file, c.points = nil, nil
	return c
}

// firstDifference returns the position of the first byte that differs between the samples; -1: none.
func firstDifference(t *testing.T, a, b *Decoded) int {
	t.Helper()
	one, other := make([]byte, a.frames*int64(2*a.Channels)), make([]byte, b.frames*int64(2*b.Channels))
	if _, err := a.file.ReadAt(one, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := b.file.ReadAt(other, 0); err != nil {
		t.Fatal(err)
	}
	for i := range min(len(one), len(other)) {
		if one[i] != other[i] {
			return i
		}
	}
	if len(one) != len(other) {
		return min(len(one), len(other))
	}
	return -1
}

func TestUnusualWAVFilesAreLeftToFFmpeg(t *testing.T) {
	samples := signals(2, 1000)
	good := riff(1, 2, 8000, 16, samples)
	changed := func(at int, b ...byte) []byte {
		c := slices.Clone(good)
		copy(c[at:], b)
		return c
	}
	length := bytes.Index(good, []byte("data")) + 4
	for name, file := range map[string][]byte{
		"three channels": riff(1, 3, 8000, 16, samples[:3000]), "another rate": riff(1, 2, 11025, 16, samples),
		"24 bits": riff(1, 2, 8000, 24, samples[:3000]), "12 of 16 bits": riff(1, 2, 8000, 12, samples),
		"floating point": riff(3, 2, 8000, 32, samples), "extensible": riff(extensible, 2, 8000, 16, samples),
		"ADPCM": riff(17, 2, 8000, 4, samples), "a part of a frame": riff(1, 2, 8000, 16, samples[:3999]),
		"too short": riff(1, 2, 8000, 16, samples[:4*leastPlain-4]), "cut off": good[:len(good)-4],
		"two pieces":             append(slices.Clone(good), append([]byte("data\x04\x00\x00\x00"), 1, 2, 3, 4)...),
		"of unknown length":      changed(length, 0xff, 0xff, 0xff, 0xff),
		"written to a pipe":      changed(length, 0, 0, 0, 0),
		"padded frames":          changed(32, 8),
		"not RIFF":               changed(0, 'R', 'I', 'F', 'X'),
		"the samples come first": append([]byte("RIFF\x00\x00\x00\x00WAVEdata\x04\x00\x00\x00\x01\x02\x03\x04"), good[12:]...),
	} {
		if w, ok := plainWAV(bytes.NewReader(file), int64(len(file))); ok {
			t.Errorf("%s: taken for plain: %+v", name, w)
		}
	}
	if _, ok := plainWAV(bytes.NewReader(good), int64(len(good))); !ok {
		t.Error("the good file is not plain")
	}
}

func FuzzPlainWAV(f *testing.F) {
	for _, e := range plainEncodings {
		f.Add(riff(e[0], 2, 8000, e[1], signals(2, 100)))
	}
	d := Decoder{Temp: f.TempDir()}
	f.Fuzz(func(t *testing.T, file []byte) {
		w, ok := plainWAV(bytes.NewReader(file), int64(len(file)))
		if !ok {
			return
		}
		decoded, err := d.unpack(t.Context(), bytes.NewReader(file), w)
		if err != nil {
			t.Fatal(err)
		}
		defer decoded.Close()
		if want := w.frames() * int64(Rate/w.rate); decoded.frames != want {
			t.Errorf("%d samples, want %d", decoded.frames, want)
		}
	})
}

// BenchmarkDecode compares five seconds of telephone sound read here and by ffmpeg.
func BenchmarkDecode(b *testing.B) {
	path := filepath.Join(b.TempDir(), "a.wav")
	if err := os.WriteFile(path, riff(7, 1, 8000, 8, signals(1, 40_000)), 0o644); err != nil {
		b.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		b.Fatal(err)
	}
	d := Decoder{Temp: b.TempDir()}
	for name, decode := range map[string]func() (*Decoded, error){
		"plain":  func() (*Decoded, error) { return d.Decode(b.Context(), path, "audio/wav") },
		"ffmpeg": func() (*Decoded, error) { return d.convert(b.Context(), file, info.Size(), "audio/wav") },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				got, err := decode()
				if err != nil {
					b.Fatal(err)
				}
				got.Close()
			}
		})
	}
}
