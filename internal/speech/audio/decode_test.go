package audio

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"parley/internal/testkit/verify"
	"parley/internal/words/fault"
	"parley/internal/words/sound"
)

// data returns the folder of the real recordings.
func data(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("PARLEY_DATA")
	if dir == "" {
		t.Skip("PARLEY_DATA is not set: it names the folder of real recordings that this test needs")
	}
	return dir
}

// decode decodes like the server, with the content type detected from the first bytes, and checks that no temporary
// file or child remains.
func decode(t *testing.T, d Decoder, path string) (*Decoded, error) {
	t.Helper()
	d.Temp = t.TempDir()
	got, err := d.Decode(t.Context(), path, ContentType(head(t, path), filepath.Base(path)))
	if left, _ := os.ReadDir(d.Temp); len(left) > 0 {
		t.Errorf("left in the temporary folder: %v", left)
	}
	noChildren(t)
	if err == nil {
		t.Cleanup(func() { got.Close() })
	}
	return got, err
}

// noChildren fails if this process has a child, running or not reaped.
func noChildren(t *testing.T) {
	t.Helper()
	tasks, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil || len(tasks) == 0 {
		t.Fatalf("the list of children: %v", err)
	}
	for _, task := range tasks {
		if pids, _ := os.ReadFile(task); len(bytes.TrimSpace(pids)) > 0 {
			t.Errorf("children are left: %s", pids)
		}
	}
}

func must(t *testing.T, d *Decoded, err error) *Decoded {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// make16 runs ffmpeg to write a file. args are inserted between its global options and the file name.
func make16(t testing.TB, name string, args ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	out, err := exec.Command("ffmpeg",
		append(append([]string{"-nostdin", "-v", "error", "-y"}, args...), path)...).CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) {
		t.Fatal("this test needs ffmpeg: apt-get install ffmpeg")
	}
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}

// tones returns ffmpeg input options for one tone per channel: 440 Hz, 880 Hz, 1320 Hz …
func tones(channels int, length time.Duration) []string {
	var waves []string
	for c := range channels {
		waves = append(waves, fmt.Sprintf("0.3*sin(%d*2*PI*t)", 440*(c+1)))
	}
	return []string{"-f", "lavfi", "-i",
		fmt.Sprintf("aevalsrc=%s:s=8000:d=%f", strings.Join(waves, "|"), length.Seconds())}
}

// pitch returns the frequency of a tone, from its zero crossings.
func pitch(p *sound.PCM) float64 {
	crossings := 0
	for i := 1; i < len(p.Samples); i++ {
		if p.Samples[i-1] < 0 && p.Samples[i] >= 0 {
			crossings++
		}
	}
	return float64(crossings) / p.Duration().Seconds()
}

func rms(p *sound.PCM) float64 {
	var sum float64
	for _, x := range p.Samples {
		sum += float64(x) * float64(x)
	}
	return math.Sqrt(sum / float64(len(p.Samples)))
}

func TestEveryFileDecodesOrFailsClearly(t *testing.T) {
	verify.Long(t)
	for _, dir := range []string{"audio", "bad_media"} {
		if err := filepath.WalkDir(filepath.Join(data(t), dir), func(path string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				t.Run(strings.TrimPrefix(path, data(t)), func(t *testing.T) { decodesOrFails(t, path) })
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
}

func decodesOrFails(t *testing.T, path string) {
	start := time.Now()
	d, err := decode(t, Decoder{}, path)
	if took := time.Since(start); took > time.Minute {
		t.Errorf("took %v", took)
	}
	switch {
	case err == nil:
		if err := allOf(d); err != nil {
			t.Error(err)
		}
		if text := strings.Contains(path, "/audio/") && ContentType(head(t, path), "") == Unknown; text {
			t.Error("this is no recording")
		}
	case !fault.Is(err, fault.Invalid):
		t.Errorf("no clear error: %v", err)
	case strings.Contains(err.Error(), "/") && strings.Contains(err.Error(), "fd"),
		strings.Contains(err.Error(), "0x55"):
		t.Errorf("the message shows what is ours: %v", err)
	case strings.Contains(path, "/audio/") && ContentType(head(t, path), "") != Unknown:
		t.Errorf("a good recording failed: %v", err)
	}
}

// allOf reads a recording to its end, which must be at Length.
func allOf(d *Decoded) error {
	var read time.Duration
	for s := range d.Blocks(10 * time.Second) {
		p, err := d.Track().Read(s)
		if err != nil {
			return err
		}
		read += p.Duration()
	}
	if gap := (d.Length - read).Abs(); gap > time.Millisecond {
		return fmt.Errorf("read %v of %v", read, d.Length)
	}
	return nil
}

func TestSameRecordingHasSameLengthInEveryContainer(t *testing.T) {
	paths, _ := filepath.Glob(filepath.Join(data(t), "audio/formats/p001.*"))
	if len(paths) < 7 {
		t.Fatalf("only %d files", len(paths))
	}
	for _, path := range paths {
		d, err := decode(t, Decoder{}, path)
		if must(t, d, err); (d.Length-9*time.Second).Abs() > 30*time.Millisecond || d.Channels != 2 ||
			d.SourceRate != 44100 {
			t.Errorf("%s: %v, %d channels at %d Hz", path, d.Length, d.Channels, d.SourceRate)
		}
	}
}

func TestOnlyTheSameSignalInAllChannelsIsDualMono(t *testing.T) {
	for name, want := range map[string]bool{
		"brooklyn_bridge.wav": true, "brooklyn_bridge.mp3": true, "jfk.flac": true, "brooklyn_bridge.flac": false,
		"support_stereo_10s.wav": false, "call_cable_sales_stereo.mp3": false, "call_auto_repairs_40.flac": false,
	} {
		d, err := decode(t, Decoder{}, filepath.Join(data(t), "audio", name))
		if must(t, d, err).DualMono != want {
			t.Errorf("%s: dual mono %v", name, d.DualMono)
		}
	}
}

func TestEveryCodecOfTelephonyDecodes(t *testing.T) {
	verify.Long(t)
	for name, args := range map[string][]string{
		"s16.wav": {"-c:a", "pcm_s16le"}, "u8.wav": {"-c:a", "pcm_u8"}, "mulaw.wav": {"-c:a", "pcm_mulaw"},
		"alaw.wav":  {"-c:a", "pcm_alaw"},
		"float.wav": {"-c:a", "pcm_f32le"}, "adpcm.wav": {"-c:a", "adpcm_ima_wav"}, "msgsm.wav": {"-c:a", "libgsm_ms"},
		"a.gsm": {"-c:a", "libgsm"},
		"a.au":  {"-c:a", "pcm_mulaw"}, "a.ul": {"-f", "mulaw"}, "a.al": {"-f", "alaw"}, "a.sln": {"-f", "s16le"},
		"a.g722": {"-ar", "16000"},
		"a.mp3":  nil, "a.m4a": nil, "a.mp4": nil, "a.aac": nil, "a.ogg": {"-c:a", "libvorbis"}, "a.opus": nil,
		"a.flac": nil, "a.webm": nil, "a.mkv": nil,
		"a.aiff": nil, "a.wma": nil, "a.caf": nil, "a.w64": nil, "a.ts": nil, "a.avi": nil, "a.mov": nil,
		"a.spx": {"-c:a", "libspeex"}, "a.wv": nil, "a.ac3": nil, "a.3gp": {"-c:a", "aac"},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := decode(t, Decoder{}, make16(t, name, append(tones(1, 2*time.Second), args...)...))
			must(t, d, err)
			if (d.Length-2*time.Second).Abs() > 200*time.Millisecond || d.Channels != 1 {
				t.Errorf("%v, %d channels", d.Length, d.Channels)
			}
			p, err := d.Track(0).Read(sound.Segment{Start: 500 * time.Millisecond, End: 1500 * time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			if hz := pitch(p); math.Abs(hz-440) > 15 {
				t.Errorf("a tone of 440 Hz came back at %.0f Hz", hz)
			}
			if len(d.Warnings) > 0 {
				t.Errorf("warnings: %v", d.Warnings)
			}
		})
	}
}

func TestEveryChannelIsItsOwnTrack(t *testing.T) {
	verify.Long(t)
	for _, channels := range []int{1, 2, 3, 4, 5, 6, 8, 9, 16, 32} {
		// layouts with loudspeaker positions; no channel may be mixed
		for _, mask := range []uint32{0, 1<<channels - 1, 1<<(channels+2) - 4} {
			checkChannels(t, channels, mask)
		}
	}
}

func checkChannels(t *testing.T, channels int, mask uint32) {
	t.Helper()
	d, err := decode(t, Decoder{}, wav(t, channels, mask))
	if must(t, d, err).Channels != channels {
		t.Fatalf("%d channels of %d", d.Channels, channels)
	}
	for c := range channels {
		p, err := d.Track(c).Read(sound.Segment{Start: 100 * time.Millisecond, End: 900 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		if want := float64(100 * (c + 1)); math.Abs(rms(p)-want) > 3 {
			t.Errorf("channel %d of %d (mask %x) has level %.0f, want %.0f", c, channels, mask, rms(p), want)
		}
	}
}

// wav writes a second of tones at 8 kHz, each channel louder than the previous one: RMS 100, 200, 300 …
func wav(t *testing.T, channels int, mask uint32) string {
	t.Helper()
	var b bytes.Buffer
	put := func(values ...any) {
		for _, v := range values {
			if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
				t.Fatal(err)
			}
		}
	}
	size := 8000 * 2 * channels
	put([]byte("RIFF"), uint32(size+60), []byte("WAVEfmt "), uint32(40), uint16(0xfffe), uint16(channels), uint32(8000),
		uint32(16000*channels), uint16(2*channels), uint16(16))
	put(uint16(22), uint16(16), mask, []byte("\x01\x00\x00\x00\x00\x00\x10\x00\x80\x00\x00\xaa\x00\x38\x9b\x71"),
		[]byte("data"), uint32(size))
	for i := range 8000 {
		for c := range channels {
			put(int16(math.Round(100 * float64(c+1) * math.Sqrt2 * math.Sin(2*math.Pi*440*float64(i)/8000))))
		}
	}
	path := filepath.Join(t.TempDir(), "a.wav")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestMixNeitherClipsNorCancels(t *testing.T) {
	loud := make16(t, "loud.wav", "-f", "lavfi", "-i", "aevalsrc=0.99*sin(440*2*PI*t)|0.99*sin(440*2*PI*t):s=16000:d=1")
	inverted := make16(t, "inverted.wav", "-f", "lavfi", "-i",
		"aevalsrc=0.5*sin(440*2*PI*t)|-0.5*sin(440*2*PI*t):s=16000:d=1")
	for path, want := range map[string]float64{loud: 0.99, inverted: 0.5} {
		d, err := decode(t, Decoder{}, path)
		p, err := must(t, d, err).Track().Read(sound.Segment{End: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		if got := rms(p) * math.Sqrt2 / 32768; math.Abs(got-want) > 0.02 {
			t.Errorf("%s: peak %.2f, want %.2f", filepath.Base(path), got, want)
		}
		if !d.DualMono {
			t.Errorf("%s is dual mono", filepath.Base(path))
		}
	}
}

func TestSegmentsAreCutToTheRecording(t *testing.T) {
	d, err := decode(t, Decoder{}, make16(t, "a.wav", tones(1, time.Second)...))
	must(t, d, err)
	for _, c := range []struct{ start, end, want time.Duration }{
		{0, time.Second, time.Second}, {900 * time.Millisecond, time.Hour, 100 * time.Millisecond},
		{-time.Hour, 50 * time.Millisecond, 50 * time.Millisecond},
		{2 * time.Second, 3 * time.Second, 0}, {500 * time.Millisecond, 100 * time.Millisecond, 0},
		{300 * time.Millisecond, 300 * time.Millisecond, 0},
	} {
		p, err := d.Track().Read(sound.Segment{Start: c.start, End: c.end})
		if err != nil || p.Duration() != c.want || p.Rate != Rate {
			t.Errorf("%v–%v: %v at %d, %v", c.start, c.end, p.Duration(), p.Rate, err)
		}
	}
	blocks := slices.Collect(d.Blocks(300 * time.Millisecond))
	if len(blocks) != 4 || blocks[0].Start != 0 || blocks[3].End != d.Length || blocks[1].Start != blocks[0].End {
		t.Errorf("blocks: %v", blocks)
	}
}

func TestRecordingWithoutSamplesIsEmpty(t *testing.T) {
	path := make16(t, "a.wav", append(tones(1, time.Second), "-t", "0")...)
	d, err := decode(t, Decoder{}, path)
	if must(t, d, err); d.Length != 0 || d.DualMono {
		t.Errorf("%v, %v", d.Length, d.DualMono)
	}
	if p, err := d.Track().Read(sound.Segment{End: time.Second}); err != nil || len(p.Samples) != 0 {
		t.Errorf("%v, %v", p, err)
	}
	for s := range d.Blocks(time.Second) {
		t.Errorf("block %v", s)
	}
}

func TestBrokenOffRecordingGivesWhatThereIs(t *testing.T) {
	for _, name := range []string{"a.flac", "a.mp3", "a.ogg", "a.mkv", "a.wav"} {
		whole := make16(t, name, tones(1, 20*time.Second)...)
		b, err := os.ReadFile(whole)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(whole, b[:len(b)/2], 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := decode(t, Decoder{}, whole)
		if must(t, d, err); d.Length < 5*time.Second || d.Length > 15*time.Second {
			t.Errorf("%s: %v", name, d.Length)
		}
		// an Ogg file has no length
		if name != "a.ogg" && (len(d.Warnings) == 0 || d.Warnings[0].Code != fault.CodeDecode) {
			t.Errorf("%s: warnings %v", name, d.Warnings)
		}
	}
}

func TestWordsKeepTheirTimeWherePacketsAreMissing(t *testing.T) {
	for _, name := range []string{"a.webm", "a.ogg", "a.mp4", "live.webm"} {
		args := append(tones(1, 10*time.Second), "-af", "aselect='not(between(t,3,6))'")
		if name == "live.webm" {
			args = append(args, "-live", "1") // no length in the header, as written by browsers
		}
		d, err := decode(t, Decoder{}, make16(t, name, args...))
		if must(t, d, err); (d.Length-10*time.Second).Abs() > 150*time.Millisecond || len(d.Warnings) > 0 {
			t.Errorf("%s: %v, %v", name, d.Length, d.Warnings)
		}
		for start, loud := range map[time.Duration]bool{1 * time.Second: true, 4 * time.Second: false,
			8 * time.Second: true} {
			p, err := d.Track().Read(sound.Segment{Start: start, End: start + time.Second})
			if err != nil || rms(p) > 1000 != loud {
				t.Errorf("%s at %v: level %.0f, %v", name, start, rms(p), err)
			}
		}
	}
}

func TestFilesJoinedTogetherAreHeardToTheEnd(t *testing.T) {
	for _, name := range []string{"a.webm", "a.mkv", "a.ogg", "a.opus", "a.mp3", "a.flac", "a.ts"} {
		path := make16(t, name, tones(1, 3*time.Second)...)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(b, b...), 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := decode(t, Decoder{}, path)
		if must(t, d, err); (d.Length - 6*time.Second).Abs() > 400*time.Millisecond {
			t.Errorf("%s: %v, %v", name, d.Length, d.Warnings)
		}
	}
}

func TestPipedWAVPromisesNothing(t *testing.T) {
	whole := make16(t, "a.wav", tones(1, 3*time.Second)...)
	b, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(b, []byte("data")) + 4
	for _, size := range []uint32{0xffffffff, 0x7fffffff, 0x7ffff000, 0x80000000, 0} {
		binary.LittleEndian.PutUint32(b[at:], size)
		if err := os.WriteFile(whole, b, 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := decode(t, Decoder{}, whole)
		if must(t, d, err); d.Length != 3*time.Second || len(d.Warnings) > 0 {
			t.Errorf("size %x: %v, %v", size, d.Length, d.Warnings)
		}
	}
}

func FuzzPromisedByWAV(f *testing.F) {
	f.Add([]byte("RIFF\x00\x00\x00\x00WAVEfmt " +
		"\x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x80\x3e\x00\x00\x02\x00\x10\x00data\x00\x00\x10\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if d := promisedByWAV(bytes.NewReader(b), int64(len(b))); d < 0 {
			t.Fatal(d)
		}
	})
}

func TestPicturesAreNoAudioAndNoHindrance(t *testing.T) {
	picture := make16(t, "a.png", "-f", "lavfi", "-i", "color=red:s=16x16:d=1", "-frames:v", "1")
	if _, err := decode(t, Decoder{}, picture); !fault.Is(err, fault.Invalid) {
		t.Errorf("a picture: %v", err)
	}
	silent := make16(t, "a.mp4", "-f", "lavfi", "-i", "color=red:s=16x16:d=1", "-c:v", "mpeg4")
	if _, err := decode(t, Decoder{}, silent); !fault.Is(err, fault.Invalid) ||
		!strings.Contains(err.Error(), "no audio") {
		t.Errorf("a silent film: %v", err)
	}
	cover := make16(t, "a.mp3", append(tones(2, time.Second), "-i", picture, "-map", "1", "-map", "0", "-c:v", "copy",
		"-id3v2_version", "3")...)
	d, err := decode(t, Decoder{}, cover)
	if must(t, d, err); (d.Length-time.Second).Abs() > 100*time.Millisecond || len(d.Warnings) > 0 {
		t.Errorf("with a cover: %v, %v", d.Length, d.Warnings)
	}
}

func TestFurtherAudioStreamsAreWarnedOf(t *testing.T) {
	path := make16(t, "a.mkv", append(append(tones(1, time.Second), tones(1, time.Second)...), "-map", "0", "-map",
		"1")...)
	d, err := decode(t, Decoder{}, path)
	if must(t, d, err); len(d.Warnings) != 1 || !strings.Contains(d.Warnings[0].Message, "2 audio streams") {
		t.Errorf("warnings %v", d.Warnings)
	}
}

// TestNoFileMakesFfmpegReadAnother tries playlists and references to another file, a real recording.
func TestNoFileMakesFfmpegReadAnother(t *testing.T) {
	other := make16(t, "secret.wav", tones(1, time.Second)...)
	for name, text := range map[string]string{
		"concat":   "ffconcat version 1.0\nfile '" + other + "'\n",
		"m3u":      "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n" + other + "\n#EXT-X-ENDLIST\n",
		"hls":      "#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:10.0,\nfile://" + other + "\n",
		"hls http": "#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:10.0,\nhttp://127.0.0.1:1/x\n",
		"sdp":      "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio 5004 RTP/AVP 0\n",
		"dash": "<?xml version=\"1.0\"?><MPD><Period><AdaptationSet><Representation><BaseURL>" + other +
			"</BaseURL></Representation></AdaptationSet></Period></MPD>",
		"imf": "<?xml version=\"1.0\"?><CompositionPlaylist " +
			"xmlns=\"http://www.smpte-ra.org/schemas/2067-3/2016\"></CompositionPlaylist>",
		"script": "[Script Info]\nScriptType: v4.00\n",
		"text":   strings.Repeat("hello world\n", 100),
		"binary": strings.Repeat("\x00\x01\x02\x03", 1000),
	} {
		for _, suffix := range []string{".wav", ".m3u8", ".txt"} {
			path := filepath.Join(t.TempDir(), "x"+suffix)
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if d, err := decode(t, Decoder{}, path); !fault.Is(err, fault.Invalid) ||
				strings.Contains(err.Error(), filepath.Dir(other)) {
				t.Errorf("%s as %s: %+v, %v", name, suffix, d, err)
			}
		}
	}
}

func TestLimitsOfARecording(t *testing.T) {
	path := make16(t, "a.flac", tones(4, 30*time.Second)...)
	for _, c := range []struct {
		limits Limits
		kind   fault.Kind
		code   int
	}{
		{Limits{Length: 29 * time.Second}, fault.TooLarge, fault.CodeTooLarge},
		{Limits{Samples: 1 << 20}, fault.TooLarge, fault.CodeTooLarge},
		{Limits{Channels: 3}, fault.Invalid, fault.CodeChannels},
	} {
		_, err := decode(t, Decoder{Limits: c.limits}, path)
		if !fault.Is(err, c.kind) || fault.ProblemsOf(err)[0].Code != c.code {
			t.Errorf("%+v: %v", c.limits, err)
		}
	}
	d, err := decode(t, Decoder{Limits: Limits{Length: 30 * time.Second, Samples: 4 * 30 * 32000, Channels: 4}}, path)
	must(t, d, err)
}

// script writes a program that replaces ffprobe or ffmpeg.
func script(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// endless is a shell script that writes forever without starting other programs.
const endless = "x=zzzzzzzz; x=$x$x$x$x$x$x$x$x; x=$x$x$x$x$x$x$x$x; x=$x$x$x$x$x$x$x$x; while :; do printf %s $x; done"

func TestProgramsThatMisbehaveAreEnded(t *testing.T) {
	path := make16(t, "a.flac", tones(1, time.Second)...)
	for name, c := range map[string]struct {
		ffmpeg string
		kind   fault.Kind
	}{
		"never ends":   {"while :; do :; done", fault.Invalid},
		"endless":      {endless, fault.TooLarge},
		"killed":       {"kill -KILL $$", fault.Internal},
		"only fails":   {"echo 'file:/dev/fd/3: boom' >&2; exit 1", fault.Invalid},
		"writes files": {"while echo x; do :; done >" + filepath.Join(t.TempDir(), "f"), fault.Invalid},
	} {
		d := Decoder{FFmpeg: script(t, c.ffmpeg), Limits: Limits{CPU: time.Second, Length: time.Minute}}
		if _, err := decode(t, d, path); !fault.Is(err, c.kind) {
			t.Errorf("%s: %v", name, err)
		}
	}
	d := Decoder{FFprobe: script(t, endless)}
	if _, err := decode(t, d, path); !fault.Is(err, fault.Invalid) {
		t.Errorf("an endless probe: %v", err)
	}
}

func TestMissingProgramsAreUnavailableWithARemedy(t *testing.T) {
	path := make16(t, "a.flac", tones(1, time.Second)...)
	for _, d := range []Decoder{{FFmpeg: "no-such-ffmpeg"}, {FFprobe: "/no/such/ffprobe"}} {
		_, err := decode(t, d, path)
		if !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), "apt-get install ffmpeg") {
			t.Errorf("decode: %v", err)
		}
		if _, err := d.Check(t.Context()); !fault.Is(err, fault.Unavailable) ||
			!strings.Contains(err.Error(), "apt-get install ffmpeg") {
			t.Errorf("check: %v", err)
		}
	}
	d := Decoder{Temp: "/no/such/folder"}
	if _, err := d.Decode(t.Context(), path, ""); !fault.Is(err, fault.Unavailable) {
		t.Errorf("no temporary folder: %v", err)
	}
}

func TestCheckFindsTheDecodersThatCallsNeed(t *testing.T) {
	h, err := new(Decoder).Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if h.Version == "unknown" || len(h.Missing) > 0 || h.Remedy != "" {
		t.Errorf("%+v", h)
	}
	poor := Decoder{FFmpeg: script(t, "echo 'ffmpeg version 9.9 x'; echo ' A....D flac  FLAC'"), FFprobe: script(t, "")}
	h, err = poor.Check(t.Context())
	if err != nil || h.Version != "9.9" || h.Remedy == "" || slices.Contains(h.Missing, "flac (FLAC)") ||
		!slices.Contains(h.Missing, "aac|libfdk_aac (M4A, MP4 and AAC)") {
		t.Errorf("%+v, %v", h, err)
	}
}

// TestEndedContextEndsTheDecoder cancels the context while a child runs that would never exit. The child signals its
// start by stopping itself.
func TestEndedContextEndsTheDecoder(t *testing.T) {
	path := make16(t, "a.flac", tones(1, time.Second)...)
	ctx, cancel := context.WithCancel(t.Context())
	changes := make(chan os.Signal, 16)
	signal.Notify(changes, syscall.SIGCHLD)
	defer signal.Stop(changes)
	go func() {
		defer cancel()
		for range changes {
			var info unix.Siginfo
			if err := unix.Waitid(unix.P_ALL, 0, &info, unix.WSTOPPED|unix.WNOWAIT|unix.WNOHANG, nil); err == nil &&
				info.Signo != 0 {
				return
			}
		}
	}()
	d := Decoder{FFmpeg: script(t, "kill -STOP $$"), Temp: t.TempDir()}
	if _, err := d.Decode(ctx, path, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	noChildren(t)
	if _, err := d.Decode(ctx, make16(t, "a.wav", tones(1, time.Second)...), ""); !errors.Is(err, context.Canceled) {
		t.Errorf("a plain WAV file: %v", err)
	}
}

func TestMessagesShowNothingOfOurs(t *testing.T) {
	for said, want := range map[string]string{
		"[mp3 @ 0x55d344c579c0] Header missing": "Header missing",
		"file:/dev/fd/3: Invalid data found when processing input": "Invalid data found when " +
			"processing input",
		"/srv/parley/media/x.wav: No such file":                                   "No such file",
		"    Last message repeated 1 times\nreal":                                 "real",
		"[concat @ 0x55fe370fa3c0] Format not on whitelist 'wav'\nInvalid":        "Invalid",
		"x is not implemented. Update your FFmpeg version to the newest one from": "x is not implemented.",
		"bad \x1b[31m\xff byte":                                                   "bad [31m byte",
		strings.Repeat("x", 300):                                                  strings.Repeat("x", 200) + "…",
	} {
		var m messages
		fmt.Fprintln(&m, said)
		if got := m.first(); got != want {
			t.Errorf("%q became %q, want %q", said, got, want)
		}
	}
	var m messages
	for range 1000 {
		fmt.Fprintln(&m, strings.Repeat("y", 100))
	}
	if len(m.text) != keptMessages || m.lines != 1000 {
		t.Errorf("kept %d bytes of %d lines", len(m.text), m.lines)
	}
}

func TestLongRecordingTakesLittleMemory(t *testing.T) {
	verify.Long(t)
	path := make16(t, "a.flac", tones(2, time.Hour)...)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	d, err := decode(t, Decoder{}, path)
	if err == nil {
		_, err = d.Track().Read(sound.Segment{Start: 59 * time.Minute, End: 60 * time.Minute})
	}
	runtime.ReadMemStats(&after)
	if must(t, d, err); (d.Length - time.Hour).Abs() > time.Millisecond {
		t.Errorf("%v", d.Length)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 8<<20 {
		t.Errorf("an hour and a minute's samples took %d kB", used>>10)
	}
}
