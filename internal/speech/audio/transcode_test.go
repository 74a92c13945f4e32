package audio

import (
	"bytes"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"parley/internal/testkit/verify"
	"parley/internal/words/fault"
	"parley/internal/words/sound"
)

// transcode writes a recording in a format, and decodes the result.
func transcode(t *testing.T, path string, to Format) *Decoded {
	t.Helper()
	source, err := decode(t, Decoder{}, path)
	must(t, source, err)
	d := Decoder{Temp: t.TempDir()}
	out, err := d.Transcode(t.Context(), path, ContentType(head(t, path), filepath.Base(path)), source, to)
	if err != nil {
		t.Fatalf("%v: %v", to, err)
	}
	defer out.Close()
	if left, _ := os.ReadDir(d.Temp); len(left) > 0 {
		t.Errorf("left in the temporary folder: %v", left)
	}
	noChildren(t)
	written, err := io.ReadAll(out)
	if err != nil {
		t.Fatal(err)
	}
	if kind := ContentType(written, ""); kind != to.ContentType() {
		t.Errorf("%v is %s, want %s", to, kind, to.ContentType())
	}
	again := filepath.Join(t.TempDir(), "again")
	if err := os.WriteFile(again, written, 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := decode(t, Decoder{}, again)
	if must(t, got, err); !to.Already(got) || len(got.Warnings) > 0 {
		t.Errorf("%v is %s in %s, %v", to, got.Codec, got.Container, got.Warnings)
	}
	return got
}

func TestEveryFormatIsWrittenWithAllChannelsAndTheSameTimes(t *testing.T) {
	verify.Long(t)
	for to, e := range encodings {
		for _, channels := range []int{2, 3, 8} {
			if channels > e.channels {
				continue
			}
			got := transcode(t, wav(t, channels, 0), to)
			if got.Channels != channels || (got.Length-time.Second).Abs() > 60*time.Millisecond {
				t.Errorf("%v of %d channels: %d channels, %v", to, channels, got.Channels, got.Length)
				continue
			}
			for c := range channels {
				p, err := got.Track(c).Read(sound.Segment{Start: 300 * time.Millisecond, End: 700 * time.Millisecond})
				if err != nil {
					t.Fatal(err)
				}
				if want := float64(100 * (c + 1)); math.Abs(rms(p)-want) > 25 || math.Abs(pitch(p)-440) > 15 {
					t.Errorf("%v: channel %d of %d has level %.0f, want %.0f, and %.0f Hz", to, c, channels, rms(p),
						want, pitch(p))
				}
			}
		}
	}
}

func TestEveryRateCanBeTranscoded(t *testing.T) {
	verify.Long(t)
	for _, rate := range []string{"11025", "96000"} {
		path := make16(t, "a.wav", append(tones(1, time.Second), "-ar", rate)...)
		for to := range encodings {
			if got := transcode(t, path, to); (got.Length - time.Second).Abs() > 60*time.Millisecond {
				t.Errorf("%v at %s Hz: %v", to, rate, got.Length)
			}
		}
	}
}

func TestTimesStayWherePacketsAreMissing(t *testing.T) {
	path := make16(t, "a.webm", append(tones(1, 10*time.Second), "-af", "aselect='not(between(t,3,6))'")...)
	if got := transcode(t, path, Format{"mp3", "mp3"}); (got.Length - 10*time.Second).Abs() > 150*time.Millisecond {
		t.Errorf("10 s became %v", got.Length)
	}
}

func TestFormatsThatCannotBeWrittenAreUnsupported(t *testing.T) {
	path := wav(t, 3, 0)
	source, err := decode(t, Decoder{}, path)
	must(t, source, err)
	for _, to := range []Format{{"mp3", "mp3"}, {"mp3", "opus"}, {"wma", "wma"}, {}} {
		d := Decoder{Temp: t.TempDir()}
		if out, err := d.Transcode(t.Context(), path, "", source, to); !fault.Is(err, fault.Unsupported) {
			t.Errorf("%v: %v, %v", to, out, err)
		}
	}
}

func TestTagsOfARecordingAreNotHandedOn(t *testing.T) {
	path := make16(t, "a.mp3", append(tones(1, time.Second), "-metadata", "title=Jane Doe 4111")...)
	source, err := decode(t, Decoder{}, path)
	must(t, source, err)
	out, err := (&Decoder{Temp: t.TempDir()}).Transcode(t.Context(), path, "", source, Format{"flac", "flac"})
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	written, err := io.ReadAll(out)
	if err != nil || len(written) == 0 || bytes.Contains(written, []byte("Jane")) {
		t.Errorf("%d bytes, with the title of the source, %v", len(written), err)
	}
}

func TestEncodersThatAreMissingAreNamed(t *testing.T) {
	list := " A....D flac  FLAC\n A....D libvorbis  x\n A....D pcm_s16le  x\n A..... libopus  x\n A....D aac  x\n"
	if got := lackingEncoders(list); len(got) != 1 || got[0] != "encoder libmp3lame (to write mp3 files)" {
		t.Errorf("%q", got)
	}
}
