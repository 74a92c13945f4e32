package api_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"parley/internal/storage/store"
	"parley/internal/testkit/servertest"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// waveform is an answer of …/peaks.
type waveform struct {
	channels, perPixel, length, start int
	data                              []int8
}

// peaks reads a waveform in both formats, which must agree.
func peaks(t *testing.T, c *servertest.Client, id, query string) waveform {
	t.Helper()
	path := "/v3/media/" + id + "/peaks" + query
	j := ok(t, c.Get(t, path)).JSON(t)
	number := func(name string) int { return int(at(t, j, name).(float64)) }
	if number("version") != 2 || number("bits") != 8 || number("sample_rate") != 16000 {
		t.Fatalf("%v", j)
	}
	w := waveform{number("channels"), number("samples_per_pixel"), number("length"), number("start"), nil}
	for _, x := range at(t, j, "data").([]any) {
		w.data = append(w.data, int8(x.(float64)))
	}
	dat := ok(t, c.Get(t, path, "Accept", "application/octet-stream"))
	var header []int
	for i := range 6 {
		header = append(header, int(binary.LittleEndian.Uint32(dat.Body[4*i:])))
	}
	if want := []int{2, 1, 16000, w.perPixel, w.length, w.channels}; !equal(t, header, want) {
		t.Errorf("the header of the .dat file is %v, want %v", header, want)
	}
	body := make([]byte, len(w.data))
	for i, x := range w.data {
		body[i] = byte(x)
	}
	if !bytes.Equal(dat.Body[24:], body) || len(w.data) != 2*w.channels*w.length ||
		dat.Header.Get("Peaks-Start") != strconv.Itoa(w.start) {
		t.Errorf("%s: %d points in JSON, %d bytes in the .dat file, Peaks-Start %s", query, w.length, len(dat.Body)-24,
			dat.Header.Get("Peaks-Start"))
	}
	return w
}

// loud reports whether a channel of a waveform is not flat anywhere from one point to another.
func (w *waveform) loud(channel, from, to int) (least, most int) {
	least = 255
	for i := from; i < to; i++ {
		at := 2 * (i*w.channels + channel)
		height := int(w.data[at+1]) - int(w.data[at])
		least, most = min(least, height), max(most, height)
	}
	return least, most
}

func TestTheFinestWaveformThatFitsIsAnswered(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, servertest.File("media", "call.wav", servertest.Tone(12, 2)))
	s.Await(t, id)
	for query, want := range map[string][3]int{ // samples per point, points, start
		"": {160, 1200, 0}, "?points=1200": {160, 1200, 0}, "?points=1199": {1600, 120, 0}, "?points=100": {16000, 12, 0},
		"?points=5": {16000 * 3, 4, 0}, "?points=1": {16000 * 12, 1, 0}, "?from=1234&to=1299": {160, 7, 1230},
		"?from=3456&to=9000&points=100": {1600, 56, 3400}, "?from=11999&to=40000": {160, 1, 11990},
	} {
		w := peaks(t, s.Client, id, query)
		if got := [3]int{w.perPixel, w.length, w.start}; got != want || w.channels != 2 {
			t.Errorf("%s: %v and %d channels, want %v", query, got, w.channels, want)
		}
	}
	w := peaks(t, s.Client, id, "")
	for channel := range 2 { // half a second of noise as often as not
		if least, most := w.loud(channel, 0, w.length); least > 2 || most < 50 {
			t.Errorf("channel %d is between %d and %d high", channel, least, most)
		}
	}
	first := s.Get(t, "/v3/media/"+id+"/peaks?points=100")
	tag := ok(t, first).Header.Get("ETag")
	if a := s.Get(t, "/v3/media/"+id+"/peaks?points=100", "If-None-Match", tag); a.Status != http.StatusNotModified {
		t.Errorf("If-None-Match: %s", a)
	}
	ok(t, s.Get(t, "/v3/media/"+id+"/peaks?points=99", "If-None-Match", tag))
	ok(t, s.Get(t, "/v3/media/"+id+"/peaks?points=100", "If-None-Match", tag, "Accept", "application/octet-stream"))
}

func TestWaveformsAndPartsOfWrongRangesAreRefused(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, servertest.File("media", "call.wav", servertest.Tone(2, 1)))
	s.Await(t, id)
	for query, word := range map[string]string{
		"peaks?from=-1": "from", "peaks?from=x": "from", "peaks?to=0": "to=0", "peaks?from=5&to=5": "to=5", "peaks?points=0": "points",
		"peaks?points=10001": "10000", "peaks?from=2000": "2000", "peaks?until=1": "until", "clip": "s is missing",
		"clip?s=0": "e is missing", "clip?s=500&e=500": "e=500", "clip?s=0&e=60001": "60000", "clip?s=1000&e=2001": "2000",
		"clip?s=0&e=10&download=1": "download", "clip?s=a&e=10": "s=",
	} {
		refused(t, s.Get(t, "/v3/media/"+id+"/"+query), 400, 95002, word)
	}
}

func TestWaveformsOfItemsThatAreNotDoneOrHaveNoAudioSayWhy(t *testing.T) {
	t.Parallel()
	gate := servertest.NewGate()
	s := servertest.Start(t, servertest.Options{Recognizer: gate})
	running := s.Submit(t, recording)
	<-gate.Entered
	refused(t, s.Get(t, "/v3/media/"+running+"/peaks"), 404, 10301, running)
	refused(t, s.Get(t, "/v3/media/"+running+"/streams/playable"), 404, 10301, running)
	gate.Open()
	for _, body := range [][]byte{[]byte("no recording"), picture(t)} {
		id := s.Submit(t, servertest.File("media", "x.mp4", body))
		s.Await(t, id)
		for _, below := range []string{"peaks", "clip?s=0&e=10", "streams/playable"} {
			refused(t, s.Get(t, "/v3/media/"+id+"/"+below), 404, 10201)
		}
	}
}

// made runs ffmpeg to write a file of 20 seconds of noise.
func made(t *testing.T, name string, args ...string) servertest.Part {
	t.Helper()
	return servertest.File("media", name, ffmpeg(t, name, append([]string{"-f", "lavfi", "-i",
		"anoisesrc=r=16000:c=pink:a=0.6:seed=7:d=20"}, args...)...))
}

func picture(t *testing.T) []byte {
	return ffmpeg(t, "x.mp4", "-f", "lavfi", "-i", "color=red:s=16x16:d=1", "-c:v", "mpeg4")
}

func ffmpeg(t *testing.T, name string, args ...string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	out, err := exec.Command("ffmpeg", append(append([]string{"-nostdin", "-v", "error", "-y"}, args...), path)...).CombinedOutput()
	if err != nil {
		t.Fatalf("ffmpeg (apt-get install ffmpeg): %v: %s", err, out)
	}
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func listed(t *testing.T, c *servertest.Client, id string) (names []string) {
	t.Helper()
	for _, stream := range at(t, ok(t, c.Get(t, "/v3/media/"+id+"/streams")).JSON(t), "streams").([]any) {
		names = append(names, at(t, stream, "streamName").(string))
	}
	return names
}

func TestRecordingsThatBrowsersDoNotPlayWellHaveAPlayableStream(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	for name, c := range map[string]struct {
		args []string
		need bool
	}{
		"a.wav":        {[]string{"-ar", "8000"}, false},
		"mulaw.wav":    {[]string{"-ar", "8000", "-c:a", "pcm_mulaw"}, false},
		"adpcm.wav":    {[]string{"-ar", "8000", "-c:a", "adpcm_ms"}, true},
		"gsmwav.wav":   {[]string{"-ar", "8000", "-c:a", "libgsm_ms"}, true},
		"a.gsm":        {[]string{"-ar", "8000", "-c:a", "libgsm"}, true},
		"cbr.mp3":      {[]string{"-b:a", "64k", "-write_xing", "0"}, false},
		"tagged.mp3":   {[]string{"-b:a", "64k"}, true},
		"vbr.mp3":      {[]string{"-q:a", "4"}, true},
		"bare.mp3":     {[]string{"-q:a", "4", "-write_xing", "0"}, true},
		"opus.ogg":     {[]string{"-c:a", "libopus"}, false},
		"speexless.au": {nil, true},
		"a.flac":       {nil, false},
		"a.m4a":        {[]string{"-c:a", "aac"}, false},
	} {
		id := s.Submit(t, made(t, name, c.args...))
		if item := s.Await(t, id); item["status"] != "finished" {
			t.Fatalf("%s: %v", name, item)
		}
		path := "/v3/media/" + id + "/streams/playable"
		if want := map[bool]string{true: "original playable", false: "original"}[c.need]; strings.Join(listed(t, s.Client, id), " ") != want {
			t.Errorf("%s: streams %v, want %s", name, listed(t, s.Client, id), want)
		}
		if !c.need {
			refused(t, s.Get(t, path), 404, 10205, "as it is", "streams")
			continue
		}
		before := ok(t, s.Get(t, "/v3/media/"+id+"/clip?s=7000&e=8000")).Body
		all := ok(t, s.Get(t, path))
		if all.Header.Get("Content-Type") != "audio/flac" || string(all.Body[:4]) != "fLaC" {
			t.Errorf("%s: %v", name, all.Header)
		}
		part := s.Get(t, path, "Range", "bytes=4-99")
		if part.Status != http.StatusPartialContent || !bytes.Equal(part.Body, all.Body[4:100]) {
			t.Errorf("%s: %s", name, part)
		}
		where := at(t, ok(t, s.Get(t, path, "Accept", "application/json")).JSON(t), "streamLocation").(string)
		if signed := ok(t, s.With("").Get(t, strings.TrimPrefix(where, s.Base))); !bytes.Equal(signed.Body, all.Body) {
			t.Errorf("%s: the signed URL gives other bytes", name)
		}
		after := ok(t, s.Get(t, "/v3/media/"+id+"/clip?s=7000&e=8000")).Body
		if len(before) != len(after) || len(after) != 44+2*16000 {
			t.Errorf("%s: clips of %d and %d bytes", name, len(before), len(after))
		}
	}
}

func TestAPartHasTheTimesAndChannelsThatWereAskedFor(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	call := servertest.Tone(5, 2)
	id := s.Submit(t, servertest.File("media", "call.wav", call))
	s.Await(t, id)
	path := "/v3/media/" + id + "/clip?s=1500&e=3500"
	all := ok(t, s.Get(t, path))
	if len(all.Body) != 44+2*2*2*16000 || all.Header.Get("Content-Type") != "audio/wav" ||
		all.Header.Get("Content-Disposition") != `inline; filename=`+id+`-1500-3500.wav` {
		t.Errorf("%d bytes, %v", len(all.Body), all.Header)
	}
	for i := range 16000 { // every other sample is one of the recording
		if got, want := all.Body[44+8*i:44+8*i+4], call[44+4*(12000+i):][:4]; !bytes.Equal(got, want) {
			t.Fatalf("frame %d is %v, want %v", i, got, want)
		}
	}
	saved := ok(t, s.Get(t, path+"&download=true"))
	if !strings.HasPrefix(saved.Header.Get("Content-Disposition"), "attachment; ") {
		t.Error(saved.Header)
	}
	tag := all.Header.Get("ETag")
	if a := s.Get(t, path, "If-None-Match", tag); a.Status != http.StatusNotModified {
		t.Errorf("%s", a)
	}
	if a := s.Get(t, path, "Range", "bytes=40-59"); a.Status != http.StatusPartialContent || !bytes.Equal(a.Body, all.Body[40:60]) {
		t.Errorf("%s", a)
	}
	refused(t, s.Get(t, path, "Range", "bytes=99999999-"), 416, 95020)
	refused(t, s.Get(t, path, "If-Match", `"other"`), 412, 95014)
}

func TestWaveformsAreFlatWhereARecordingIsRedacted(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	once := s.Submit(t, append(callWithCard(t), configured(redactBoth))...)
	later := s.Submit(t, append(callWithCard(t), configured(noRedactor))...)
	s.Await(t, later)
	before := peaks(t, s.Client, later, "")
	ok(t, reprocess(t, s.Client, later, configured(redactBoth)))
	for i, id := range []string{once, later} {
		item := s.Await(t, id)
		segment := at(t, at(t, detector(t, item, 0)["detections"].([]any)[0], "detectedSegments").([]any)[0],
			"occurrences").([]any)[0]
		from, to := int(at(t, segment, "s").(float64))/10, int(at(t, segment, "e").(float64))/10
		for round := range 2 {
			w := peaks(t, s.Client, id, "")
			for channel := range 2 {
				if _, most := before.loud(channel, from, to); most < 50 {
					t.Fatalf("nothing was there to redact: %d", most)
				}
				if _, most := w.loud(channel, from, to); most != 0 {
					t.Errorf("item %d, round %d: channel %d is %d high in the beep", i, round, channel, most)
				}
				if _, most := w.loud(channel, 0, from-20); most < 50 {
					t.Errorf("item %d, round %d: channel %d is %d high before the beep", i, round, channel, most)
				}
			}
			unmake(t, s, id, media.Peaks) // and the same once more for an item of an earlier version
		}
	}
}

// unmake removes a derived stream of an item of the default account, as if it had never been made.
func unmake(t *testing.T, s *servertest.Server, id, name string) {
	t.Helper()
	blob := ""
	err := s.Server.Store.Update(t.Context(), func(tx *store.Tx) (err error) {
		blob, err = tx.DeleteStream(media.ID(id), name)
		return err
	})
	if err == nil && blob == "" {
		err = fmt.Errorf("there is none")
	}
	if err == nil {
		err = s.Server.Blobs.Delete(t.Context(), blob)
	}
	if err != nil {
		t.Fatalf("remove %s: %v", name, err)
	}
}

func TestItemsOfEarlierVersionsGetTheirWaveformWhenItIsAskedFor(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, made(t, "vbr.mp3", "-q:a", "4"))
	s.Await(t, id)
	want := peaks(t, s.Client, id, "?points=5000")
	unmake(t, s, id, media.Peaks)
	if got := listed(t, s.Client, id); len(got) != 1 {
		t.Errorf("streams %v", got)
	}
	if got := peaks(t, s.Client, id, "?points=5000"); !equal(t, got.data, want.data) {
		t.Error("the waveform differs from the one that was made at processing")
	}
	if got := strings.Join(listed(t, s.Client, id), " "); got != "original playable" {
		t.Errorf("streams %s", got)
	}
	keepsFiles(t, s, 1)
	if n := len(s.Blobs(t)); n != 2 {
		t.Errorf("%d files", n)
	}
}

// TestPlayersGetNothingThatMayNotBeHeard covers what is made from a recording that is redacted later, withheld, sealed
// or deleted.
func TestPlayersGetNothingThatMayNotBeHeard(t *testing.T) {
	t.Parallel()
	gate := servertest.NewGate()
	s := servertest.Start(t, servertest.Options{Recognizer: gate})
	below := []string{"peaks", "clip?s=0&e=100", "streams/playable"}
	withheld := s.Submit(t, recording, configured(
		`{"prediction":{"detectors":[{"detectorName":"PCI","redactor":{"transcript":{"replacement":"x"}}}]}}`))
	<-gate.Entered
	sealed := s.Seal(t, account.DefaultName, []byte("document"), []byte("stream"))
	for _, path := range below {
		refused(t, s.Get(t, "/v3/media/"+withheld+"/"+path), 404, 10205)
		refused(t, s.Get(t, "/v3/media/"+sealed+"/"+path), 404, 10205)
		refused(t, s.As(t, "other", account.MediaRead).Get(t, "/v3/media/"+withheld+"/"+path), 404, 10205)
		refused(t, s.As(t, "figures", account.Analytics).Get(t, "/v3/media/"+withheld+"/"+path), 403, 10006)
	}
	gate.Open()
	s.Await(t, withheld)
	for _, path := range below[:2] {
		ok(t, s.Get(t, "/v3/media/"+withheld+"/"+path))
	}
}

func TestWhatIsMadeForPlayersGoesWithTheRecording(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	call := callWithCard(t)
	call[0] = servertest.File("media", "call.au", ffmpeg(t, "call.au", "-f", "lavfi", "-i", "anoisesrc=r=8000:a=0.5:d=12", "-ac", "2"))
	id := s.Submit(t, append(call, configured(noRedactor))...)
	s.Await(t, id)
	path := "/v3/media/" + id
	clear := ok(t, s.Get(t, path+"/streams/playable"))
	where := at(t, ok(t, s.Get(t, path+"/streams/playable", "Accept", "application/json")).JSON(t), "streamLocation").(string)
	ok(t, reprocess(t, s.Client, id, configured(redactBoth)))
	s.Await(t, id)
	for name := range s.Kept(t) {
		if strings.HasSuffix(name, "/playable") {
			t.Errorf("%s is kept of a recording that was redacted", name)
		}
	}
	for _, again := range []servertest.Answer{s.Get(t, path+"/streams/playable"), s.With("").Get(t, strings.TrimPrefix(where, s.Base))} {
		if bytes.Equal(again.Body, clear.Body) {
			t.Error("the unredacted recording is still served")
		}
	}
	keepsFiles(t, s, 1)
	if a := s.Do(t, "DELETE", path, nil); a.Status != 204 {
		t.Fatal(a)
	}
	s.Idle(t)
	cleared(t, s)
}
