package api_test

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"parley/internal/testkit/servertest"
)

// asking returns a configuration for a stream in another format.
func asking(transcode string) servertest.Part {
	return servertest.Field("configuration", `{"publish":{"audioTranscode":`+transcode+`}}`)
}

func TestAudioTranscodeReplacesTheOriginal(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	for _, c := range []struct{ asked, kind, ending, begins string }{
		{`{"fileFormat":"mp3"}`, "audio/mpeg", ".mp3", ""},
		{`{"fileFormat":"ogg","codec":"opus"}`, "audio/ogg", ".ogg", "OggS"},
		{`{"fileFormat":"flac"}`, "audio/flac", ".flac", "fLaC"},
	} {
		id := s.Submit(t, recording, asking(c.asked))
		item := s.Await(t, id)
		if item["status"] != "finished" || item["mediaContentType"] != c.kind || item["length"] != 2000.0 ||
			item["warnings"] != nil {
			t.Errorf("%s: %v, %v, %v ms, %v", c.asked, item["status"], item["mediaContentType"], item["length"],
				item["warnings"])
		}
		if streams := at(t, item, "streams").([]any); len(streams) != 1 ||
			at(t, streams[0], "streamName") != "original" {
			t.Errorf("%s: streams %v", c.asked, streams)
		}
		a := ok(t, s.Get(t, "/v3/media/"+id+"/streams/original"))
		if a.Header.Get("Content-Type") != c.kind || !strings.Contains(a.Header.Get("Content-Disposition"), c.ending) ||
			!bytes.HasPrefix(a.Body, []byte(c.begins)) || bytes.Equal(a.Body, recording.Body) {
			t.Errorf("%s: %d bytes of %d, %v", c.asked, len(a.Body), len(recording.Body), a.Header)
		}
	}
	keepsFiles(t, s, 3)
}

// keepsFiles checks that an idle server has exactly the given number of recording files, and no temporary files.
func keepsFiles(t *testing.T, s *servertest.Server, recordings int) {
	t.Helper()
	s.Idle(t)
	if n := len(s.Recordings(t)); n != recordings {
		t.Errorf("%d files of recordings, want %d", n, recordings)
	}
	if files := s.Temporary(t); len(files) != 0 {
		t.Errorf("temporary files stay: %v", files)
	}
}

func TestRecordingsThatNeedNoTranscodingStayAsTheyCame(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	for _, c := range []struct {
		part    servertest.Part
		asked   string
		warning string
	}{
		{recording, `{"fileFormat":"wav"}`, ""},                       // already is WAV
		{recording, `{"fileFormat":"mp3","onlyIfRedacted":true}`, ""}, // nothing was redacted
		{servertest.File("media", "x.wav", channels(3)), `{"fileFormat":"mp3"}`, "3 channels"},
	} {
		item := s.Await(t, s.Submit(t, c.part, asking(c.asked)))
		if item["status"] != "finished" || item["mediaContentType"] != "audio/wav" {
			t.Errorf("%s: %v, %v", c.asked, item["status"], item["mediaContentType"])
		}
		if a := ok(t, s.Get(t, "/v3/media/"+item["mediaId"].(string)+"/streams/original")); !bytes.Equal(a.Body,
			c.part.Body) {
			t.Errorf("%s: the bytes are others", c.asked)
		}
		warnings, _ := item["warnings"].([]any)
		if said := len(warnings) > 0 &&
			strings.Contains(at(t, warnings[0], "message").(string), c.warning); said != (c.warning != "") {
			t.Errorf("%s: warnings %v", c.asked, warnings)
		}
	}
}

func TestFormatsThatDoNotExistAreRefusedAtUpload(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	for asked, words := range map[string][]string{
		`{"fileFormat":"wma"}`:                  {"/publish/audioTranscode/fileFormat", "wma", "mp3"},
		`{"fileFormat":"mp3","codec":"vorbis"}`: {"/publish/audioTranscode/codec", "vorbis", "mp3"},
		`{"codec":"opus"}`:                      {"/publish/audioTranscode/codec", "opus", "pcm"},
	} {
		refused(t, s.Post(t, recording, asking(asked)), 400, 10007, words...)
	}
}

func TestRecordingsThatAreProcessedAgainAreTranscodedToo(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, recording)
	s.Await(t, id)
	ok(t, reprocess(t, s.Client, id, asking(`{"fileFormat":"flac"}`)))
	s.Idle(t)
	if item := s.Await(t, id); item["status"] != "finished" || item["mediaContentType"] != "audio/flac" {
		t.Errorf("%v, %v", item["status"], item["mediaContentType"])
	}
	if n := len(s.Recordings(t)); n != 1 {
		t.Errorf("%d files", n)
	}
}

// channels returns a WAV file of a tenth of a second of noise with n channels.
func channels(n int) []byte {
	var b bytes.Buffer
	put := func(values ...any) {
		for _, v := range values {
			binary.Write(&b, binary.LittleEndian, v)
		}
	}
	size := 800 * 2 * n
	put([]byte("RIFF"), uint32(size+36), []byte("WAVEfmt "), uint32(16), uint16(1), uint16(n), uint32(8000),
		uint32(16000*n), uint16(2*n), uint16(16), []byte("data"), uint32(size))
	for i := range 800 * n {
		put(int16(i * 7919))
	}
	return b.Bytes()
}
