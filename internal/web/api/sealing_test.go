package api_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"parley/internal/operation/config"
	"parley/internal/testkit/gpgtest"
	"parley/internal/testkit/servertest"
	"parley/internal/testkit/verify"
)

// sealing adds a public key to a configuration.
func sealing(t *testing.T, configuration, key string) string {
	t.Helper()
	var all map[string]any
	if err := json.Unmarshal([]byte(configuration), &all); err != nil {
		t.Fatal(err)
	}
	all["encryption"] = map[string]any{"publicKeyId": key}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// document decrypts the document of a sealed item.
func document(t *testing.T, s *servertest.Client, home *gpgtest.Home, id string) map[string]any {
	t.Helper()
	a := ok(t, s.Get(t, "/v3/media/"+id+"/encrypted"))
	if !bytes.HasPrefix(a.Body, []byte("-----BEGIN PGP MESSAGE-----")) {
		t.Fatalf("no armored message: %s", a)
	}
	return servertest.Answer{Body: home.Decrypt(t, a.Body)}.JSON(t)
}

// callbacks returns a configuration with every kind of callback.
func callbacks(base string) string {
	return `{"metrics":[{"metricGroupName":"overtalk"}],"speakerSentiments":true,"publish":{"callbacks":[
		{"url":"` + base + `/all"}, {"url":"` + base + `/some","include":["metrics","metadata"]},
		{"url":"` + base + `/text","type":"transcript","format":"text","method":"PUT"}, {"url":"` + base + `/json","type":"transcript","format":"json"},
		{"url":"` + base + `/media","type":"media","stream":"original"}]}}`
}

// TestWhatIsSealedIsReadByItsOwnerAsItWouldHaveBeenAnswered submits a call twice, once encrypted, and compares what
// GnuPG decrypts from document, stream and callbacks with the server's answers for the other one.
func TestWhatIsSealedIsReadByItsOwnerAsItWouldHaveBeenAnswered(t *testing.T) {
	t.Parallel()
	base, got := receive(t, 200)
	s := servertest.Start(t, servertest.Options{Settings: trial})
	home := gpgtest.New(t)
	parts := func(configuration string) []servertest.Part {
		return []servertest.Part{recording,
			servertest.Field("metadata", `{"externalId":"e1","title":"A call","x":{"y":1.0}}`),
			servertest.Field("transcript", timedWords), configured(configuration)}
	}
	open := s.Submit(t, parts(callbacks(base))...)
	clear := s.Await(t, open)
	bodies := func() map[string]received {
		by := map[string]received{}
		for range 5 {
			r := <-got
			by[r.path] = r
		}
		return by
	}
	want := bodies()
	for kind, public := range map[string][]byte{"rsa": home.RSA(t, "rsa@example.com"),
		"ecc": home.ECC(t, "ecc@example.com")} {
		key := addKey(t, s.Client, string(public))["publicKeyId"].(string)
		id := s.Submit(t, parts(sealing(t, callbacks(base), key))...)
		if item := s.Await(t, id); item["status"] != "finished" || item["transcript"] != nil {
			t.Fatalf("%s: %v", kind, item)
		}
		item := document(t, s.Client, home, id)
		if item["mediaId"] != id || item["status"] != "finished" ||
			item["dateFinished"] != s.Get(t, "/v3/media/"+id).JSON(t)["dateFinished"] {
			t.Errorf("%s: %v", kind, item)
		}
		for _, section := range []string{"metadata", "metrics", "speakerSentiments", "length", "mediaContentType",
			"accountName"} {
			if !equal(t, item[section], clear[section]) || item[section] == nil {
				t.Errorf("%s: %s is %v, want %v", kind, section, item[section], clear[section])
			}
		}
		if !equal(t, at(t, item, "transcript", "words"), at(t, clear, "transcript", "words")) ||
			len(at(t, item, "transcript", "alternateFormats").([]any)) != 4 {
			t.Errorf("%s: the transcript is %v", kind, item["transcript"])
		}
		if names := streamNames(t, item); !slices.Equal(names, []string{"original-encrypted"}) {
			t.Errorf("%s: streams %v", kind, names)
		}
		// with a token, the URL works at any time
		stream := ok(t, s.Get(t, at(t, item["streams"].([]any)[0], "streamLocation").(string))).Body
		if !bytes.Equal(home.Decrypt(t, stream), recording.Body) {
			t.Errorf("%s: the stream is another one", kind)
		}
		sealed := bodies()
		for path, r := range sealed {
			if r.header.Get("Content-Type") != "application/octet-stream" || r.length != int64(len(r.body)) ||
				r.chunked {
				t.Errorf("%s %s: %v", kind, path, r.header)
			}
			if armored := bytes.HasPrefix(r.body,
				[]byte("-----BEGIN PGP MESSAGE-----")); armored == (path == "/media") {
				t.Errorf("%s %s: armored %t", kind, path, armored)
			}
			content := home.Decrypt(t, r.body)
			switch path {
			case "/text", "/media":
				if !bytes.Equal(content, want[path].body) {
					t.Errorf("%s %s: %.300q", kind, path, content)
				}
				continue
			}
			now, before := servertest.Answer{Body: content}.JSON(t), servertest.Answer{Body: want[path].body}.JSON(t)
			for _, section := range []string{"metadata", "transcript", "metrics", "speakerSentiments", "words",
				"status"} {
				if !equal(t, now[section], before[section]) {
					t.Errorf("%s %s: %s is %v, want %v", kind, path, section, now[section], before[section])
				}
			}
			if now["mediaId"] != id {
				t.Errorf("%s %s: %v", kind, path, now["mediaId"])
			}
		}
		if !bytes.Equal(sealed["/media"].body, stream) {
			t.Errorf("%s: another stream was delivered", kind)
		}
		for _, c := range callbacksOf(t, s, id) { // a second delivery is identical
			ok(t, s.Do(t, "POST", "/v3/media/"+id+"/callbacks/"+c["callbackId"].(string)+"/retry", nil))
		}
		for path, again := range bodies() {
			if !bytes.Equal(again.body, sealed[path].body) {
				t.Errorf("%s %s: another body when it is asked for again", kind, path)
			}
		}
	}
}

func TestWhatCannotBeProcessedIsSealedToo(t *testing.T) {
	t.Parallel()
	base, got := receive(t, 200)
	gone := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(gone.Close)
	s := servertest.Start(t, servertest.Options{Settings: trial})
	home := gpgtest.New(t)
	key := addKey(t, s.Client, string(home.ECC(t, "a@example.com")))["publicKeyId"].(string)
	noise := []byte("no sound at all")
	for status, source := range map[string]servertest.Part{
		"failed":   servertest.File("media", "x.wav", noise),
		"rejected": servertest.Field("mediaUrl", gone.URL+"/call.wav"),
	} {
		id := s.Submit(t, source, servertest.Field("metadata", `{"title":"A call"}`),
			configured(sealing(t, callbacks(base), key)))
		item := s.Await(t, id)
		if item["status"] != status || item["metadata"] != nil || len(codesOf(item["errors"])) != 1 {
			t.Errorf("%v", item)
		}
		sealed := document(t, s.Client, home, id)
		if sealed["status"] != status || at(t, sealed, "metadata", "title") != "A call" ||
			!equal(t, sealed["errors"], item["errors"]) {
			t.Errorf("%v", sealed)
		}
		r := <-got // analytics callbacks carry the error, the others are not sent
		some := <-got
		if r.path == "/some" {
			r = some
		}
		if body := (servertest.Answer{Body: home.Decrypt(t, r.body)}).JSON(t); r.path != "/all" ||
			body["status"] != status || at(t, body, "metadata", "title") != "A call" {
			t.Errorf("%s %v", r.path, body)
		}
		if list := callbacksOf(t, s, id); len(list) != 2 {
			t.Errorf("%v", list)
		}
		var names []string
		if status == "failed" {
			names = []string{"original-encrypted"}
			if a := ok(t, s.Get(t, "/v3/media/"+id+"/streams/original-encrypted")); !bytes.Equal(home.Decrypt(t,
				a.Body), noise) {
				t.Error("the stream is another one")
			}
		}
		if now := streamNames(t, ok(t, s.Get(t, "/v3/media/"+id+"/streams")).JSON(t)); !slices.Equal(now, names) {
			t.Errorf("%s: streams %v", status, now)
		}
		refused(t, s.Do(t, http.MethodPost, "/v3/media/"+id, nil), 409, 95004)
	}
}

// TestASealedRecordingIsTheRedactedOne checks that redaction also applies to encrypted results.
func TestASealedRecordingIsTheRedactedOne(t *testing.T) {
	verify.Long(t)
	t.Parallel()
	p := newPeople(7)
	transcript, call := callOf(t, p.turns(3))
	for _, keep := range []bool{false, true} {
		s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) { c.KeepOriginals = keep }})
		ok(t, s.Do(t, "PUT", "/v3/definition/spotting/groups/digits",
			strings.NewReader(`{"groupName":"digits","keywords":["four","card"]}`), "Content-Type", "application/json"))
		home := gpgtest.New(t)
		key := addKey(t, s.Client, string(home.ECC(t, "a@example.com")))["publicKeyId"].(string)
		open := s.Submit(t, call, transcript, configured(everything(true)))
		s.Await(t, open)
		id := s.Submit(t, call, transcript, configured(sealing(t, everything(true), key)))
		if item := s.Await(t, id); item["status"] != "finished" {
			t.Fatalf("%v", item)
		}
		want := []string{"redacted-encrypted"}
		if keep {
			want = []string{"original-encrypted", "redacted-encrypted"}
		}
		if names := streamNames(t, ok(t, s.Get(t, "/v3/media/"+id+"/streams")).JSON(t)); !slices.Equal(names, want) {
			t.Errorf("streams %v", names)
		}
		beeped := home.Decrypt(t, ok(t, s.Get(t, "/v3/media/"+id+"/streams/redacted-encrypted")).Body)
		if !bytes.Equal(beeped, ok(t, s.Get(t, "/v3/media/"+open+"/streams/redacted-audio")).Body) ||
			bytes.Equal(beeped, call.Body) {
			t.Error("another sound is heard than without encryption")
		}
		document := home.Decrypt(t, ok(t, s.Get(t, "/v3/media/"+id+"/encrypted")).Body)
		if left := p.secrets.Found(document); len(left) > 0 || !bytes.Contains(document, []byte("[redacted]")) {
			t.Errorf("%v in %.3000s", left, document)
		}
	}
}

// A transcoded recording is sealed in its new format.
func TestASealedRecordingIsInTheFormatThatIsAskedFor(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	home := gpgtest.New(t)
	key := addKey(t, s.Client, string(home.ECC(t, "a@example.com")))["publicKeyId"].(string)
	id := s.Submit(t, recording, configured(sealing(t, `{"publish":{"audioTranscode":{"fileFormat":"flac"}}}`, key)))
	s.Await(t, id)
	if a := ok(t, s.Get(t, "/v3/media/"+id+"/streams/original-encrypted")); !bytes.HasPrefix(home.Decrypt(t, a.Body),
		[]byte("fLaC")) {
		t.Error("it is no FLAC")
	}
	if item := document(t, s.Client, home, id); len(streamNames(t, item)) != 1 || item["errors"] != nil {
		t.Errorf("%v", item)
	}
}
