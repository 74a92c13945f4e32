package api_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"parley/internal/operation/config"
	"parley/internal/testkit/servertest"
	"parley/internal/words/account"
)

// logbook collects log lines. It is safe for concurrent use.
type logbook struct {
	mu    sync.Mutex
	lines []map[string]any
	text  strings.Builder
}

func (l *logbook) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text.Write(p)
	var line map[string]any
	if err := json.Unmarshal(p, &line); err != nil {
		return 0, err
	}
	l.lines = append(l.lines, line)
	return len(p), nil
}

// saying returns the lines with a message about an item; an empty item means any.
func (l *logbook) saying(message, item string) []map[string]any {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(l.lines), func(line map[string]any) bool {
		return line["msg"] != message || item != "" && line["media"] != item
	})
}

// about returns the lines about a request.
func (l *logbook) about(reference string) []map[string]any {
	l.mu.Lock()
	defer l.mu.Unlock()
	var found []map[string]any
	for _, line := range l.lines {
		if line["reference"] == reference {
			found = append(found, line)
		}
	}
	return found
}

func TestEveryErrorHasItsStatusAndItsReferenceInTheLog(t *testing.T) {
	t.Parallel()
	book := &logbook{}
	s := servertest.Start(t, servertest.Options{Log: book, Settings: only})
	id := s.Submit(t, recording)
	for _, c := range []struct {
		name         string
		answer       servertest.Answer
		status, code int
	}{
		{"no such API", s.Get(t, "/v3/nothing"), 404, 10000},
		{"no such API beside /v3", s.Get(t, "/v2/media"), 404, 10000},
		{"no token", s.With("").Get(t, "/v3/media"), 401, 10002},
		{"bad token", s.With("x").Get(t, "/v3/media"), 401, 10003},
		{"no scope", s.As(t, account.DefaultName, account.Keys).Get(t, "/v3/media"), 403, 10006},
		{"unknown item", s.Get(t, "/v3/media/"+noMedia), 404, 10205},
		{"not finished", s.Get(t, "/v3/media/"+id+"/transcript"), 404, 10301},
		{"method", s.Do(t, "PUT", "/v3/media/"+id, nil), 405, 95010},
		{"invented method", s.Do(t, "BREW", "/v3/media", nil), 405, 95010},
		{"accept", s.Get(t, "/v3/media/"+id+"/transcript", "Accept", "image/png"), 406, 95018},
		{"content type", s.Do(t, "POST", "/v3/media", strings.NewReader("x"), "Content-Type", "text/plain"), 415,
			95011},
		{"parameter", s.Get(t, "/v3/media?x=1"), 400, 95002},
		{"multipart", s.Do(t, "POST", "/v3/media", strings.NewReader("x"), "Content-Type",
			"multipart/form-data; boundary=b"), 400, 10001},
		{"unknown job", s.Do(t, "POST", "/v3/queue/x/requeue", nil), 404, 10205},
		{"unknown page", s.Get(t, "/docs/nothing.js"), 404, 10205},
	} {
		if c.answer.Status != c.status || c.answer.Code(t) != c.code {
			t.Errorf("%s: want HTTP %d, %d: %s", c.name, c.status, c.code, c.answer)
		}
		refusals := slices.DeleteFunc(book.about(c.answer.Header.Get("X-Request-Id")), func(line map[string]any) bool {
			return line["level"] != "INFO"
		})
		if len(refusals) != 1 || refusals[0]["status"] != float64(c.status) ||
			!equal(t, refusals[0]["codes"], []int{c.code}) {
			t.Errorf("%s: the log has %v", c.name, refusals)
		}
	}
	if allow := s.Do(t, "PATCH", "/v3/media", nil).Header.Get("Allow"); allow != "POST, GET, HEAD" {
		t.Errorf("Allow: %s", allow)
	}
}

func TestLogHasNoTokensAndNothingThatWasSent(t *testing.T) {
	t.Parallel()
	book := &logbook{}
	s := servertest.Start(t, servertest.Options{Log: book})
	id := s.Submit(t, recording, servertest.Field("metadata", `{"title":"Unmentionable"}`),
		servertest.Field("configuration", `{"ingest":{"speakerName":"Unmentionable"}}`))
	s.Await(t, id)
	signed := location(t, s.Client, id)
	ok(t, s.With("").Get(t, signed))
	s.Post(t, recording, servertest.Field("metadata", `{"callDetails":{"callStartTime":"Unmentionable"}}`),
		servertest.Field("configuration", `{"priority":"Unmentionable"}`))
	s.Get(t, "/v3/media?externalId=Unmentionable&limit=Unmentionable")
	s.With("parley_Unmentionable").Get(t, "/v3/media")
	s.Get(t, "/v3/definition/categories/Unmentionable")
	s.Get(t, "/v3/Unmentionable%20thing")
	s.Get(t, "/v3/media/"+s.Token)
	s.Get(t, "/"+s.Token)
	s.Get(t, "/Unmentionable/v3/media")
	s.Get(t, "/v3/media/Unmentionable/Unmentionable")
	s.Do(t, "PATCH", "/v3/definition/vocabularies/Unmentionable", nil)
	failed := s.Submit(t, servertest.File("media", "Unmentionable.wav", []byte("Unmentionable")),
		servertest.Field("metadata", `{"title":"Unmentionable"}`))
	s.Await(t, failed)
	s.Stop()
	_, signature, _ := strings.Cut(signed, "signature=")
	book.mu.Lock()
	defer book.mu.Unlock()
	for _, secret := range []string{"Unmentionable", s.Token, signature, "tick"} {
		if strings.Contains(book.text.String(), secret) {
			t.Errorf("the log tells %q", secret)
		}
	}
	for _, line := range []string{"serving", "recording accepted", "recording finished", "recording failed",
		"request refused", "stopping", "stopped"} {
		if !strings.Contains(book.text.String(), `"msg":"`+line+`"`) {
			t.Errorf("no line %q, which may tell something", line)
		}
	}
}

// TestAnOperatorCanFollowARecordingInTheLog checks that each event has one line, and its attributes.
func TestAnOperatorCanFollowARecordingInTheLog(t *testing.T) {
	t.Parallel()
	book := &logbook{}
	s := servertest.Start(t, servertest.Options{Log: book})
	id := s.Submit(t, recording)
	s.Await(t, id)
	failed := s.Submit(t, servertest.File("media", "x.wav", []byte("no sound")))
	s.Await(t, failed)
	category := s.Get(t, "/v3/definition/categories/Smith")
	s.Idle(t)
	s.Stop()
	for _, c := range []struct {
		message, media string
		want           []string
	}{
		{"serving", "", []string{"address", "role", "version", "database", "recordings"}},
		{"recording accepted", id, []string{"account", "bytes", "reference"}},
		{"recording finished", id, []string{"account", "recording", "processing", "engine"}},
		{"recording accepted", failed, []string{"account", "bytes"}},
		{"recording failed", failed, []string{"account", "processing", "engine", "codes"}},
		{"stopping", "", []string{"requests", "jobs", "callbacks", "atMost"}},
		{"stopped", "", []string{"took"}},
	} {
		lines := book.saying(c.message, c.media)
		if len(lines) != 1 || lines[0]["level"] != "INFO" {
			t.Errorf("%s %s: %v", c.message, c.media, lines)
			continue
		}
		for _, name := range c.want {
			if value, there := lines[0][name]; !there || value == "" {
				t.Errorf("%s: no %s in %v", c.message, name, lines[0])
			}
		}
	}
	refused := slices.DeleteFunc(book.about(category.Header.Get("X-Request-Id")), func(line map[string]any) bool {
		return line["level"] != "INFO"
	})
	want := map[string]any{"method": "GET", "route": "/v3/definition/categories/{categoryName}",
		"path": "/v3/definition/categories/{categoryName}", "remote": "127.0.0.1", "status": 404.0}
	for name, value := range want {
		if len(refused) != 1 || refused[0][name] != value || refused[0]["account"] == nil {
			t.Errorf("%s is not %v in %v", name, value, refused)
		}
	}
}

// A path can contain anything that somebody types or pastes. Names, numbers and unknown elements do not appear in the
// log.
func TestTheLogHasOfAPathWhatRoutesHave(t *testing.T) {
	t.Parallel()
	book := &logbook{}
	s := servertest.Start(t, servertest.Options{Log: book, Settings: only})
	for _, c := range []struct{ path, want string }{
		{"/v3/media/" + noMedia, "/v3/media/" + noMedia},
		{"/v3/media/" + noMedia + "/transcript/Smith", "/v3/media/" + noMedia + "/transcript/{format}"},
		{"/v3/media/536228741", "/v3/media/{mediaId}"},
		{"/v3/media/Smith/Jones/Brown", "/v3/media/{mediaId}/…"},
		{"/v3/Smith", "/v3/…"},
		{"/v3/media%20of%20Smith/536228741", "/v3/…"},
		{"/v3/medias/transcript", "/v3/…"},
		{"/Smith/v3/media", "/…"},
		{"/v2/media", "/…"},
		{"/v3/definition/categories/2065550147", "/v3/definition/categories/{categoryName}"},
		{"/v3/definition/categories/" + noMedia, "/v3/definition/categories/{categoryName}"},
		{"/v3/definition/Smith/Jones", "/v3/definition/…"},
		{"/docs/Smith.js", "/docs/{file}"},
		{"/docs/media/Smith", "/docs/{file}/…"},
	} {
		lines := book.about(s.Do(t, "PATCH", c.path, nil).Header.Get("X-Request-Id"))
		if len(lines) == 0 {
			t.Errorf("%s: not in the log", c.path)
		}
		for _, line := range lines {
			if line["path"] != c.want {
				t.Errorf("%s: the log has %v, want %s", c.path, line["path"], c.want)
			}
		}
	}
}

func TestFullDiskIs503BeforeAnythingIsAccepted(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) { c.ReserveDisk = 1 << 60 }})
	a := s.Post(t, recording)
	refused(t, a, 503, 95003, "disk")
	if a.Header.Get("Retry-After") == "" {
		t.Errorf("no Retry-After: %v", a.Header)
	}
	if listed, _ := page(t, s.Client, "/v3/media"); len(listed) != 0 || len(s.Blobs(t)) != 0 {
		t.Errorf("%d items, %d files", len(listed), len(s.Blobs(t)))
	}
	if ready := s.Ready(t, 503).JSON(t); ready["status"] != "not ready" {
		t.Errorf("%v", ready)
	}
}

func TestDatabaseThatIsDownIs503AndNothingStays(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	id := s.Submit(t, recording)
	files := len(s.Recordings(t))
	if err := s.Server.Store.Close(); err != nil {
		t.Fatal(err)
	}
	for _, a := range []servertest.Answer{s.Post(t, recording), s.Get(t, "/v3/media/"+id),
		s.Do(t, "DELETE", "/v3/media/"+id, nil)} {
		refused(t, a, 503, 95003, "database")
		if a.Header.Get("Retry-After") == "" || strings.Contains(string(a.Body), "sql") {
			t.Errorf("%v %s", a.Header, a)
		}
	}
	if a := s.Ready(t, 503); !strings.Contains(string(a.Body), "database") {
		t.Errorf("%s", a)
	}
	if n := len(s.Recordings(t)); n != files {
		t.Errorf("%d files, before %d", n, files)
	}
}

func TestUploadThatCannotBeRecordedLeavesNoBytes(t *testing.T) {
	t.Parallel()
	book := &logbook{}
	s := servertest.Start(t, servertest.Options{Settings: only, Log: book})
	db, err := sql.Open("sqlite", "file:"+filepath.Join(s.Dir, "parley.db")+"?_pragma=busy_timeout(60000)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`DROP TABLE progress`); err != nil {
		t.Fatal(err)
	}
	a := s.Post(t, recording)
	refused(t, a, 500, 90003, "reference")
	if bytes.Contains(a.Body, []byte("progress")) {
		t.Errorf("the answer tells of the inside: %s", a)
	}
	if lines := book.about(a.Header.Get("X-Request-Id")); len(lines) != 2 || lines[0]["level"] != "ERROR" ||
		!strings.Contains(lines[0]["error"].(string), "progress") {
		t.Errorf("the log has %v", lines)
	}
	if listed, _ := page(t, s.Client, "/v3/media"); len(listed) != 0 || len(s.Blobs(t)) != 0 {
		t.Errorf("%d items, %d files", len(listed), len(s.Blobs(t)))
	}
}

func TestStreamWhoseBytesAreGoneIsNotFound(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	id := s.Submit(t, recording)
	for _, file := range s.Blobs(t) {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	a := s.Get(t, "/v3/media/"+id+"/streams/original")
	refused(t, a, 404, 10205, id, "original")
	if bytes.Contains(a.Body, []byte("original/")) {
		t.Errorf("the answer tells a key of storage: %s", a)
	}
}

func TestAnswersMayNotBeKeptGuessedOrFramed(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	id := s.Submit(t, recording)
	for _, path := range []string{"/v3/media", "/v3/media/" + id, "/v3/nothing", "/healthz", "/docs", "/ui/", "/openapi.json",
		"/v3/media/" + id + "/streams/original"} {
		header := s.Get(t, path).Header
		if header.Get("X-Content-Type-Options") != "nosniff" || header.Get("Referrer-Policy") != "no-referrer" ||
			header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s: %v", path, header)
		}
		if cache := header.Get("Cache-Control"); !strings.Contains(cache, "no-store") &&
			!strings.Contains(cache, "no-cache") && !strings.Contains(cache, "private") {
			t.Errorf("%s: Cache-Control %q", path, cache)
		}
	}
	if kind := s.Get(t, "/v3/media").Header.Get("Content-Type"); kind != "application/json" {
		t.Errorf("Content-Type %q", kind)
	}
}

func TestHugeHeadersAreRefused(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	r, err := http.NewRequestWithContext(t.Context(), "GET", s.Base+"/healthz", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Padding", strings.Repeat("x", 1<<20))
	response, err := http.DefaultClient.Do(r) // net/http itself answers
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("HTTP %d", response.StatusCode)
	}
}
