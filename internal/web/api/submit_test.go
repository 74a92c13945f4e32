package api_test

import (
	"bytes"
	"encoding/base64"
	"io"
	"mime/multipart"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"parley/internal/operation/config"
	"parley/internal/testkit/servertest"
)

func TestSubmissionIsAnsweredWithWhatIsKnownBeforeProcessing(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	a := ok(t, s.Post(t, servertest.Field("metadata", `{"externalId":"x-1","extended":{"n":1.50}}`), recording))
	body := a.JSON(t)
	if body["status"] != "accepted" || body["mediaContentType"] != "audio/wav" {
		t.Errorf("%s", a.Body)
	}
	id := body["mediaId"].(string)
	if !regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(id) {
		t.Errorf("mediaId %s is no UUIDv7", id)
	}
	if !regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`).MatchString(body["dateCreated"].(string)) {
		t.Errorf("dateCreated %v", body["dateCreated"])
	}
	if href := at(t, body, "_links", "self", "href"); href != "/v3/media/"+id {
		t.Errorf("self is %v", href)
	}
	if !bytes.Contains(a.Body, []byte(`"metadata":{"externalId":"x-1","extended":{"n":1.50}}`)) {
		t.Errorf("metadata are not as given\n%s", a.Body)
	}
	if created := at(t, ok(t, s.Get(t, "/v3/media/"+id)).JSON(t), "dateCreated"); created != body["dateCreated"] {
		t.Errorf("dateCreated was %v and is %v", body["dateCreated"], created)
	}
}

func TestContentTypeIsToldByTheBytesNotByTheName(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	part := servertest.File("media", "call.mp3", recording.Body)
	part.ContentType = "audio/mpeg"
	if kind := ok(t, s.Post(t, part)).JSON(t)["mediaContentType"]; kind != "audio/wav" {
		t.Errorf("mediaContentType %v", kind)
	}
}

func TestExactlyOneOfMediaAndMediaURL(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	address := servertest.Field("mediaUrl", "https://calls.example.com/call.wav")
	refused(t, s.Post(t, servertest.Field("metadata", `{}`)), 400, 10202, "media", "mediaUrl")
	refused(t, s.Post(t, recording, address), 400, 10202, "both")
	refused(t, s.Post(t), 400, 10202)
	if n := len(s.Blobs(t)); n != 0 {
		t.Errorf("%d files stay of refused submissions", n)
	}
}

func TestEmptyMediaAreRefused(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	refused(t, s.Post(t, servertest.File("media", "call.wav", nil)), 400, 10201, "media", "empty")
	if n := len(s.Blobs(t)); n != 0 {
		t.Errorf("%d files stay", n)
	}
}

func TestAllProblemsAreToldAtOnce(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	a := s.Post(t,
		servertest.Field("configuration",
			`{"priority":"urgent","speechModel":{"langauge":"en-US"},"publish":{"callbacks":[{"method":"POST"}]}}`),
		servertest.Field("metadata", `{"externalId":"","callDetails":{"callStartTime":"yesterday"}}`),
		servertest.File("media", "call.wav", nil))
	got := codes(a.JSON(t)["errors"])
	for _, want := range []int{10009, 10008, 60001, 10108, 10107, 10201} {
		if !slices.Contains(got, want) {
			t.Errorf("no problem %d among %v\n%s", want, got, a.Body)
		}
	}
	if a.Status != 400 || len(s.Blobs(t)) != 0 {
		t.Errorf("HTTP %d, %d files", a.Status, len(s.Blobs(t)))
	}
}

func TestProblemsNameFieldValueAndRemedy(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	for _, c := range []struct {
		part  servertest.Part
		code  int
		words []string
	}{
		{servertest.Field("configuration", `{"priority":"urgent"}`), 10009, []string{"/priority", "urgent", "high"}},
		{servertest.Field("configuration", `{"speechModel":{"langauge":"en-US"}}`), 10008,
			[]string{"/speechModel/langauge", "language"}},
		{servertest.Field("configuration", `{"priority":"low","priority":"high"}`), 10010, []string{"priority"}},
		{servertest.Field("configuration", `{"priority":`), 10007, nil},
		{servertest.Field("configuration", `{"speechModel":{"language":"tlh"}}`), 10401, []string{"tlh"}},
		{servertest.Field("metadata", `{"a":1,"a":2}`), 10110, []string{"a"}},
		{servertest.Field("metadata", `{"externalId":"`+strings.Repeat("x", 513)+`"}`), 10109,
			[]string{"externalId", "512"}},
		{servertest.Field("metadata", `not json`), 10107, []string{"metadata"}},
		{servertest.Field("nonsense", `x`), 10001, []string{"nonsense", "configuration"}},
	} {
		refused(t, s.Post(t, c.part, recording), 400, c.code, c.words...)
	}
	if n := len(s.Blobs(t)); n != 0 {
		t.Errorf("%d files stay", n)
	}
}

func TestSectionsThatAreBuiltGiveNoWarnings(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, recording, servertest.Field("configuration",
		`{"publish":{"enableAnalyticIndexing":true},"conversation":{"verbNounPairsEnabled":true}}`))
	if item := s.Await(t, id); item["status"] != "finished" || item["warnings"] != nil {
		t.Errorf("%v with warnings %v", item["status"], item["warnings"])
	}
}

func TestCompressedBodiesAre415AndOtherEncodingsMeanNothing(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	refused(t, s.Do(t, "POST", "/v3/media", strings.NewReader("x"), "Content-Type", "multipart/form-data; boundary=b",
		"Content-Encoding", "gzip"), 415, 95011, `"gzip"`, "uncompressed")
	const group, body = "/v3/definition/spotting/groups/g", `{"keywords":["a"]}`
	refused(t, s.Do(t, "PUT", group, strings.NewReader(body), "Content-Encoding", "identity, BR"), 415, 95011, `"br"`)
	ok(t, s.Do(t, "PUT", group, strings.NewReader(body), "Content-Encoding", "UTF-8"))
}

func TestOtherContentTypesAre415(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	for _, kind := range []string{"", "audio/wav", "application/json", "multipart", ";;"} {
		refused(t, s.Do(t, "POST", "/v3/media", strings.NewReader("x"), "Content-Type", kind), 415, 95011,
			"multipart/form-data")
	}
}

func TestBrokenBodiesAreRefused(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	whole, contentType := servertest.Form(t, servertest.Field("metadata", `{}`), recording)
	for name, body := range map[string][]byte{
		"empty": nil, "no multipart": []byte("hello"), "cut in the media": whole[:len(whole)/2],
		"cut before the last boundary": whole[:len(whole)-8], "cut in a header": whole[:80],
	} {
		if a := s.Do(t, "POST", "/v3/media", bytes.NewReader(body), "Content-Type", contentType); a.Status != 400 ||
			a.Code(t) != 10001 {
			t.Errorf("%s: %s", name, a)
		}
	}
	if n := len(s.Blobs(t)); n != 0 {
		t.Errorf("%d files stay", n)
	}
}

func TestPartsThatComeTwiceAreRefused(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	refused(t, s.Post(t, recording, recording), 400, 10206, "media")
	refused(t, s.Post(t, servertest.Field("metadata", `{}`), servertest.Field("metadata", `{}`), recording), 400, 10206,
		"metadata")
	refused(t, s.Post(t, servertest.File("a", "a.wav", recording.Body), servertest.File("b", "b.wav", recording.Body)),
		400, 10206, "media")
	if n := len(s.Blobs(t)); n != 0 {
		t.Errorf("%d files stay", n)
	}
}

func TestUploadsOverTheLimitAre413AndLeaveNothing(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) { c.MaxUpload = 1 << 20 }})
	exact := append(bytes.Clone(recording.Body), make([]byte, 1<<20-len(recording.Body))...)
	ok(t, s.Post(t, servertest.File("media", "call.wav", exact)))
	s.Idle(t)
	kept := len(s.Recordings(t))
	refused(t, s.Post(t, servertest.File("media", "call.wav", append(exact, 0))), 413, 10800, "1048576")
	refused(t, s.Post(t, recording, servertest.Field("metadata", `{"title":"`+strings.Repeat("x", 1<<20)+`"}`)), 413,
		10800, "metadata")
	refused(t, s.Post(t, recording, servertest.Field("configuration", strings.Repeat(" ", 1<<20)+"{}")), 413, 10800,
		"configuration")
	announced := s.Do(t, "POST", "/v3/media", bytes.NewReader(make([]byte, 100<<20)), "Content-Type",
		"multipart/form-data; boundary=x")
	refused(t, announced, 413, 10800)
	if n := len(s.Recordings(t)); n != kept {
		t.Errorf("%d files, before %d", n, kept)
	}
}

func TestTooManyPartsAreRefused(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	var parts []servertest.Part
	for range 33 {
		parts = append(parts, servertest.File("x", "x.wav", []byte("x")))
	}
	refused(t, s.Post(t, parts...), 400, 10001, "32")
	if n := len(s.Blobs(t)); n != 0 {
		t.Errorf("%d files stay", n)
	}
}

func TestHugePartHeadersAreRefused(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	form.CreatePart(map[string][]string{"Content-Disposition": {`form-data; name="media"; filename="x"`},
		"X": {strings.Repeat("x", 11<<20)}})
	form.Close()
	refused(t, s.Do(t, http.MethodPost, "/v3/media", &b, "Content-Type", form.FormDataContentType()), 400, 10001)
}

func TestOneRecordingIsTakenWhateverItsPartIsCalled(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	part := func(name string, body []byte) servertest.Part { return servertest.File(name, name+".wav", body) }
	for _, names := range [][]string{{"media", "file"}, {"file", "media"}, {"file", "recording"}, {"a", "b"},
		{"file", "file"}} {
		refused(t, s.Post(t, part(names[0], recording.Body), part(names[1], stereo.Body)), 400, 10206, names[0],
			names[1])
	}
	if n := len(s.Blobs(t)); n != 0 {
		t.Errorf("%d files stay", n)
	}
	for _, empty := range []string{"media", "file", "other"} { // empty fields of a form
		if a := ok(t, s.Post(t, part(empty, nil), part("file", recording.Body))); a.JSON(
			t)["mediaContentType"] != "audio/wav" {
			t.Error(a)
		}
	}
}

func TestPartsAreDecoded(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	post := func(name, encoding, body string) servertest.Answer {
		var b bytes.Buffer
		form := multipart.NewWriter(&b)
		head := map[string][]string{"Content-Disposition": {`form-data; name="` + name + `"; filename="x"`},
			"Content-Transfer-Encoding": {encoding}}
		w, err := form.CreatePart(head)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, body)
		if name != "media" {
			w, _ = form.CreateFormFile("media", "call.wav")
			w.Write(recording.Body)
		}
		form.Close()
		return s.Do(t, http.MethodPost, "/v3/media", &b, "Content-Type", form.FormDataContentType())
	}
	lines := func(content []byte) string { // line lengths as in mail
		return strings.Join(slices.Collect(func(yield func(string) bool) {
			for chunk := range slices.Chunk([]byte(base64.StdEncoding.EncodeToString(content)), 76) {
				if !yield(string(chunk)) {
					return
				}
			}
		}), "\r\n")
	}
	id := ok(t, post("media", "BASE64", lines(recording.Body))).JSON(t)["mediaId"].(string)
	if s.Await(t, id); !bytes.Equal(ok(t, s.Get(t, "/v3/media/"+id+"/streams/original")).Body, recording.Body) {
		t.Error("the recording is another one")
	}
	for encoding, metadata := range map[string]string{
		"base64": lines([]byte(`{"title":"ä"}`)), "quoted-printable": `{"title":"=C3=A4"}`, "binary": `{"title":"ä"}`,
		"8bit": `{"title":"ä"}`,
	} {
		if a := ok(t, post("metadata", encoding, metadata)); at(t, a.JSON(t), "metadata", "title") != "ä" {
			t.Errorf("%s: %s", encoding, a)
		}
	}
	s.Idle(t)
	stored := len(s.Recordings(t))
	for _, name := range []string{"media", "metadata", "configuration"} {
		refused(t, post(name, "base64", "{}!"), 400, 10001, name, "Content-Transfer-Encoding")
		refused(t, post(name, "x-uuencode", "{}"), 400, 10001, name, "Content-Transfer-Encoding", "x-uuencode")
	}
	if n := len(s.Recordings(t)); n != stored {
		t.Errorf("%d files stay", n-stored)
	}
}

func TestProblemsNameThePartThatTheyAreIn(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, recording)
	s.Await(t, id)
	for _, a := range []servertest.Answer{
		s.Post(t, servertest.Field("metadata", `{"title":5}`), servertest.Field("configuration", `{"foo":1}`),
			recording),
		reprocess(t, s.Client, id, servertest.Field("metadata", `{"title":5}`),
			servertest.Field("configuration", `{"foo":1}`)),
	} {
		refused(t, a, 400, 10107, "metadata: /title: ")
		if got := at(t, a.JSON(t)["errors"].([]any)[1], "error").(string); !strings.HasPrefix(got,
			"configuration: /foo: ") {
			t.Error(got)
		}
	}
	for _, name := range []string{"metadata", "configuration"} {
		refused(t, s.Post(t, servertest.Field(name, `[1]`), recording), 400,
			map[string]int{"metadata": 10107, "configuration": 10007}[name],
			name+": a list where an object is expected")
	}
}
