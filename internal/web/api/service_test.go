package api_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	openapi "parley/api"
	"parley/internal/operation/config"
	"parley/internal/testkit/servertest"
	"parley/internal/web/api"
	"parley/internal/words/account"
)

func TestDescriptionAndRoutesAreTheSame(t *testing.T) {
	t.Parallel()
	text, err := openapi.JSON()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	var described, served []string
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			described = append(described, method+" "+path)
			open := operation.Security != nil && len(*operation.Security) == 0
			i := slices.IndexFunc(api.Routes(), func(r api.Route) bool { return r.Method == method && r.Path == path })
			if i < 0 {
				continue
			}
			scope := needed(api.Routes()[i])
			if open != (scope == "") {
				t.Errorf("%s %s: whether a token is needed differs", method, path)
			}
			if alias := "The same as"; !open && !strings.Contains(operation.Description, string(scope)) &&
				!strings.Contains(operation.Description, alias) {
				t.Errorf("%s %s: the description does not tell the scope %s", method, path, scope)
			}
		}
	}
	for _, r := range slices.Concat(api.Routes(), api.SignInRoutes()) {
		served = append(served, r.Method+" "+r.Path)
	}
	slices.Sort(described)
	slices.Sort(served)
	if !slices.Equal(described, served) {
		t.Errorf("described\n%v\nserved\n%v", described, served)
	}
}

func TestHealthAndReadiness(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	if health := ok(t, s.With("").Get(t, "/healthz")).JSON(t); health["status"] != "ok" || health["version"] != "test" {
		t.Errorf("%v", health)
	}
	ready := s.Ready(t, 200).JSON(t)
	var names []string
	for _, c := range ready["checks"].([]any) {
		names = append(names, at(t, c, "name").(string))
		if at(t, c, "ready") != true || at(t, c, "state") != "ok" || at(t, c, "ageInSeconds") == nil {
			t.Errorf("%v", c)
		}
	}
	for _, want := range []string{"database", "storage", "ffmpeg", "claims", "leases", "callback claims",
		"index of calls", "index work"} {
		if !slices.Contains(names, want) {
			t.Errorf("no check of %s among %v", want, names)
		}
	}
}

func TestReadinessSaysWhatIsNotReady(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) { c.ReserveDisk = 1 << 60 }})
	a := s.Ready(t, 503)
	body := a.JSON(t)
	bad := slices.DeleteFunc(body["checks"].([]any), func(c any) bool { return at(t, c, "ready") == true })
	if a.Status != 503 || body["status"] != "not ready" || len(bad) != 1 ||
		at(t, bad[0], "name") != "room for uploads" || at(t, bad[0], "problem") == nil {
		t.Errorf("%s", a)
	}
	ok(t, s.With("").Get(t, "/healthz"))
}

func TestMetricsAreByRouteNeverByPath(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, recording)
	s.Await(t, id)
	s.Get(t, "/v3/nothing/"+noMedia)
	s.Do(t, "BREW", "/v3/media/"+id, nil)
	text := string(ok(t, s.With("").Get(t, "/metrics")).Body)
	for _, want := range []string{
		`parley_http_request_seconds_count{method="POST",route="/v3/media",status="200"} 1`,
		`route="/v3/media/{mediaId}"`, `method="other"`, "go_goroutines", "process_open_fds",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in the figures", want)
		}
	}
	if strings.Contains(text, id) || strings.Contains(text, noMedia) {
		t.Error("the figures tell paths")
	}
}

func TestDescriptionAndPageAreServed(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	nobody := s.With("")
	var doc map[string]any
	if err := json.Unmarshal(ok(t, nobody.Get(t, "/openapi.json")).Body, &doc); err != nil ||
		at(t, doc, "paths", "/v3/media") == nil {
		t.Errorf("%v", err)
	}
	page := ok(t, nobody.Get(t, "/docs"))
	if !strings.HasPrefix(page.Header.Get("Content-Type"), "text/html") {
		t.Errorf("%v", page.Header)
	}
	files := regexp.MustCompile(`(?:src|href)="(?:\./)?(/?docs/[^"]+|[^"/:]+)"`).FindAllStringSubmatch(
		string(page.Body), -1)
	if len(files) < 3 {
		t.Fatalf("the page loads %v", files)
	}
	for _, f := range files {
		ok(t, nobody.Get(t, "/docs/"+strings.TrimPrefix(strings.TrimPrefix(f[1], "/"), "docs/")))
	}
}

func TestWorkersServeHealthAlone(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) { c.Role = config.RoleWorker }})
	refused(t, s.Get(t, "/v3/media"), 404, 10000)
	refused(t, s.Post(t, recording), 404, 10000)
	for _, path := range []string{"/healthz", "/metrics"} {
		ok(t, s.Get(t, path))
	}
	s.Ready(t, 200)
}

func TestQueueShowsWaitingRunningAndDeadJobs(t *testing.T) {
	t.Parallel()
	gate := servertest.NewGate()
	s := servertest.Start(t, servertest.Options{Recognizer: gate, Settings: func(c *config.Settings) { c.Workers = 1 }})
	// An account can use half of the slots, which are twice as many as the workers: two accounts use them all.
	for _, client := range []*servertest.Client{s.Client, s.As(t, "neighbour", account.AllScopes...)} {
		client.Submit(t, recording)
		<-gate.Entered
	}
	waiting := s.As(t, "firm", account.AllScopes...).Submit(t, recording,
		servertest.Field("configuration", `{"priority":"low"}`))
	queue := ok(t, s.Get(t, "/v3/queue")).JSON(t)
	if at(t, queue, "waiting", "low") != 1.0 || at(t, queue, "running", "normal") != 2.0 ||
		at(t, queue, "dead", "normal") != 0.0 || len(queue["jobs"].([]any)) != 3 {
		t.Errorf("%v", queue)
	}
	only := ok(t, s.Get(t, "/v3/queue?status=Waiting")).JSON(t)["jobs"].([]any)
	if len(only) != 1 || at(t, only[0], "mediaId") != waiting || at(t, only[0], "priority") != "low" ||
		at(t, only[0], "kind") != "process" {
		t.Errorf("%v", only)
	}
	refused(t, s.Do(t, "POST", "/v3/queue/"+at(t, only[0], "jobId").(string)+"/requeue", nil), 409, 95004)
	other := s.As(t, "other", account.AllScopes...) // sees none of them
	if queue := ok(t, other.Get(t, "/v3/queue")).JSON(t); at(t, queue, "waiting", "low") != 0.0 ||
		at(t, queue, "running", "normal") != 0.0 || len(queue["jobs"].([]any)) != 0 {
		t.Errorf("of another account: %v", queue)
	}
	refused(t, other.Do(t, "POST", "/v3/queue/"+at(t, only[0], "jobId").(string)+"/requeue", nil), 404, 10205)
	if queue := ok(t, s.As(t, "firm", account.Admin).Get(t, "/v3/queue")).JSON(t); len(queue["jobs"].([]any)) != 1 {
		t.Errorf("of its own account: %v", queue)
	}
	gate.Open()
}

// TestReadinessStartsNothing measures the resource usage of this process's children, which grows with each one that
// ends.
func TestReadinessStartsNothing(t *testing.T) { // not parallel: other tests may start child processes
	used := func() (r syscall.Rusage) {
		if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	start := used()
	s := servertest.Start(t, servertest.Options{})
	s.Ready(t, 200)
	before := used()
	if before == start {
		t.Fatal("the background check has started nothing")
	}
	nobody := s.With("")
	for range 1000 {
		ok(t, nobody.Get(t, "/readyz"))
	}
	if after := used(); after != before {
		t.Errorf("1,000 requests have started children: %+v, before %+v", after, before)
	}
}

func TestMetricsTellOperatorsHowTheServerFares(t *testing.T) {
	t.Parallel()
	gate := servertest.NewGate()
	s := servertest.Start(t, servertest.Options{Recognizer: gate, Settings: func(c *config.Settings) { c.Workers = 1 }})
	s.Submit(t, recording)
	<-gate.Entered
	s.Submit(t, recording, servertest.Field("configuration", `{"priority":"low"}`))
	if err := s.Server.Gather(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.Ready(t, 200)
	text := string(ok(t, s.With("").Get(t, "/metrics")).Body)
	for _, want := range []string{
		`parley_build_info{go_version="go`, `version="test"} 1`, "parley_ready 1",
		`parley_check_ready{check="ffmpeg"} 1`,
		`parley_jobs{kind="process",priority="low",state="ready"} 1`,
		`parley_jobs{kind="process",priority="normal",state="running"} 1`,
		`parley_job_oldest_due_seconds{kind="process"} `, "parley_dead_jobs 0",
		`parley_deliveries_waiting{due="true"} 0`,
		"parley_index_waiting_items",
		`parley_disk_free_bytes{holds="data"}`, `parley_disk_free_bytes{holds="recordings"}`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in the figures", want)
		}
	}
	claims := slices.DeleteFunc(s.Ready(t, 200).JSON(t)["checks"].([]any), func(c any) bool {
		return at(t, c, "name") != "claims"
	})
	if len(claims) != 1 || at(t, claims[0], "waiting") != 1.0 {
		t.Errorf("%v", claims)
	}
	gate.Open()
}
