package audio

import (
	"bytes"
	"context"
	"io"
	"os"
	"slices"
	"testing"
	"time"
)

// FuzzPartsOfAnyFile looks for a part of files of the kinds in which Cut finds a time by itself, and for a part of
// damaged ones. What is found lies within the file, and is no longer than what was asked for.
func FuzzPartsOfAnyFile(f *testing.F) {
	for _, name := range []string{"a.flac", "cbr.mp3", "gsm.wav", "s16-8k.wav", "a.gsm"} {
		b, err := os.ReadFile(make16(f, name, slices.Concat(cutFiles[name].args, []string{"-t", "2"})...))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b, uint16(500), uint16(1500), "")
	}
	f.Add([]byte("#!AMR\n\x3c0123456789"), uint16(0), uint16(100), "audio/amr")
	f.Fuzz(func(t *testing.T, b []byte, from, length uint16, contentType string) {
		s := Stored{bytes.NewReader(b), int64(len(b)), contentType}
		start := time.Duration(from) * time.Millisecond
		end := start + time.Duration(length)*time.Millisecond
		c, err := cutFLAC(context.Background(), s, start, end)
		if err != nil {
			t.Errorf("a file in memory cannot be read: %v", err)
		}
		if c != nil && c.Frames > frameAt(end, Rate)-frameAt(start, Rate) {
			t.Errorf("%d frames of %v", c.Frames, end-start)
		}
		for _, narrow := range narrowers {
			e, err := narrow(s, start, end)
			if err != nil {
				t.Errorf("a file in memory cannot be read: %v", err)
			}
			if e == nil {
				continue
			}
			if n, err := io.Copy(io.Discard, io.MultiReader(e.parts...)); err != nil || n > int64(len(b))+4096 || e.size < 0 || e.start < -4096 { // decoders of MP3 leave out what they begin with
				t.Errorf("%d bytes of %d, size %d, from %v: %v", n, len(b), e.size, e.start, err)
			}
		}
	})
}
