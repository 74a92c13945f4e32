package api_test

import (
	"bytes"
	"encoding/json"
	"mime/multipart"
	"net/textproto"
	"slices"
	"strings"
	"testing"

	"parley/internal/testkit/servertest"
)

func TestMediaMayBeInPartMediaOrFileOrAnyFile(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	long := servertest.Tone(2, 1)
	for name, parts := range map[string][]servertest.Part{
		"file":                   {servertest.File("file", "a.wav", long)},
		"the only file":          {servertest.File("recording", "a.wav", long)},
		"media as a plain field": {servertest.Field("media", string(long))},
	} {
		item := s.Await(t, s.Submit(t, parts...))
		if item["length"] != 2000.0 {
			t.Errorf("%s: %v ms of media were taken", name, item["length"])
		}
	}
	if n := len(s.Recordings(t)); n != 3 {
		t.Errorf("%d files are kept of 3 recordings", n)
	}
}

func TestBoundaryMayBeMissingInContentType(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	body, _ := servertest.Form(t, servertest.Field("metadata", `{}`), recording)
	for _, kind := range []string{"multipart/form-data", "multipart/mixed", "multipart/form-data; charset=utf-8"} {
		ok(t, s.Do(t, "POST", "/v3/media", bytes.NewReader(body), "Content-Type", kind))
	}
	lf := bytes.ReplaceAll([]byte(
		"--b\r\nContent-Disposition: form-data; name=\"mediaUrl\"\r\n\r\nftp://x\r\n--b--\r\n"), []byte("\r\n"),
		[]byte("\n"))
	refused(t, s.Do(t, "POST", "/v3/media", bytes.NewReader(lf), "Content-Type", "multipart/form-data"), 400, 10204)
	refused(t, s.Do(t, "POST", "/v3/media", strings.NewReader("no boundary here\r\n"), "Content-Type",
		"multipart/form-data"), 400, 10001, "boundary")
	refused(t, s.Do(t, "POST", "/v3/media", strings.NewReader(""), "Content-Type", "multipart/form-data"), 400, 10001,
		"boundary")
}

func TestMultipartMixedAndOtherDispositionsAreTaken(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	for _, p := range []struct{ disposition, body string }{
		{`attachment; name="media"; filename="a.wav"`, string(recording.Body)},
		{`attachment; name="configuration"; filename="c.json"`, `{"priority":"high"}`},
	} {
		w, err := form.CreatePart(textproto.MIMEHeader{"Content-Disposition": {p.disposition}})
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(p.body))
	}
	form.Close()
	ok(t, s.Do(t, "POST", "/v3/media", &b, "Content-Type", "multipart/mixed; boundary="+form.Boundary()))
}

func TestDocumentsMayBeFilesOrFieldsOfAnyTypeInAnyOrder(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	configuration, metadata := `{"ingest":{"speakerName":"Ann"}}`, `{"externalId":"7"}`
	for _, kind := range []string{"", "application/json", "text/plain; charset=utf-8", "application/octet-stream"} {
		for _, file := range []string{"", "x.json"} {
			parts := []servertest.Part{
				{Name: "configuration", Filename: file, ContentType: kind, Body: []byte(configuration)}, recording,
				{Name: "metadata", Filename: file, ContentType: kind, Body: []byte(metadata)},
			}
			for range parts {
				parts = append(parts[1:], parts[0])
				a := ok(t, s.Post(t, parts...))
				if got := at(t, a.JSON(t), "metadata", "externalId"); got != "7" {
					t.Errorf("type %q, file %q: externalId %v", kind, file, got)
				}
			}
		}
	}
}

func TestNullAndEmptyListsMeanAbsent(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	configuration := `{"speechModel":{"language":null,"extensions":[],"features":[]},"additionalSpeechModels":[],"vocabularies":null,
		"prediction":{"classifiers":[],"detectors":null},"metrics":[],"spotting":{"groups":[]},"categories":[],"encryption":null,
		"ingest":{"stereo":null,"channels":[],"tracks":[]},"publish":{"callbacks":[]},"priority":null}`
	metadata := `{"externalId":null,"extended":null,"callDetails":{"agent":null,"callStartTime":null}}`
	item := s.Await(t, s.Submit(t, recording, servertest.Field("configuration", configuration),
		servertest.Field("metadata", metadata)))
	if item["status"] != "finished" || item["warnings"] != nil {
		t.Errorf("status %v, warnings %v", item["status"], item["warnings"])
	}
	for _, nothing := range []string{"", "null", " null ", "[]", "[ ]"} {
		item := s.Await(t, s.Submit(t, recording, servertest.Field("configuration", nothing),
			servertest.Field("metadata", nothing), servertest.Field("transcript", nothing)))
		if words := at(t, item, "transcript", "words").([]any); len(words) == 0 {
			t.Errorf("a transcript of %q replaced recognition", nothing)
		}
	}
}

func TestEnumerationsCompareWithoutCase(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	ok(t, s.Post(t, recording, servertest.Field("configuration",
		`{"priority":"HIGH","publish":{"callbacks":[{"url":"https://calls.example.com/x","method":"put","type":"Transcript","format":"JSON"}]},
		"metrics":[{"metricGroupName":"Overtalk"}]}`)))
	ok(t, s.Get(t, "/v3/media?sortOrder=ASC&status=Finished"))
	id := s.Submit(t, recording)
	s.Await(t, id)
	ok(t, s.Get(t, "/v3/media/"+id+"/transcript/SRT"))
	ok(t, s.Get(t, "/v3/media/"+id+"?includeAlternateFormat=WebVTT"))
	ok(t, s.Get(t, "/v3/media/"+strings.ToUpper(id)))
}

func TestLinksSentBackAreIgnored(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	first := s.Submit(t, recording, servertest.Field("metadata", `{"externalId":"7"}`))
	sent := ok(t, s.Get(t, "/v3/media/"+first+"/metadata")).Body
	second := s.Submit(t, recording, servertest.Field("metadata", string(sent)),
		servertest.Field("configuration", `{"_links":{"self":{"href":"/x"}}}`))
	back := ok(t, s.Get(t, "/v3/media/"+second+"/metadata")).JSON(t)
	if href := at(t, back, "_links", "self", "href"); href != "/v3/media/"+second+"/metadata" {
		t.Errorf("self is %v", href)
	}
}

func TestATranscriptHasItsWordsAtTheRootWhateverOfJSONIsAccepted(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, recording)
	s.Await(t, id)
	for _, path := range []string{"/transcript", "/transcripts/latest", "/transcript/json"} {
		for _, accept := range []string{"application/json", "application/json, text/plain, */*",
			"application/json;charset=utf-8", "*/*"} {
			got := ok(t, s.Get(t, "/v3/media/"+id+path+"?includeAlternateFormat=srt", "Accept", accept)).JSON(t)
			for _, name := range []string{"confidence", "words", "alternateFormats"} {
				if !equal(t, got[name], at(t, got, "transcript", name)) || got[name] == nil {
					t.Errorf("%s, Accept %s: %s at the root is %v", path, accept, name, got[name])
				}
			}
		}
	}
}

func TestAcceptingJSONAloneGivesTheLocationOfAStream(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, recording)
	s.Await(t, id)
	stream := ok(t, s.Get(t, "/v3/media/"+id+"/streams/original", "Accept", "application/json")).JSON(t)
	if stream["status"] != 200.0 || stream["streamName"] != "original" ||
		!strings.HasPrefix(stream["streamLocation"].(string), s.Base) {
		t.Errorf("stream %v", stream)
	}
}

func equal(t *testing.T, a, b any) bool {
	t.Helper()
	x, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Equal(x, y)
}

func TestLatestTranscriptIsAnAlias(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, recording)
	s.Await(t, id)
	alias := ok(t, s.Get(t, "/v3/media/"+id+"/transcripts/latest", "Accept", "text/plain"))
	text := ok(t, s.Get(t, "/v3/media/"+id+"/transcript/text"))
	if string(alias.Body) != string(text.Body) || !strings.HasPrefix(string(text.Body), "tick tick") ||
		alias.Header.Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Errorf("alias %q (%s), text %q", alias.Body, alias.Header.Get("Content-Type"), text.Body)
	}
}

func TestTrailingSlashesAndHEADWorkOnResources(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, recording)
	s.Await(t, id)
	// The item itself contains signed URLs, which change every second, so the slash is tested on the other resources.
	for _, path := range []string{"/v3", "/v3/media", "/v3/media/" + id + "/progress",
		"/v3/media/" + id + "/transcript", "/v3/media/" + id + "/metadata"} {
		got := ok(t, s.Get(t, path, "Accept-Encoding", "identity"))
		if slashed := ok(t, s.Get(t, path+"/")); string(slashed.Body) != string(got.Body) {
			t.Errorf("%s/ differs", path)
		}
		head := ok(t, s.Do(t, "HEAD", path, nil, "Accept-Encoding", "identity"))
		if len(head.Body) != 0 || head.Header.Get("Content-Length") != got.Header.Get("Content-Length") ||
			head.Header.Get("Content-Type") != got.Header.Get("Content-Type") {
			t.Errorf("HEAD %s: %v, GET %v", path, head.Header, got.Header)
		}
	}
}
