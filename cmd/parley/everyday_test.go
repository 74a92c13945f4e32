package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parley/internal/testkit/servertest"
	"parley/internal/words/account"
)

// document parses JSON printed by a command.
func (u *user) document(args ...string) map[string]any {
	u.t.Helper()
	out := u.must(args...)
	var body map[string]any
	if err := json.Unmarshal([]byte(out), &body); err != nil {
		u.t.Fatalf("parley %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return body
}

// has checks that a text contains all words.
func has(t *testing.T, text string, words ...string) {
	t.Helper()
	for _, word := range words {
		if !strings.Contains(text, word) {
			t.Errorf("%q is not in\n%s", word, text)
		}
	}
}

func TestRecordingsAreListedFoundShownAndDeleted(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	u := at(t, s)
	u.must("search-fields", "put", "extended.team")
	words := `{"words":[{"w":"router","s":0,"e":200},{"w":"broken","s":200,"e":500}]}`
	router := s.Submit(t, servertest.File("media", "a.wav", call(1)), servertest.Field("transcript", words),
		servertest.Field("metadata", `{"title":"A \u001b[31mred\ncall","externalId":"x1","extended":{"team":"north"}}`))
	other := s.Submit(t, servertest.File("media", "b.wav", call(2)), servertest.Field("metadata", `{"title":"B"}`))
	created := s.Await(t, router)["dateCreated"].(string)
	s.Await(t, other)

	all := u.must("list")
	has(t, all, "MEDIA", router, other, "finished", "0:01", "x1", "A  [31mred call")
	if strings.Contains(all, "\x1b") || len(strings.Split(strings.TrimSpace(all), "\n")) != 3 {
		t.Errorf("%q", all)
	}
	at, err := time.Parse(time.RFC3339, created)
	if err != nil {
		t.Fatal(err)
	}
	has(t, all, at.In(time.FixedZone("IST", 19800)).Format("2006-01-02 15:04"))
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"list", "--external-id", "x1"}, router}, {[]string{"list", "--field", "team:north"}, router},
		{[]string{"list", "--oldest", "--limit", "1"}, router},
		{[]string{"list", "--limit", "1"}, other}, {[]string{"search", "router", "broken"}, router},
		{[]string{"search", `"router broken"`, "--status", "finished"}, router},
	} {
		found := u.document(append(c.args, "--json")...)["media"].([]any)
		if len(found) != 1 || found[0].(map[string]any)["mediaId"] != c.want {
			t.Errorf("%v: %v", c.args, found)
		}
	}
	if found := u.document("list", "--until", "2001-01-01", "--json"); len(found["media"].([]any)) != 0 {
		t.Errorf("%v", found)
	}
	if r := u.types("", "list", "--field", "nobody:1"); r.code != 0 ||
		!strings.Contains(r.err, `"nobody" is not defined`) {
		t.Errorf("%+v", r)
	}

	shown := u.must("get", router)
	has(t, shown, "status        finished", "router broken", "externalId: x1")
	if u.document("get", router, "--json")["mediaId"] != router {
		t.Error("JSON of another item")
	}
	if lines := strings.Split(strings.TrimSpace(u.must("get", router, other, "--json")), "\n"); len(lines) != 2 {
		t.Errorf("%d lines", len(lines))
	}
	if text := u.must("transcript", router); text != string(s.Get(t, "/v3/media/"+router+"/transcript/text").Body) {
		t.Errorf("%q", text)
	}
	has(t, u.must("transcript", router, "--format", "webvtt"), "WEBVTT")
	if u.document("transcript", router, "--json")["mediaId"] != router {
		t.Error("JSON of another transcript")
	}
	u.must("transcript", router, other, "--format", "srt", "-o", ".")
	if body, err := os.ReadFile(filepath.Join(u.home, router+".srt")); err != nil ||
		!bytes.Contains(body, []byte("-->")) {
		t.Errorf("%s, %v", body, err)
	}
	has(t, u.must("progress", router), "finished", "100 %")
	if u.document("progress", router, "--json")["status"] != "finished" {
		t.Error("JSON of another progress")
	}

	u.refused(2, "--yes", "delete", router)
	if out := u.must("delete", "--yes", router); out != router+"\n" ||
		s.Get(t, "/v3/media/"+router).Status != http.StatusNotFound {
		t.Errorf("%q", out)
	}
	r := u.types("", "get", router, other, "--json")
	if r.code != 1 || !strings.Contains(r.err, router+": ") || !strings.Contains(r.err, "1 of 2 recordings failed") ||
		strings.Count(r.out, "\n") != 2 ||
		!strings.Contains(r.out, `{"mediaId":"`+router+`","status":"failed","error":"no media`) {
		t.Errorf("%+v", r)
	}
}

func TestAListGoesOnBeyondOnePageOfTheServer(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: apiOnly})
	for n := range 3 {
		s.Submit(t, servertest.File("media", "a.wav", call(n)))
	}
	base, err := url.Parse(s.Base)
	if err != nil {
		t.Fatal(err)
	}
	pages := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(base)
		values := r.In.URL.Query()
		values.Set("limit", "1")
		r.Out.URL.RawQuery = values.Encode()
	}})
	defer pages.Close()
	u := at(t, s)
	if found := u.document("list", "--json", "--server", pages.URL)["media"].([]any); len(found) != 3 {
		t.Errorf("%d of 3", len(found))
	}
	if found := u.document("list", "--json", "--limit", "2", "--server", pages.URL)["media"].([]any); len(found) != 2 {
		t.Errorf("%d of 2", len(found))
	}
}

// TestADownloadGoesOnWhereItWasInterrupted cuts the connection once in the middle of a download.
func TestADownloadGoesOnWhereItWasInterrupted(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: apiOnly})
	sound := servertest.Tone(60, 2)
	id := s.Submit(t, servertest.File("media", "a.wav", sound))
	var gets atomic.Int32
	var from atomic.Value
	cut := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request, err := http.NewRequestWithContext(r.Context(), r.Method, s.Base+r.URL.Path, nil)
		if err != nil {
			t.Error(err)
			return
		}
		request.Header = r.Header.Clone()
		answer, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			t.Error(err)
			return
		}
		defer answer.Body.Close()
		for name, values := range answer.Header {
			w.Header()[name] = values
		}
		w.WriteHeader(answer.StatusCode)
		body := io.Reader(answer.Body)
		if r.Method == http.MethodGet && gets.Add(1) == 1 {
			body = io.LimitReader(body, 1_000_000)
		} else {
			from.Store(r.Header.Get("Range"))
		}
		io.Copy(w, body)
	}))
	defer cut.Close()
	u := at(t, s)
	u.refused(1, "run the command again to continue", "download", id, "--server", cut.URL)
	whole := filepath.Join(u.home, id+"-original.wav")
	if _, err := os.Stat(whole); err == nil {
		t.Error("half a recording has the name of a whole one")
	}
	if out := u.must("download", id, "--server", cut.URL); out != filepath.Base(whole)+"\n" {
		t.Errorf("%q", out)
	}
	if got, err := os.ReadFile(whole); err != nil || !bytes.Equal(got, sound) || from.Load() != "bytes=1000000-" {
		t.Errorf("%d of %d bytes, second from %v (%v)", len(got), len(sound), from.Load(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(u.home, "*.part")); left != nil {
		t.Errorf("left: %v", left)
	}
	u.must("download", id) // the same content
	other := bytes.Repeat([]byte{7}, len(sound))
	for _, content := range [][]byte{other, other[:9]} {
		u.write(filepath.Base(whole), content)
		u.refused(1, "give --force to replace it", "download", id)
	}
	u.must("download", id, "--force")
	if out := u.must("download", id, "-o", "-"); out != string(sound) {
		t.Errorf("%d bytes on standard output", len(out))
	}
	u.refused(1, "redacted-audio", "download", id, "--stream", "redacted-audio")
	u.refused(2, "is not a folder, but there are 2 recordings", "download", id, id, "-o", "x.wav")
}

// TestAFileThatAppearsDuringADownloadIsKept writes a file of the name of a download before the last byte arrives.
func TestAFileThatAppearsDuringADownloadIsKept(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: apiOnly})
	id := s.Submit(t, servertest.File("media", "a.wav", call(1)))
	u := at(t, s)
	slow := inFront(t, s, func(_ http.ResponseWriter, r *http.Request, _ http.Handler) bool {
		if r.Method == http.MethodGet {
			u.write("call.wav", []byte("of somebody else"))
		}
		return false
	})
	u.refused(1, "call.wav exists; give --force to replace it", "download", id, "-o", "call.wav", "--server", slow.URL)
	if got, err := os.ReadFile(filepath.Join(u.home, "call.wav")); string(got) != "of somebody else" {
		t.Errorf("%d bytes (%v)", len(got), err)
	}
}

func TestDefinitionsAreListedShownSavedAndDeleted(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: apiOnly})
	u := at(t, s)
	u.write("churn.txt", []byte("\"Caller\" SAYS \"cancel\"\n"))
	u.write("churn.json", []byte(`{"categoryDescription":"wants to go","query":"\"Caller\" SAYS \"leave\""}`))
	u.write("words.txt", []byte("router\nmy * phone\n"))
	for _, c := range []struct{ kind, name, file, key, shows string }{
		{"categories", "churn", "churn.txt", "categoryName", `"query": "\"Caller\" SAYS \"cancel\""`},
		{"categories", "churn", "churn.json", "categoryName", "wants to go"},
		{"groups", "things", "words.txt", "groupName", `"my * phone"`},
		{"vocabularies", "names", "words.txt", "vocabularyName", `"term": "router"`},
	} {
		if out := u.must(c.kind, "put", c.name, c.file); out != c.name+"\n" {
			t.Errorf("%s: %q", c.kind, out)
		}
		has(t, u.must(c.kind, "list"), c.name)
		shown := u.must(c.kind, "get", c.name)
		has(t, shown, c.shows)
		if list := u.document(c.kind, "list", "--json")[c.kind].([]any); len(list) != 1 ||
			list[0].(map[string]any)[c.key] != c.name {
			t.Errorf("%s: %v", c.kind, list)
		}
		if r := u.types(shown, c.kind, "put", c.name, "-"); r.code != 0 {
			t.Errorf("what get prints is not taken: %+v", r)
		}
		u.refused(2, "--yes", c.kind, "delete", c.name)
	}
	for _, kind := range []string{"categories churn", "groups things", "vocabularies names"} {
		kind, name, _ := strings.Cut(kind, " ")
		u.must(kind, "delete", name, "--yes")
		u.refused(1, "HTTP 404", kind, "get", name)
	}
	u.write("bad.json", []byte(`{"query":"\"Caller\" SAYS","colour":"red"}`))
	r := u.types("", "categories", "put", "bad", "bad.json")
	has(t, r.err, "2 problems (HTTP 400, reference ", "/colour", "/query", "(code 10008)")

	if out := u.must("search-fields", "put", "extended.team",
		"callDetails.agent.fullName"); out != "extended.team\ncallDetails.agent.fullName\n" {
		t.Errorf("%q", out)
	}
	has(t, u.must("search-fields", "get"), "extended.team")
	if list := u.document("search-fields", "get", "--json")["fields"].([]any); len(list) != 2 {
		t.Errorf("%v", list)
	}
}

// TestSearchFieldsAreDeleted checks only the request.
func TestSearchFieldsAreDeleted(t *testing.T) {
	t.Parallel()
	var asked string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.Method + " " + r.URL.Path
		w.WriteHeader(http.StatusNoContent)
	}))
	defer server.Close()
	u := newUser(t)
	u.env = append(u.env, "PARLEY_TOKEN=x")
	u.must("search-fields", "delete", "--yes", "--server", server.URL)
	if asked != "DELETE /v3/definition/media/search" {
		t.Error(asked)
	}
}

func TestWhereverSomethingIsListedItIsJSONToo(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	u := at(t, s)
	id := s.Submit(t, servertest.File("media", "a.wav", call(1)))
	s.Await(t, id)
	month := time.Now().UTC().Format("2006-01")
	for _, args := range [][]string{
		{"keys"}, {"usage"}, {"usage", month}, {"audit"}, {"callbacks", "failing"}, {"callbacks", "list", id},
		{"callbacks", "secret", "list"},
		{"classifier", "list"}, {"public-key", "list"}, {"query", "SELECT count(*) FROM media"},
		{"query", `* SAYS "x"`},
	} {
		u.document(append(args, "--json")...)
		u.must(args...)
	}
	has(t, u.must("audit"), "first start (…"+s.Token[len(s.Token)-6:]+")")
	has(t, u.must("keys"), s.Token[len(s.Token)-6:])
	dir := []string{"--data", s.Dir, "--database", "sqlite://" + filepath.Join(s.Dir, "parley.db")}
	for _, args := range [][]string{{"queue", "list"}, {"token", "list"}, {"account", "list"}, {"storage-key", "list"},
		{"models", "list"}} {
		var list []any
		if out := u.must(append(append(args, "--json"), dir...)...); json.Unmarshal([]byte(out), &list) != nil {
			t.Errorf("%v: %s", args, out)
		}
	}
}

func TestMistakesInCommandsExitWith2AndOthersWith1(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: apiOnly})
	u := at(t, s)
	for _, args := range [][]string{
		{}, {"lis"}, {"list", "--colour"}, {"list", "--limit", "x"}, {"list", "--limit", "0"}, {"get"},
		{"list", "--server", "ftp://x"}, {"list", "--server", "http://"},
		{"help", "lis"}, {"usage", "May"}, {"query", "SELECT"}, {"transcript", "x", "--format", "docx"},
		{"list", "--from", "yesterday"}, {"list", "--until", "2026-13-01"}, {"search", "x", "--from", "1 May"},
		{"list", "--field", "team"},
		{"list", "--external-id", ""}, {"list", "--from", "2026-11-23", "--until", "2026-11-01"},
		{"query", "length > 0", "--from", "yest"}, {"query", "length > 0", "--samples", "101"},
		{"query", "SELECT\n* FROM media", "--from", "2026-01-01"},
		{"query", "\texplain\tSELECT * FROM media", "--until", "2026-01-01"},
		{"query", "SELECT * FROM media", "--samples", "5"},
		{"audit", "--limit", "1001"}, {"audit", "--limit", "0"}, {"transcript", "x", "y", "--format", "srt"},
		{"transcript", "x", "--json", "--format", "srt"},
		{"submit", "gone.wav"}, {"submit", ".", "--no-wait", "--format", "text"}, {"reprocess", "x", "--output", "."},
		{"reprocess", "x", "--configuration", "gone.json"},
		{"metadata", "x", "--put", "gone.json"}, {"categories", "put", "x", "gone.txt"},
		{"public-key", "add", "gone.asc"}, {"analyze", "gone.json"},
		{"transcribe", "/dev/null", "--language", "xx"},
		{"token", "create", "--scopes", "foo"}, {"token", "create", "--expires=-1h"},
		{"token", "create", "--expires", "1y"},
		{"token", "list", "--database", "mysql://x"}, {"serve", "--role", "wrk"},
		{"serve", "--role", "worker", "--data", "d"}, {"demo", "--role", "api"},
		{"account", "limit", "default", "--rate", "many"},
		{"account", "limit", "default", "--storage", "much"}, {"account", "set", "default", "colour=red"},
		{"account", "retention", "default", "soon"},
		{"doctor", "--grace", "1m"}, {"doctor", "--many"}, {"queue", "requeue"}, {"queue", "list", "--limit", "0"},
		{"bench", "ingest", "--size", "big"}, {"bench", "upload", "--size", "big"},
		{"bench", "stalled", "--uploads", "0"}, {"bench", "query", "--calls", "0"},
		{"export", "calls", "-o", "calls.xls"},
	} {
		u.refused(2, "parley: ", args...)
	}
	limits := append([]string{"account", "limit", "default", "--data", s.Dir}, "--database",
		"sqlite://"+filepath.Join(s.Dir, "parley.db"))
	u.refused(2, "parley: give --storage, --rate or both", limits...)
	u.refused(1, "no database in", "account", "limit", "default", "--data", "nodir")
	u.refused(1, "no database in", "account", "delete", "default", "--data", "nodir")
	u.refused(1, "check that the server runs there", "list", "--server", "127.0.0.1:1")
	u.refused(1, "HTTP 401", "list", "--token", "wrong")
	u.refused(1, "reference ", "get", "0197a000-0000-7000-8000-000000000000")
	u.refused(1, "does not use TLS; if you trust the network to it, give --server http://", "list", "--server",
		strings.Replace(s.Base, "http:", "https:", 1))
	narrow := s.As(t, "firm", account.Analytics)
	u.refused(1, "media:read", "list", "--token", narrow.Token)
}

func TestHelpAndVersionAreOnStandardOutput(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	version := u.must("version")
	if name, of, ok := strings.Cut(strings.TrimSuffix(version, "\n"), " "); !ok || name != "parley" || of == "" {
		t.Errorf("version: %q", version)
	}
	if out := u.must("--version"); out != version {
		t.Errorf("--version: %q, version: %q", out, version)
	}
	for _, pair := range [][2][]string{{{"help"}, {"--help"}},
		{{"help", "categories", "put"}, {"categories", "put", "--help"}}} {
		if a, b := u.must(pair[0]...), u.must(pair[1]...); a != b || !strings.HasPrefix(a, "Usage: parley") {
			t.Errorf("%v: %s\n%v: %s", pair[0], a, pair[1], b)
		}
	}
}

func TestShellsCompleteCommandsFlagsAndValues(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	for _, c := range []struct{ words, want string }{
		{"tran", "transcribe transcript"}, {"categories p", "put"}, {"search-fields g", "get"},
		{"list --stat", "--status"}, {"list --status f", "failed finished"},
		{"list --limit ", ""}, {"transcript x --format w", "webvtt"}, {"completion ", "bash fish zsh"},
		{"export c", "calls categories"}, {"--config x lis", "list"}, {"engine-", ""},
	} {
		out := u.must(append([]string{"complete-words", "--"}, strings.Split(c.words, " ")...)...)
		if got := strings.Join(strings.Fields(out), " "); got != c.want {
			t.Errorf("%q: %q, want %q", c.words, got, c.want)
		}
	}
	script := u.must("completion", "bash")
	bash := exec.CommandContext(t.Context(), "bash", "-c", script+`
COMP_WORDS=("$0" transcript x --format w) COMP_CWORD=4
_parley
echo "${COMPREPLY[@]}"`, programPath(t))
	bash.Env = u.env
	if out, err := bash.Output(); err != nil || string(out) != "webvtt\n" {
		t.Errorf("bash: %q, %v", out, err)
	}
}

func TestQueriesAndExportsTellWhatTheyLeaveOut(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	u := at(t, s)
	s.Await(t, s.Submit(t, servertest.File("media", "a.wav", call(1))))
	for _, args := range [][]string{{"query", "SELECT count(*) FROM media"}, {"query", "EXPLAIN SELECT * FROM media"},
		{"export", "calls"}} {
		if r := u.types("", args...); r.code != 0 || !strings.Contains(r.err, "leaves out: 1") ||
			strings.Contains(r.out, "leaves out") {
			t.Errorf("%v: %+v", args, r)
		}
	}
	if r := u.types("", "query", "length > 0"); r.code != 0 || strings.Contains(r.err, "leaves out") ||
		!strings.Contains(r.out, "1 of 1 call (") {
		t.Errorf("%+v", r)
	}
	if n := u.document("query", "SELECT count(*) FROM media", "--json")["notIndexed"]; n != 1.0 {
		t.Errorf("%v", n)
	}
	for _, command := range [][]string{{"query"}, {"export", "calls", "--query"}} {
		u.refused(2, "invalid query:", append(command, "length >")...)
	}
	u.must("export", "calls", "-o", "calls.csv")
	u.refused(1, "calls.csv exists", "export", "calls", "-o", "calls.csv")
	if left, _ := filepath.Glob(filepath.Join(u.home, ".calls*")); left != nil {
		t.Errorf("left: %v", left)
	}
}

func TestFilesThatAreNotThereAreNamedInPlainWords(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: apiOnly})
	u := at(t, s)
	for want, args := range map[string][]string{
		"parley: there is no file or folder ":                {"submit", "gone.wav"},
		"parley: error: <file>: there is no file or folder ": {"categories", "put", "x", "gone.txt"},
		"parley: error: --configuration: there is no file or folder ": {"submit", ".", "--configuration",
			"gone.json"},
		"parley: there is no folder " + filepath.Join(u.home, "gone") + "\n": {"export", "calls", "-o",
			"gone/calls.csv"},
	} {
		if r := u.types("", args...); r.code == 0 || !strings.Contains(r.err, want) ||
			strings.Contains(r.err, "no such file") {
			t.Errorf("%v: %+v, want %q", args, r, want)
		}
	}
}

// TestFlagsAreNamedAsTheyAreTyped covers flags that become a configuration.
func TestFlagsAreNamedAsTheyAreTyped(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.write("words.json", []byte(`{"terms":[{"term":7}]}`))
	r := u.types("", "transcribe", "/dev/null", "--language", "xx", "--vocabulary", "words.json")
	has(t, r.err, "--language: no speech engine", "--punctuation (--no-punctuation turns it off): ",
		"--vocabulary "+filepath.Join(u.home, "words.json")+": /terms/0")
	if strings.Contains(r.err, "/speechModel") {
		t.Errorf("a place that nobody wrote:\n%s", r.err)
	}
}

// TestTheAuditLogNamesTokens has events of a token with a name, of one without, and of the operator.
func TestTheAuditLogNamesTokens(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: apiOnly})
	u := at(t, s)
	dir := []string{"--data", s.Dir, "--database", "sqlite://" + filepath.Join(s.Dir, "parley.db")}
	named := strings.TrimSpace(u.must(append([]string{"token", "create", "--description", "dialler"}, dir...)...))
	bare := strings.TrimSpace(u.must(append([]string{"token", "create"}, dir...)...))
	for _, token := range []string{named, bare} {
		u.types("", "get", "0197a000-0000-7000-8000-000000000000", "--token", token)
	}
	id := ""
	for _, k := range u.document("keys", "--json")["keys"].([]any) {
		if k := k.(map[string]any); k["lastSix"] == bare[len(bare)-6:] {
			id = k["id"].(string)
		}
	}
	if id == "" {
		t.Fatal("a token is not listed")
	}
	has(t, u.must("audit"), "dialler (…"+named[len(named)-6:]+")", id+" ", "command line ")
	if r := u.types("", "audit", "--json"); r.code != 0 || strings.Contains(r.out, "dialler") {
		t.Errorf("not as the server has it: %+v", r)
	}
}

// TestATokenBelongsToAnAccountThatIsThere has a mistyped account name, and an account that is to be created.
func TestATokenBelongsToAnAccountThatIsThere(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.must("migrate", "--create", "--data", "data")
	u.refused(1, "account list shows the accounts; give --create-account to create this one", "token", "create",
		"--account",
		"defualt", "--data", "data")
	if out := u.must("account", "list", "--data", "data", "--json"); strings.TrimSpace(out) != "[]" {
		t.Errorf("an account was made: %s", out)
	}
	u.must("token", "create", "--account", "acme", "--create-account", "--expires", "90d", "--data", "data")
	u.must("token", "create", "--account", "acme", "--create-account", "--data", "data")
	if out := u.must("token", "list", "--account", "acme", "--data", "data"); strings.Count(out, "\n") != 3 {
		t.Errorf("%s", out)
	}
}
