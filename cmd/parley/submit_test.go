package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"parley/internal/terminal/batch"
	"parley/internal/testkit/servertest"
)

// call returns a recording that is unique to a number.
func call(n int) []byte {
	sound := servertest.Tone(0.6, 1)
	sound[len(sound)-1] ^= byte(n + 1)
	return sound
}

// listed returns the media of a server by title.
func listed(t *testing.T, s *servertest.Server) map[string]map[string]any {
	t.Helper()
	all := map[string]map[string]any{}
	for _, item := range s.Get(t, "/v3/media").JSON(t)["media"].([]any) {
		m := item.(map[string]any)
		known := m["metadata"].(map[string]any)
		if all[known["title"].(string)] != nil {
			t.Fatalf("%v is there twice", known["title"])
		}
		all[known["title"].(string)] = m
	}
	return all
}

func TestSubmitSkipsWhatIsNoRecordingAndCountsTheRest(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	u := at(t, s)
	u.write("calls/a.wav", call(1))
	u.write("calls/deep/b.mp3", call(2)) // a recording by its content, whatever its extension says
	u.write("calls/notes.wav", []byte("Call back on Monday.\n"))
	u.write("calls/readme.md", []byte("# Calls\n"))
	u.write("calls/scan.pdf", []byte("%PDF-1.7 …"))
	u.write("calls/empty.wav", nil)
	u.write("calls/.hidden/c.wav", call(3))
	if err := os.Symlink("nowhere.wav", filepath.Join(u.home, "calls", "gone.wav")); err != nil {
		t.Fatal(err)
	}
	r := u.types("", "submit", "calls")
	if r.code != 0 || len(strings.Fields(r.out)) != 4 {
		t.Fatalf("%+v", r)
	}
	for _, want := range []string{
		"notes.wav: not a recording: text/plain", "readme.md: not a recording: text/plain",
		"scan.pdf: not a recording: application/pdf", "empty.wav: the file is empty",
		"calls/.hidden: hidden folder", "gone.wav: a link to a file that does not exist", "1 of 2  ", "2 of 2  ",
	} {
		if !strings.Contains(r.err, want) {
			t.Errorf("%q is not in\n%s", want, r.err)
		}
	}
	if all := listed(t, s); len(all) != 2 || all["a.wav"] == nil || all["b.mp3"] == nil {
		t.Errorf("%v", all)
	}
	if r := u.types("", "submit", "calls/notes.wav", "calls/a.wav"); r.code != 1 ||
		!strings.Contains(r.err, "1 of 2 recordings failed") {
		t.Errorf("a file that is named: %+v", r)
	}
	u.refused(1, "no recordings in", "submit", "calls/readme.md")
}

func TestSubmitSendsNothingTwice(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: apiOnly})
	u := at(t, s)
	u.write("calls/a.wav", call(1))
	u.write("calls/b.wav", call(2))
	u.write("calls/copy.wav", call(1))
	first := u.must("submit", "calls", "--no-wait")
	again := u.types("", "submit", "calls/b.wav", "calls/a.wav", "--no-wait")
	if !strings.Contains(again.err, "give --again to send it again") || len(listed(t, s)) != 2 {
		t.Fatalf("%+v", again)
	}
	for _, id := range []string{strings.Fields(first)[0], strings.Fields(first)[2]} {
		if !strings.Contains(again.out, id) {
			t.Errorf("%s is not in %s", id, again.out)
		}
	}
	// Another user of the account does not have this user's ledger; the server remembers the upload for a day.
	other := at(t, s)
	other.write("a.wav", call(1))
	if out := other.must("submit", "a.wav", "--no-wait"); strings.Fields(out)[0] != strings.Fields(first)[0] {
		t.Errorf("%s, then %s", first, out)
	}
	other.write("b2.wav", call(2))
	other.refused(1, "give --again to send them again", "submit", "b2.wav", "--no-wait") // with another title
	if out := u.must("submit", "calls/a.wav", "--no-wait", "--again"); strings.Contains(first, strings.Fields(out)[0]) {
		t.Errorf("%s is not new", out)
	}
	deleted := strings.Fields(u.must("submit", "calls/b.wav", "--no-wait"))[0]
	u.must("delete", "--yes", deleted)
	if out := u.must("submit", "calls/b.wav", "--no-wait"); strings.Fields(out)[0] == deleted {
		t.Error("what was deleted is not sent again")
	}
}

func TestSubmitPrintsJSONAndNothingElseOnStandardOutput(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	u := at(t, s)
	u.write("calls/a.wav", call(1))
	u.write("calls/b.wav", call(2))
	u.write("calls/notes.txt", []byte("text"))
	for _, args := range [][]string{{"--format", "json"}, {"--format", "json", "--again", "--no-wait"}} {
		out := u.must(append([]string{"submit", "calls"}, args...)...)
		lines := strings.Split(strings.TrimSpace(out), "\n")
		for _, line := range lines {
			var item struct{ MediaID string }
			if err := json.Unmarshal([]byte(line), &item); err != nil || item.MediaID == "" || len(lines) != 2 {
				t.Errorf("%v: %v in\n%s", args, err, out)
			}
		}
	}
}

func TestSubmitTakesMetadataFromEverywhere(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: apiOnly})
	u := at(t, s)
	u.write("calls/X1_spring_20260115-101500.wav", call(1))
	u.write("calls/X2_autumn_2026-01-16T0830Z.wav", call(2))
	u.write("calls/X2_autumn_2026-01-16T0830Z.json",
		[]byte(`{"title":"Ann's call","extended":{"n":1.0,"campaign":"winter"}}`))
	u.write("all.json", []byte(`{"extended":{"site":"Leeds","n":7},"callDetails":{"callDirection":"Inbound"}}`))
	u.write("calls.csv", []byte("\ufefffile,callDetails.agent.fullName,extended.campaign,extended.note\r\n"+
		"calls/X2_autumn_2026-01-16T0830Z.wav,Ann Lee,summer,\"a "+
		"\"\"b\"\"\nc\"\r\nX1_spring_20260115-101500.wav,Ben,,\r\ngone.wav,Zoe,,\r\n"))
	u.refused(1, `calls.csv:5:1: there is no file "gone.wav"`, "submit", "calls", "--no-wait", "--metadata-csv",
		"calls.csv")
	r := u.types("", "submit", "calls", "--no-wait", "--skip-missing", "--metadata", "all.json", "--metadata-csv",
		"calls.csv",
		"--name-pattern", "{externalId}_{extended.campaign}_{callDetails.callStartTime}")
	if r.code != 0 || !strings.Contains(r.err, `1 row of a file that does not exist: "gone.wav" on line 5`) {
		t.Fatalf("%+v", r)
	}
	all := listed(t, s)
	for title, want := range map[string]string{
		"X1_spring_20260115-101500.wav": `{"title":"X1_spring_20260115-101500.wav","extended":{"site":"Leeds","n":7,"campaign":"spring"},` +
			`"callDetails":{"callDirection":"Inbound","callStartTime":"2026-01-15T10:15:00","agent":{"fullName":"Ben"}},"externalId":"X1"}`,
		"Ann's call": `{"title":"Ann's call","extended":{"site":"Leeds","n":1.0,"campaign":"winter","note":"a \"b\"\nc"},` +
			`"callDetails":{"callDirection":"Inbound","callStartTime":"2026-01-16T08:30:00Z","agent":{"fullName":"Ann Lee"}},"externalId":"X2"}`,
	} {
		id, _ := all[title]["mediaId"].(string)
		got := s.Get(t, "/v3/media/"+id+"/metadata").Body
		if !bytes.Contains(got, []byte(strings.TrimPrefix(want, "{"))) {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

func TestSubmitAsksForPunctuationAndIndexingUnlessTheConfigurationSaysOtherwise(t *testing.T) {
	t.Parallel()
	const speech, index = `"speechModel":{"features":["advancedPunctuation"]}`,
		`"publish":{"enableAnalyticIndexing":true}`
	for configuration, want := range map[string]string{
		``: `{` + speech + `,` + index + `}`,
		`{"priority":"low","publish":{"callbacks":[]}}`: `{` + speech + `,` + index + `,"priority":"low"}`,
		`{"publish":{"enableAnalyticIndexing":null}}`:   `{` + speech + `,` + index + `}`,
		`{"publish":{"enableAnalyticIndexing":"false"}}`: `{` + speech +
			`,"publish":{"enableAnalyticIndexing":"false"}}`,
		`{"encryption":{"publicKeyId":"x"}}`: `{` + speech + `,"encryption":{"publicKeyId":"x"}}`,
		`{"encryption":{"publicKeyId":null},"priority":"low"}`: `{` + speech + `,` + index +
			`,"encryption":{"publicKeyId":null},"priority":"low"}`,
		`{"speechModel":{"language":"es-US"}}`: `{` + index + `,"speechModel":{"language":"es-US"}}`,
		`{"speechModel":null}`:                 `{` + speech + `,` + index + `}`,
		`{"publish":7}`:                        `{` + speech + `,"publish":7}`, `[1]`: `[1]`, `{"a":`: `{"a":`,
	} {
		if got := withDefaults(configuration); got != want {
			t.Errorf("%s: %s, want %s", configuration, got, want)
		}
	}
}

// TestTheDocumentationShowsWhatSubmitSends compares the documentation with the defaults.
func TestTheDocumentationShowsWhatSubmitSends(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"README.md", "docs/cli.md"} {
		page, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		if sent := strings.Trim(withDefaults(""), "{}"); !strings.Contains(string(page), sent) {
			t.Errorf("%s lacks %s", name, sent)
		}
	}
}

func TestWhatSubmitSendsIsAnsweredByQueries(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	u := at(t, s)
	u.write("a.wav", call(1))
	u.must("submit", "a.wav")
	if r := u.types("", "query", "SELECT mediaId, metadata:title FROM media"); !strings.Contains(r.out, "a.wav") {
		t.Errorf("%+v", r)
	}
}

// inFront starts a server that lets a function answer requests instead of s, which is behind it; a function that
// returns false leaves the request to s.
func inFront(
	t *testing.T, s *servertest.Server, answer func(w http.ResponseWriter, r *http.Request, s http.Handler) bool,
) *httptest.Server {
	t.Helper()
	base, err := url.Parse(s.Base)
	if err != nil {
		t.Fatal(err)
	}
	through := httputil.NewSingleHostReverseProxy(base)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !answer(w, r, through) {
			through.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(front.Close)
	return front
}

// TestABusyServerIsAskedAgain has a server that refuses the first upload for lack of room.
func TestABusyServerIsAskedAgain(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: apiOnly})
	var uploads atomic.Int32
	busy := inFront(t, s, func(w http.ResponseWriter, r *http.Request, _ http.Handler) bool {
		if r.Method != http.MethodPost || uploads.Add(1) > 1 {
			return false
		}
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusServiceUnavailable)
		io.WriteString(w, `{"status":503,"errors":[{"code":95014,"error":"the disk is full"}]}`)
		return true
	})
	u := at(t, s)
	u.write("a.wav", call(1))
	if r := u.types("", "submit", "a.wav", "--no-wait", "--server", busy.URL); r.code != 0 ||
		!strings.Contains(r.err, "the server is busy (HTTP 503): the disk is full (code 95014); retrying in 1s") ||
		len(listed(t, s)) != 1 {
		t.Errorf("%+v", r)
	}
}

func TestMistakesInMetadataAreToldBeforeAnythingIsSent(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: apiOnly})
	u := at(t, s)
	u.write("calls/a.wav", call(1))
	u.write("calls/sub/b.wav", call(2))
	for name, c := range map[string]struct {
		files map[string]string
		args  []string
		code  int
		want  []string
	}{
		"a column that is none": {map[string]string{"m.csv": "file,callDetails.agentName\na.wav,x\n"},
			[]string{"--metadata-csv", "m.csv"}, 1,
			[]string{`m.csv:1:6: "callDetails.agentName" is not a metadata field`, "use one of title,",
				"extended.NAME"}},
		"values": {map[string]string{"m.csv": "externalId,file,callDetails.callDirection\n1,calls/a.wav,Inbound\n2,calls/sub/b.wav,inbound\n3,b.wav,\n"}, []string{"--metadata-csv", "m.csv"}, 1,
			[]string{`m.csv:3:19: callDetails.callDirection "inbound": write exactly "Inbound"`}},
		"no column file": {map[string]string{"m.csv": "path,externalId\n"}, []string{"--metadata-csv", "m.csv"}, 1,
			[]string{`m.csv:1:1: "path" is not a metadata field`, `missing column "file"`}},
		"cells": {map[string]string{"m.csv": "file,externalId\na.wav\n"}, []string{"--metadata-csv", "m.csv"}, 1,
			[]string{"m.csv:2:1: the row must have 2 cells"}},
		"quotes": {map[string]string{"m.csv": "file,externalId\na.wav,\"x\n"}, []string{"--metadata-csv", "m.csv"},
			1, []string{"m.csv:"}},
		"inside": {map[string]string{"m.csv": "file,extended.a,extended.a.b\n"},
			[]string{"--metadata-csv", "m.csv"}, 1,
			[]string{`m.csv:1:17: the columns "extended.a.b" and "extended.a" conflict`}},
		"no name": {map[string]string{"m.csv": "file,externalId,\na.wav,1,x\n"}, []string{"--metadata-csv", "m.csv"},
			1, []string{`m.csv:2:9: the column that contains "x" has no name`}},
		"rows twice": {map[string]string{"m.csv": "file;externalId\na.wav;1\ncalls/a.wav;2\n"},
			[]string{"--metadata-csv", "m.csv"}, 1, []string{`m.csv:3:1: "calls/a.wav" already has a row, on line 2`}},
		"a name": {nil, []string{"--name-pattern", "{externalId}_{extended.x}"}, 1,
			[]string{`calls/a.wav: the name "a" does not match the pattern`, `calls/sub/b.wav: the name "b"`}},
		"a pattern": {nil, []string{"--name-pattern", "{externalId}{extended.x}"}, 2,
			[]string{"put text between them"}},
		"one inside": {nil, []string{"--name-pattern", "{extended.a.b}_{extended.a}"}, 2,
			[]string{"{extended.a} and {extended.a.b} conflict"}},
		"its field": {nil, []string{"--name-pattern", "{agent}"}, 2, []string{`"agent" is not a metadata field`}},
		"a sidecar": {map[string]string{"calls/a.json": `{"externalId":7}`}, nil, 1,
			[]string{"calls/a.json: /externalId"}},
		"its JSON": {map[string]string{"calls/a.json": `{"externalId":`}, nil, 1, []string{"calls/a.json: line 1"}},
		"shared": {map[string]string{"m.json": `{"title":1}`}, []string{"--metadata", "m.json"}, 1,
			[]string{"m.json: /title"}},
	} {
		for file, content := range c.files {
			u.write(file, []byte(content))
		}
		r := u.types("", append([]string{"submit", "calls", "--no-wait"}, c.args...)...)
		if r.code != c.code || r.out != "" {
			t.Errorf("%s: exit %d\n%s%s", name, r.code, r.out, r.err)
		}
		for _, want := range c.want {
			if !strings.Contains(r.err, want) {
				t.Errorf("%s: %q is not in\n%s", name, want, r.err)
			}
		}
		for file := range c.files {
			os.Remove(filepath.Join(u.home, file))
		}
	}
	if all := listed(t, s); len(all) != 0 {
		t.Errorf("sent: %v", all)
	}
}

func TestATranscriptBesideARecordingIsNotMetadata(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: apiOnly})
	u := at(t, s)
	u.write("a.wav", call(1))
	u.write("a.json", []byte(`{"mediaId":"1","transcript":{"words":[]}}`))
	r := u.types("", "submit", "a.wav", "--no-wait")
	if r.code != 0 || !strings.Contains(r.err, "a.json is not metadata but looks like a transcript") ||
		listed(t, s)["a.wav"] == nil {
		t.Errorf("%+v", r)
	}
}

// TestWhatWasSentBeforeWithOtherDocumentsIsSaid sends the same bytes with other metadata and another configuration.
func TestWhatWasSentBeforeWithOtherDocumentsIsSaid(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: apiOnly})
	u := at(t, s)
	u.write("a.wav", call(1))
	id := strings.Fields(u.must("submit", "a.wav", "--no-wait"))[0]
	r := u.types("", "submit", "a.wav", "--no-wait")
	if r.code != 0 || !strings.Contains(r.err, "was sent before, as "+id+"; give --again") ||
		strings.Contains(r.err, "parley metadata") || strings.Contains(r.err, "reprocess") {
		t.Errorf("the same: %+v", r)
	}
	u.write("copy.wav", call(1)) // under another name, which is its title by default
	if r = u.types("", "submit", "copy.wav", "--no-wait"); r.code != 0 || strings.Contains(r.err, "parley metadata") {
		t.Errorf("a copy: %+v", r)
	}
	ledger, err := batch.OpenLedger(filepath.Join(u.home, "state", "parley", "sent"), s.Base)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := batch.SumOf(filepath.Join(u.home, "a.wav"))
	sent, _ := ledger.Find(sum)
	sent.Metadata = batch.SumOfDocuments(`{"title":"a.wav"}`) // as the first version summed it
	if err := errors.Join(err, ledger.Add(sent)); err != nil {
		t.Fatal(err)
	}
	if r = u.types("", "submit", "a.wav", "--no-wait"); r.code != 0 || strings.Contains(r.err, "parley metadata") {
		t.Errorf("with an earlier ledger: %+v", r)
	}
	metadata := u.write("m.json", []byte(`{"externalId":"4711"}`))
	r = u.types("", "submit", "a.wav", "--no-wait", "--metadata", metadata)
	if has(t, r.err, "parley metadata "+id+" --put FILE"); strings.Contains(r.err, "reprocess") {
		t.Errorf("other metadata: %+v", r)
	}
	configuration := u.write("c.json", []byte(`{"priority":"low"}`))
	r = u.types("", "submit", "a.wav", "--no-wait", "--configuration", configuration)
	if has(t, r.err, "parley reprocess "+id+" --configuration "+configuration); strings.Contains(r.err,
		"parley metadata") {
		t.Errorf("another configuration: %+v", r)
	}
	if len(listed(t, s)) != 1 {
		t.Error("it was sent again")
	}
	u.must("metadata", id, "--put", metadata)
	if all := s.Get(t, "/v3/media/"+id+"/metadata").JSON(t); all["externalId"] != "4711" {
		t.Errorf("the remedy does not work: %v", all)
	}
}

// TestTheSameBytesWithOtherMetadataAreRefused has two files with the same bytes, each with its own row.
func TestTheSameBytesWithOtherMetadataAreRefused(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: apiOnly})
	u := at(t, s)
	u.write("calls/ann.wav", call(1))
	u.write("calls/ben.wav", call(1))
	u.write("m.csv", []byte("file,externalId\ncalls/ann.wav,ANN\ncalls/ben.wav,BEN\n"))
	r := u.types("", "submit", "calls", "--metadata-csv", "m.csv", "--no-wait")
	if r.code != 1 || len(listed(t, s)) != 1 {
		t.Errorf("%+v", r)
	}
	has(t, r.err, "ben.wav: it has the same bytes as", "ann.wav, which was just sent",
		"give --again to send it as a separate recording")
	u.must("submit", "calls/ben.wav", "--metadata-csv", "m.csv", "--no-wait", "--again")
	if all := listed(t, s); len(all) != 2 {
		t.Errorf("the remedy does not work: %v", all)
	}
}

// TestACopyOfARecordingThatWasRefusedIsSent has a server that refuses the first of two files with the same bytes.
func TestACopyOfARecordingThatWasRefusedIsSent(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: apiOnly})
	var uploads atomic.Int32
	refusing := inFront(t, s, func(w http.ResponseWriter, r *http.Request, _ http.Handler) bool {
		if r.Method != http.MethodPost || uploads.Add(1) > 1 {
			return false
		}
		w.WriteHeader(http.StatusBadRequest)
		return true
	})
	u := at(t, s)
	u.write("calls/ann.wav", call(1))
	u.write("calls/ben.wav", call(1))
	u.write("m.csv", []byte("file,externalId\ncalls/ann.wav,ANN\ncalls/ben.wav,BEN\n"))
	r := u.types("", "submit", "calls", "--metadata-csv", "m.csv", "--no-wait", "--server", refusing.URL)
	if all := listed(t, s); r.code != 1 || len(all) != 1 || all["ben.wav"] == nil {
		t.Errorf("%+v: %v", r, all)
	}
}

// TestFilesOfOthersAreKept writes transcripts to places with files that it did not write, and with its own files.
func TestFilesOfOthersAreKept(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	u := at(t, s)
	u.write("calls/call.wav", call(1))
	reference := u.write("calls/call.txt", []byte("typed by hand"))
	written := func() string {
		t.Helper()
		text, err := os.ReadFile(reference)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	r := u.types("", "submit", "calls/call.wav", "--format", "text", "--output", "calls")
	if has(t, r.err, "call.txt exists; give --force to replace it"); r.code != 1 ||
		written() != "typed by hand" {
		t.Errorf("%+v: %s", r, written())
	}
	id := s.Get(t, "/v3/media").JSON(t)["media"].([]any)[0].(map[string]any)["mediaId"].(string)
	u.write("out/"+id+".txt", []byte("of somebody else"))
	u.refused(1, "give --force to replace it", "transcript", id, "--output", "out")
	u.must("transcript", id, "--output", "out", "--force")
	u.must("transcript", id, "--output", "out") // the same content
	u.must("submit", "calls/call.wav", "--format", "text", "--output", "calls", "--force")
	if written() == "typed by hand" {
		t.Error("--force replaces nothing")
	}
}

// TestReprocessingWithAConfigurationKeepsTheDefaultsOfUploads uses a configuration that sets neither default.
func TestReprocessingWithAConfigurationKeepsTheDefaultsOfUploads(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	u := at(t, s)
	u.write("a.wav", call(1))
	id := strings.Fields(u.must("submit", "a.wav"))[0]
	configuration := u.write("c.json", []byte(`{"priority":"low"}`))
	u.must("reprocess", id, "--configuration", configuration)
	if out := u.must("query", "SELECT mediaId FROM media"); !strings.Contains(out, id) {
		t.Errorf("queries do not find it any more:\n%s", out)
	}
}

// TestDocumentsAreCheckedBeforeAnythingIsSent has files that are invalid by themselves, one with a mistake that only
// the server finds, and texts in undeclared encodings.
func TestDocumentsAreCheckedBeforeAnythingIsSent(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: apiOnly})
	u := at(t, s)
	u.write("calls/a.wav", call(1))
	u.write("calls/b.wav", call(2))
	for _, c := range []struct {
		file, content, flag string
		want                []string
	}{
		{"c.json", `{"priority":"low",}`, "--configuration",
			[]string{"c.json: the configuration is invalid JSON: line 1"}},
		{"c.json", `{"priority":7,"colour":"red"}`, "--configuration",
			[]string{"c.json: /priority: ", "c.json: /colour: "}},
		{"c.json", `{"vocabularies":[{"vocabularyName":"none"}]}`, "--configuration",
			[]string{"/a.wav: --configuration ", "c.json: configuration: /vocabularies/0",
				"skipping 1 more"}},
		{"c.json", "{\"priority\":\"l\xf6w\"}", "--configuration", []string{"c.json:1: the byte 0xF6 is not UTF-8"}},
		{"m.json", "{\n\"title\":\"Ren\xe9\"}", "--metadata", []string{"m.json:2: the byte 0xE9 is not UTF-8"}},
		{"m.csv", "file,title\na.wav,Ren\xe9\n", "--metadata-csv",
			[]string{"m.csv:2: the byte 0xE9 is not UTF-8", "iconv -f WINDOWS-1252"}},
		{"calls/a.json", "{\"title\":\"Ren\xe9\"}", "", []string{"calls/a.json:1: the byte 0xE9 is not UTF-8"}},
	} {
		args := []string{"submit", filepath.Join(u.home, "calls"), "--no-wait"}
		if path := u.write(c.file, []byte(c.content)); c.flag != "" {
			args = append(args, c.flag, path)
		}
		r := u.types("", args...)
		if r.code != 1 || r.out != "" {
			t.Errorf("%s %q: %+v", c.file, c.content, r)
		}
		has(t, r.err, c.want...)
		os.Remove(filepath.Join(u.home, c.file))
	}
	u.write("t.json", []byte(`{"words":[{"w":"a"`))
	u.refused(1, "t.json: transcript: ", "submit", "calls/a.wav", "--no-wait", "--transcript", "t.json")
	if all := listed(t, s); len(all) != 0 {
		t.Errorf("sent: %v", all)
	}
}

func TestTranscriptsOfSeveralRecordingsHaveTheirNames(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	u := at(t, s)
	u.write("one/a.wav", call(1))
	u.write("two/a.wav", call(2))
	u.write("two/b.wav", call(3))
	u.write("two/broken.wav", append([]byte("RIFF\x10\x00\x00\x00WAVE"), make([]byte, 100)...))
	r := u.types("", "submit", "one", "two/a.wav", "--format", "text")
	ids := map[string]string{}
	for line := range strings.Lines(r.err) {
		if id, path, ok := strings.Cut(strings.TrimSpace(line), "  "); ok && len(id) == 36 {
			ids[strings.TrimPrefix(path, u.home+"/")] = id
		}
	}
	first, second := ids["one/a.wav"], ids["two/a.wav"]
	want := "==> " + u.home + "/one/a.wav (" + first + ") <=="
	if r.code != 0 || !strings.HasPrefix(r.out, want+"\n") ||
		!strings.Contains(r.out, "\n\n==> "+u.home+"/two/a.wav ("+second+") <==\n") {
		t.Errorf("%+v", r)
	}
	u.must("metadata", first, "--put", u.write("m.json", []byte(`{"title":"Ann's call"}`)))
	u.must("metadata", second, "--put", u.write("none.json", []byte(`{}`)))
	out := u.must("transcript", first, second)
	has(t, out, "==> Ann's call ("+first+") <==\n", "\n\n==> "+second+" <==\n")
	if out := u.must("transcript", first); strings.Contains(out, "==>") {
		t.Errorf("one has a heading: %s", out)
	}

	u.refused(2, "needs --output DIR", "submit", "one", "two/a.wav", "--format", "srt")
	u.refused(2, "needs --output DIR", "transcript", first, second, "--format", "webvtt")
	u.refused(2, "whose metadata file is a.json", "submit", "one", "--format", "json", "--output", "one")
	if err := os.Mkdir(filepath.Join(u.home, "out"), 0o700); err != nil {
		t.Fatal(err)
	}
	u.must("submit", "one/a.wav", "two/a.wav", "two/b.wav", "--format", "srt", "-o", "out")
	for _, name := range []string{"a-" + first + ".srt", "a-" + second + ".srt", "b.srt"} {
		if _, err := os.Stat(filepath.Join(u.home, "out", name)); err != nil {
			t.Error(err)
		}
	}

	u.write("notes.txt", []byte("no recording\n"))
	r = u.types("", "submit", "two", "notes.txt", "--format", "json")
	lines := map[string]map[string]any{}
	for line := range strings.Lines(r.out) {
		var l map[string]any
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("%v in %s", err, r.out)
		}
		lines[filepath.Base(l["file"].(string))] = l
	}
	if r.code != 1 || len(lines) != 4 {
		t.Fatalf("%+v", r)
	}
	for name, status := range map[string]string{"a.wav": "finished", "b.wav": "finished", "broken.wav": "failed",
		"notes.txt": "refused"} {
		l := lines[name]
		_, failed := l["error"].(string)
		_, spoken := l["transcript"].(map[string]any)
		if l["status"] != status || failed == (status == "finished") || spoken != (status == "finished") ||
			name != "notes.txt" && l["mediaId"] == nil {
			t.Errorf("%s: %v", name, l)
		}
	}
}

// TestARestartOfTheServerIsOutlived loses the answer of an accepted upload, refuses the next requests like a proxy
// whose server is down, and drops connections.
func TestARestartOfTheServerIsOutlived(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	var uploads, looks atomic.Int32
	flaky := inFront(t, s, func(w http.ResponseWriter, r *http.Request, through http.Handler) bool {
		switch {
		case r.Method == http.MethodPost && uploads.Add(1) == 1:
			through.ServeHTTP(httptest.NewRecorder(), r) // accepted, but the answer is lost
			panic(http.ErrAbortHandler)
		case strings.HasSuffix(r.URL.Path, "/progress") && looks.Add(1) == 1:
			panic(http.ErrAbortHandler)
		case strings.HasSuffix(r.URL.Path, "/progress") && looks.Load() == 2:
			http.Error(w, "restarting", http.StatusBadGateway)
			return true
		}
		return false
	})
	u := at(t, s)
	u.write("a.wav", call(1))
	u.write("b.wav", call(2))
	for _, again := range []string{"", "--again"} {
		uploads.Store(0)
		looks.Store(0)
		args := []string{"submit", "a.wav", "--server", flaky.URL}
		if again != "" {
			args = append(args, again)
		}
		before := s.Get(t, "/v3/media").JSON(t)["media"].([]any)
		r := u.types("", args...)
		after := s.Get(t, "/v3/media").JSON(t)["media"].([]any)
		if r.code != 0 || len(after) != len(before)+1 || uploads.Load() != 2 {
			t.Errorf("%s: %d recordings more, %d uploads: %+v", again, len(after)-len(before), uploads.Load(), r)
		}
		has(t, r.err, "the server does not answer (EOF); retrying in 1s", "the server is busy (HTTP 502); retrying in 1s")
	}
	flaky.Close()
	if r := u.types("", "submit", "a.wav", "b.wav", "--server", flaky.URL); r.code != 1 ||
		strings.Count(r.err, "\n") != 1 {
		t.Errorf("a server that was never there is waited for, or told for each recording: %+v", r)
	}
}
