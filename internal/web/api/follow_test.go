package api_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/operation/config"
	"parley/internal/testkit/servertest"
	"parley/internal/words/account"
)

const (
	progressPath = "/v3/media/progress"
	changesPath  = "/v3/media/changes"
)

func TestProgressOfSeveralRecordingsIsThatOfEach(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	other := s.As(t, "other", account.AllScopes...)
	mine, theirs := s.Submit(t, recording), other.Submit(t, recording)
	deleted := s.Submit(t, recording)
	s.Await(t, mine)
	other.Await(t, theirs)
	s.Await(t, deleted)
	s.Do(t, http.MethodDelete, "/v3/media/"+deleted, nil)
	query := "?mediaId=" + strings.Join([]string{noMedia, mine, theirs, deleted, mine}, "&mediaId=")
	entries := ok(t, s.Get(t, progressPath+query)).JSON(t)["media"].([]any)
	if len(entries) != 4 {
		t.Fatalf("%v", entries)
	}
	single := ok(t, s.Get(t, "/v3/media/"+mine+"/progress")).JSON(t)
	delete(single, "_links")
	if fmt.Sprint(entries[1]) != fmt.Sprint(single) {
		t.Errorf("of several %v\nalone %v", entries[1], single)
	}
	never := strings.ReplaceAll(fmt.Sprint(entries[0]), noMedia, "ID")
	for i, id := range map[int]string{0: noMedia, 2: theirs, 3: deleted} {
		if got := strings.ReplaceAll(fmt.Sprint(entries[i]), id, "ID"); got != never || !strings.Contains(got, "10205") {
			t.Errorf("%s has %s, want %s", id, got, never)
		}
	}
}

func TestProgressIsAskedForOneToAHundredRecordings(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	var many []string
	for n := range 101 {
		many = append(many, fmt.Sprintf("mediaId=019a9f5e-3c00-7000-8000-%012d", n))
	}
	refused(t, s.Get(t, progressPath), 400, 95002, "mediaId is missing")
	refused(t, s.Get(t, progressPath+"?mediaId=x"), 400, 95002, `mediaId "x" is not a media id`)
	refused(t, s.Get(t, progressPath+"?"+strings.Join(many, "&")), 400, 95002, "the maximum is 100")
	ok(t, s.Get(t, progressPath+"?"+strings.Join(many[:100], "&")))
}

// follower reads the changes of an account.
type follower struct {
	*servertest.Client
	cursor string
}

func follow(t *testing.T, c *servertest.Client) *follower {
	t.Helper()
	return &follower{c, ok(t, c.Get(t, changesPath)).JSON(t)["cursor"].(string)}
}

// until follows until a change of an item fits.
func (f *follower) until(t *testing.T, id string, fits func(change map[string]any) bool) {
	t.Helper()
	for {
		page := ok(t, f.Get(t, changesPath+"?wait=30&after="+f.cursor)).JSON(t)
		f.cursor = page["cursor"].(string)
		for _, c := range page["media"].([]any) {
			if change := c.(map[string]any); change["mediaId"] == id && fits(change) {
				return
			}
		}
		if len(page["media"].([]any)) == 0 {
			t.Fatalf("no change of %s fits within the longest wait", id)
		}
	}
}

func TestAFollowerIsToldOfEveryChangeOfItsAccountAlone(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	other := s.As(t, "other", account.AllScopes...)
	f, theirs := follow(t, s.Client), follow(t, other)
	id := s.Submit(t, recording, servertest.Field("metadata", `{"externalId":"mine"}`))
	f.until(t, id, func(c map[string]any) bool { return c["status"] == "finished" })
	listed := ok(t, s.Get(t, "/v3/media")).JSON(t)["media"].([]any)[0]
	g := &follower{s.Client, "0"}
	g.until(t, id, func(c map[string]any) bool { return fmt.Sprint(c) == fmt.Sprint(listed) })

	ok(t, s.Do(t, http.MethodPut, "/v3/media/"+id+"/metadata", strings.NewReader(`{"externalId":"changed"}`)))
	f.until(t, id, func(c map[string]any) bool { return at(t, c, "metadata", "externalId") == "changed" })
	s.Do(t, http.MethodDelete, "/v3/media/"+id, nil)
	f.until(t, id, func(c map[string]any) bool { return c["deleted"] == true && c["status"] == nil })

	page := ok(t, theirs.Get(t, changesPath+"?after="+theirs.cursor)).JSON(t)
	if len(page["media"].([]any)) != 0 {
		t.Errorf("another account sees %v", page)
	}
}

func TestParametersOfChangesAreChecked(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	for query, why := range map[string]string{
		"?after=x": "not a cursor", "?after=-1": "not a cursor", "?after=1234567890123456789": "not a cursor",
		"?after=%2B1": "not a cursor", "?after=1&wait=31": "from 0 to 30", "?after=1&wait=-1": "from 0 to 30",
		"?after=1&wait=x": "from 0 to 30", "?wait=5": "wait needs after", "?after=1&limit=0": "from 1 to 1000",
		"?after=": "empty", "?after=1&after=2": "more than once",
	} {
		refused(t, s.Get(t, changesPath+query), 400, 95002, why)
	}
	future := ok(t, s.Get(t, changesPath+"?after=999999999999999999&wait=30")).JSON(t)
	if future["reload"] != true || future["cursor"] == "999999999999999999" {
		t.Errorf("a cursor of the future: %v", future)
	}
	for _, method := range []string{"POST", "PUT", "DELETE", "PATCH"} {
		for _, path := range []string{changesPath, progressPath} {
			if a := s.Do(t, method, path, nil); a.Status != 405 || a.Header.Get("Allow") != "GET, HEAD" {
				t.Errorf("%s %s: %s, Allow %q", method, path, a, a.Header.Get("Allow"))
			}
		}
	}
}

// TestWaitersDoNotCountAsRequestsAndEndWithTheServer has more of them than an account may have requests in progress.
func TestWaitersDoNotCountAsRequestsAndEndWithTheServer(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) { only(c); c.AccountRequests = 2 }})
	cursor := follow(t, s.Client).cursor
	answers := make(chan int, 5)
	for range 5 {
		go func() {
			r, _ := http.NewRequest(http.MethodGet, s.Base+changesPath+"?wait=30&after="+cursor, nil)
			r.Header.Set("Authorization", "Bearer "+s.Token)
			for {
				a, err := http.DefaultTransport.RoundTrip(r)
				if err != nil {
					answers <- 0
					return
				}
				a.Body.Close()
				if a.StatusCode != http.StatusTooManyRequests { // before others have begun to wait
					answers <- a.StatusCode
					return
				}
			}
		}()
	}
	until(t, "five clients wait", func() bool { return s.Server.Waiting() >= 5 })
	ok(t, s.Get(t, "/v3/media"))
	began := time.Now()
	s.Stop()
	for range 5 {
		if status := <-answers; status != http.StatusOK {
			t.Errorf("a waiter got %d", status)
		}
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("waiters ended %s after the server", took)
	}
}

// asSent is a client that neither asks for compression nor undoes it.
var asSent = &http.Client{Transport: &http.Transport{DisableCompression: true}}

// fetch sends a request with a token and headers, and returns the answer as sent.
func fetch(t *testing.T, c *servertest.Client, method, path string, headers ...string) servertest.Answer {
	t.Helper()
	return (&servertest.Client{Base: c.Base, Token: c.Token, HTTP: asSent}).Do(t, method, path, nil, headers...)
}

func TestJSONIsCompressedForThoseWhoAcceptIt(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, recording, servertest.Field("metadata", `{"extended":{"a":"`+strings.Repeat("word ", 1000)+`"}}`),
		servertest.Field("transcript", "Agent: "+strings.Repeat("hello there ", 3000)))
	s.Await(t, id)
	for _, path := range []string{"/v3/media/" + id + "/transcript", "/v3/media/" + id + "/transcript/text", "/v3/media",
		"/v3/media/" + id + "/metadata"} {
		bare := fetch(t, s.Client, "GET", path)
		zipped := fetch(t, s.Client, "GET", path, "Accept-Encoding", "gzip")
		head := fetch(t, s.Client, "HEAD", path, "Accept-Encoding", "gzip")
		if bare.Header.Get("Content-Encoding") != "" || zipped.Header.Get("Content-Encoding") != "gzip" ||
			head.Header.Get("Content-Encoding") != "gzip" || len(head.Body) != 0 ||
			(zipped.Header.Get("Content-Length") == "") != (head.Header.Get("Content-Length") == "") {
			t.Errorf("%s: %v\n%v\n%v", path, bare.Header, zipped.Header, head.Header)
		}
		for _, a := range []servertest.Answer{bare, zipped, head} {
			if !slices.Contains(a.Header.Values("Vary"), "Accept-Encoding") {
				t.Errorf("%s: Vary %v", path, a.Header.Values("Vary"))
			}
		}
		if 5*len(zipped.Body) > len(bare.Body) {
			t.Errorf("%s: %d bytes of %d", path, len(zipped.Body), len(bare.Body))
		}
		if again := s.Get(t, path, "Accept", "*/*"); again.Status != 200 || string(gunzip(t, zipped.Body)) != string(bare.Body) {
			t.Errorf("%s: compressed, the answer differs", path)
		}
	}
	for _, path := range []string{"/v3/profile/keys", "/v3/callbacks/secrets", "/v3/callbacks", "/v3/media/" + id + "/progress?x=1"} {
		if a := fetch(t, s.Client, "GET", path, "Accept-Encoding", "gzip"); a.Header.Get("Content-Encoding") != "" {
			t.Errorf("%s is compressed", path)
		}
	}
}

func TestItemsAndTranscriptsHaveTagsThatChangeWithThem(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, recording, servertest.Field("metadata", `{"externalId":"one"}`))
	s.Await(t, id)
	item, words := "/v3/media/"+id, "/v3/media/"+id+"/transcript"
	tag := func(path string) string { return ok(t, s.Get(t, path)).Header.Get("ETag") }
	unchanged := func(path, tag string, want bool) {
		t.Helper()
		a := s.Get(t, path, "If-None-Match", tag)
		if (a.Status == http.StatusNotModified) != want || want && len(a.Body) != 0 {
			t.Errorf("%s with %s: %s; unchanged: %t", path, tag, a, want)
		}
	}
	for _, path := range []string{item, words, words + "/text", item + "?omit=frq"} {
		of := tag(path)
		if !strings.HasPrefix(of, `W/"`) {
			t.Errorf("%s: ETag %q", path, of)
		}
		unchanged(path, of, true)
		unchanged(path, `"x", `+strings.TrimPrefix(of, "W/"), true)
		unchanged(path, `"x"`, false)
	}
	if tag(item) == tag(item+"?omit=frq") || tag(words) == tag(words+"/text") {
		t.Error("different answers have the same tag")
	}
	was := tag(words)
	ok(t, s.Do(t, http.MethodPut, item+"/metadata", strings.NewReader(`{"externalId":"two"}`)))
	before := tag(item)
	ok(t, s.Do(t, http.MethodPut, item+"/metadata", strings.NewReader(`{"externalId":"three"}`)))
	unchanged(item, before, false)
	unchanged(words, was, false)

	before, was = tag(item), tag(words)
	ok(t, s.Do(t, http.MethodPut, categoriesPath+"/greeting", category("* SAYS \"word\" OR NOT * SAYS \"word\"")))
	ok(t, s.Do(t, http.MethodPost, categoriesPath+"/greeting/apply", nil))
	s.Idle(t)
	unchanged(item, before, false)
	unchanged(words, was, false)

	before, was = tag(item), tag(words)
	form, contentType := servertest.Form(t, servertest.Field("configuration", `{"metrics":[{"metricGroupName":"overtalk"}]}`))
	ok(t, s.Do(t, http.MethodPost, item, strings.NewReader(string(form)), "Content-Type", contentType))
	s.Await(t, id)
	unchanged(item, before, false)
	unchanged(words, was, false)
}

func TestPartsOfATranscriptAreLeftOut(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, servertest.File("media", "call.wav", servertest.Tone(2, 2)),
		servertest.Field("configuration", `{"speechModel":{"features":["voiceFeatures"]},`+
			`"ingest":{"stereo":{"left":{"speakerName":"A"},"right":{"speakerName":"B"}}}}`))
	s.Await(t, id)
	read := func(query string) string {
		t.Helper()
		transcript := ok(t, s.Get(t, "/v3/media/"+id+query)).JSON(t)["transcript"]
		text, err := json.Marshal(transcript)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	whole := read("")
	for _, part := range []string{"frq", "v", "turns", "voiceActivity", "p", "text"} {
		name := `"` + part + `":`
		if !strings.Contains(whole, name) || strings.Contains(read("?omit="+part), name) {
			t.Errorf("%s is not there, or not left out", part)
		}
	}
	if !strings.Contains(read("?omit=words"), `"words":[]`) {
		t.Error("words are not left out")
	}
	all := url.QueryEscape("frq,v")
	if got := read("?omit=" + all + "&omit=turns"); strings.Contains(got, "frq") || strings.Contains(got, "turns") {
		t.Errorf("%s", got)
	}
	refused(t, s.Get(t, "/v3/media/"+id+"?omit=fqr"), 400, 95002, `omit "fqr" is unknown`, "frq")
	refused(t, s.Get(t, "/v3/media/"+id+"/transcript?omit="), 400, 95002, "omit")
	if a := ok(t, s.Get(t, "/v3/media/"+id+"/transcript?omit=frq")); strings.Contains(string(a.Body), "frq") {
		t.Errorf("%s", a)
	}
}

func gunzip(t *testing.T, zipped []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return all
}
