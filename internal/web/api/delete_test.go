package api_test

import (
	"database/sql"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"parley/internal/operation/config"
	"parley/internal/testkit/servertest"
	"parley/internal/web/api"
	"parley/internal/words/account"
)

// rows counts the rows of every table of a server's database.
func rows(t *testing.T, s *servertest.Server) map[string]int {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(s.Dir, "parley.db")+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	names, err := db.Query(`SELECT name FROM sqlite_master WHERE type = 'table'`)
	if err != nil {
		t.Fatal(err)
	}
	defer names.Close()
	counts := map[string]int{}
	for names.Next() {
		var name string
		var n int
		if err := names.Scan(&name); err != nil {
			t.Fatal(err)
		}
		if err := db.QueryRow(`SELECT COUNT(*) FROM "` + name + `"`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		counts[name] = n
	}
	if err := names.Err(); err != nil || len(counts) < 8 {
		t.Fatalf("%d tables, %v", len(counts), err)
	}
	return counts
}

// kept lists the tables whose rows belong to an account, not a recording: usage is still billed, the audit log names who
// deleted the recording, and the changes of a day have its id, so that those who follow them learn that it is gone.
var kept = map[string]bool{"usage": true, "audit": true, "storage": true, "job_lane": true, "schema_needs": true,
	"setting": true, "sqlite_stat1": true, "sqlite_stat4": true, "media_change": true, "media_clock": true}

func TestDeleteInEveryStateLeavesNothing(t *testing.T) {
	t.Parallel()
	gate := servertest.NewGate()
	s := servertest.Start(t, servertest.Options{Recognizer: gate, Settings: func(c *config.Settings) { c.Workers = 1 }})
	before := rows(t, s)
	failed := s.Submit(t, servertest.File("media", "x", []byte("no recording")))
	s.Await(t, failed)
	silent := s.Submit(t, servertest.File("media", "x.wav", silence()))
	s.Await(t, silent)
	running := s.Submit(t, recording)
	<-gate.Entered
	items := []struct{ state, id string }{
		{"failed", failed}, {"finished", silent},
		{"finished", s.Seal(t, account.DefaultName, []byte("document"), []byte("stream"))},
		{"scheduled", s.Submit(t, recording)},
		{"accepted", s.Submit(t, from("https://calls.example.com/call.wav"))},
		{"running", running}, // last, since it occupies the only worker
	}
	signed := location(t, s.Client, running)
	for _, i := range items {
		if got := ok(t, s.Get(t, "/v3/media/"+i.id)).JSON(t)["status"]; got != i.state {
			t.Fatalf("the %s item is %v", i.state, got)
		}
		if a := s.Do(t, "DELETE", "/v3/media/"+i.id, nil); a.Status != 204 || len(a.Body) != 0 {
			t.Errorf("DELETE of the %s item: %s", i.state, a)
		}
		goneEverywhere(t, s, i.id)
	}
	refused(t, s.With("").Get(t, signed), 404, 10205)
	s.Idle(t) // the gate is still closed: the running job has stopped by itself
	if files := s.Blobs(t); len(files) != 0 {
		t.Errorf("files stay: %v", files)
	}
	if files := s.Temporary(t); len(files) != 0 {
		t.Errorf("temporary files stay: %v", files)
	}
	for table, n := range rows(t, s) {
		if n != before[table] && !kept[table] {
			t.Errorf("table %s has %d rows, before %d", table, n, before[table])
		}
	}
}

// goneEverywhere checks that no route distinguishes a deleted id from one that never existed.
func goneEverywhere(t *testing.T, s *servertest.Server, id string) {
	t.Helper()
	for _, r := range api.Routes() {
		if !strings.Contains(r.Path, "{mediaId}") {
			continue
		}
		same(t, r, about(t, s.Client, r, id), about(t, s.Client, r, noMedia), id)
	}
	if listed, _ := page(t, s.Client, "/v3/media"); strings.Contains(strings.Join(listed, " "), id) {
		t.Errorf("deleted item %s is listed", id)
	}
}

// fill replaces the parameters in a route's path with an id and existing names, and adds required ones of the query.
func fill(path, id string) string {
	switch path {
	case valuesPath:
		return path + "?field=language"
	case progressPath:
		return path + "?mediaId=" + id
	case changesPath:
		return path + "?after=0"
	}
	if strings.HasSuffix(path, "/clip") {
		path += "?s=0&e=100"
	}
	return strings.NewReplacer("{mediaId}", id, "{format}", "text", "{streamName}", "original", "{jobId}", id, "{file}",
		"swagger-ui.css", "{asset}", "app.js", "{vocabularyName}", "products", "{groupName}", "cancellation",
		"{categoryName}", "at-risk", "{queryName}", "all", "{presetName}", "support", "{dashboardName}", "volume",
		"{keyId}", id, "{classifierId}", id, "{detectorId}",
		"69629a8d-9e34-4bfa-a303-1639f383977a", "{year}", "2026", "{month}", "11", "{callbackId}", "msg_1",
		"{secretId}", id, "{publicKeyId}", id, "{sessionId}", id, "{retryId}", id).Replace(path)
}

// same checks that two answers are 404 and differ only in the id and the reference.
func same(t *testing.T, r api.Route, other, never servertest.Answer, id string) {
	t.Helper()
	strip := func(a servertest.Answer, id string) string {
		text := strings.ReplaceAll(string(a.Body), a.Header.Get("X-Request-Id"), "REFERENCE")
		return strings.ReplaceAll(text, id, "ID")
	}
	if other.Status != http.StatusNotFound || never.Status != http.StatusNotFound ||
		strip(other, id) != strip(never, noMedia) {
		t.Errorf("%s %s tells an id that is not ours from one that never was:\n%s\n%s", r.Method, r.Path, other, never)
	}
}
