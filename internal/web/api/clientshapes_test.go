package api_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"parley/internal/call/plan"
	"parley/internal/testkit/servertest"
	"parley/internal/web/api"
)

// emptied returns a configuration with every list empty.
func emptied() map[string]any {
	root := map[string]any{}
	for _, path := range plan.Paths() {
		outer, _, list := strings.Cut(path, "[]")
		if !list {
			continue
		}
		steps := strings.Split(outer, ".")
		object := root
		for _, step := range steps[:len(steps)-1] {
			if object[step] == nil {
				object[step] = map[string]any{}
			}
			object = object[step].(map[string]any)
		}
		object[steps[len(steps)-1]] = []any{}
	}
	return root
}

// nulled returns a configuration with every key null; if deep is set, nested keys instead of the objects that contain
// them.
func nulled(deep bool) map[string]any {
	root := map[string]any{}
	for _, path := range plan.Paths() {
		steps := strings.Split(strings.ReplaceAll(path, "[]", ""), ".")
		outer, isObject := root[steps[0]].(map[string]any)
		switch {
		case !deep || len(steps) == 1 || strings.Contains(path, steps[0]+"[]"):
			root[steps[0]] = nil
		case isObject:
			outer[steps[1]] = nil
		default:
			root[steps[0]] = map[string]any{steps[1]: nil}
		}
	}
	return root
}

// TestGeneratedClientsMaySendEveryKeyWithoutContent sends every list empty, like Java's generated client, and every
// value null, like Go's.
func TestGeneratedClientsMaySendEveryKeyWithoutContent(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	for _, keys := range []map[string]any{emptied(), nulled(false), nulled(true)} {
		text, err := json.Marshal(keys)
		if err != nil || len(keys) < 8 {
			t.Fatalf("too little is tried: %s (%v)", text, err)
		}
		configuration := string(text)
		item := s.Await(t, s.Submit(t, recording, servertest.Field("configuration", configuration)))
		if item["status"] != "finished" || item["warnings"] != nil {
			t.Errorf("%s: %v, warnings %v", configuration, item["status"], item["warnings"])
		}
	}
	metadata := `{"title":null,"description":null,"externalId":null,"externalVersion":null,"extended":null,"callDetails":{"agent":null,"agentSupervisor":null,"callDirection":null,"ani":null}}`
	id := s.Submit(t, recording, servertest.Field("metadata", metadata))
	ok(t, describe(t, s.Client, id, metadata))
	ok(t, define(t, s.Client, `{"fields":["title",null],"_links":null}`))
	ok(t, save(t, s.Client, "v", `{"vocabularyName":null,"vocabularyType":[],"terms":[{"term":"x","soundsLike":[],"weight":null}],"scripts":[]}`))
	ok(t, s.Do(t, http.MethodPut, groups+"/g", strings.NewReader(`{"groupName":null,"keywords":[]}`)))
}

func TestAFormWithoutFileMayLackItsBoundary(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	form, _ := servertest.Form(t, from("https://calls.example.com/call.wav"), servertest.Field("configuration", `{}`),
		servertest.Field("metadata", `{"externalId":"x"}`))
	a := ok(t, s.Do(t, "POST", "/v3/media", bytes.NewReader(form), "Content-Type", "multipart/form-data"))
	if at(t, a.JSON(t), "metadata", "externalId") != "x" {
		t.Error(a)
	}
}

func TestEnumerationsAreWrittenAsDocumented(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	ok(t, s.Post(t, recording, servertest.Field("configuration", `{"priority":"HIGH"}`)))
	jobs := ok(t, s.Get(t, "/v3/queue?status=Waiting")).JSON(t)["jobs"].([]any)
	if len(jobs) != 1 || at(t, jobs[0], "priority") != "high" || at(t, jobs[0], "status") != "waiting" {
		t.Errorf("jobs %v", jobs)
	}
}

// answersOfReads returns the JSON answer of every route that reads, for an item that uses every feature.
func answersOfReads(t *testing.T, s *servertest.Server) map[string][]byte {
	t.Helper()
	ok(t, save(t, s.Client, "products", products))
	ok(t, s.Do(t, http.MethodPut, groups+"/cancellation", strings.NewReader(cancellation)))
	ok(t, s.Do(t, http.MethodPut, categoriesPath+"/at-risk", category("*")))
	ok(t, s.Do(t, http.MethodPut, queriesPath+"/all", category("*")))
	ok(t, s.Do(t, http.MethodPut, presetsPath+"/support", strings.NewReader(support)))
	ok(t, s.Do(t, http.MethodPut, dashboardsPath+"/volume", strings.NewReader(volume)))
	ok(t, s.Do(t, http.MethodPost, categoriesPath+"/at-risk/apply", nil))
	id := s.Submit(t, stereo, sides, servertest.Field("metadata", `{"extended":{"href":"https://mine"}}`))
	s.Await(t, id)
	answers := map[string][]byte{}
	for _, r := range api.Routes() {
		if r.Method != http.MethodGet || !strings.HasPrefix(r.Path, "/v3") || strings.Contains(r.Path, "{keyId}") ||
			strings.Contains(r.Path, "{classifierId}") || strings.Contains(r.Path, "{callbackId}") ||
			strings.HasSuffix(r.Path, "/csv") || strings.Contains(r.Path, "{format}") ||
			strings.HasSuffix(r.Path, "/encrypted") || strings.Contains(r.Path, "{publicKeyId}") ||
			strings.HasSuffix(r.Path, "/clip") || strings.HasSuffix(r.Path, "/peaks") { // formats of others
			continue
		}
		of := id
		if strings.Contains(r.Path, "{retryId}") {
			of = belongings["{retryId}"].make(t, s)
		}
		answers[r.Path] = ok(t, s.Get(t, fill(r.Path, of), "Accept", "application/json")).Body
	}
	if len(answers) < 12 {
		t.Fatalf("only %d answers", len(answers))
	}
	return answers
}

func TestHrefsAreRelativeAndStreamLocationsAbsolute(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	href, location := regexp.MustCompile(`"href":"([^"]*)"`), regexp.MustCompile(`"streamLocation":"([^"]*)"`)
	streams := 0
	for path, body := range answersOfReads(t, s) {
		body = bytes.ReplaceAll(body, []byte(`"href":"https://mine"`), nil)
		found := href.FindAllSubmatch(body, -1)
		for _, m := range found {
			if !strings.HasPrefix(string(m[1]), "/v3") {
				t.Errorf("%s: href %s", path, m[1])
			}
		}
		if len(found) == 0 {
			t.Errorf("%s has no links: %s", path, body)
		}
		for _, m := range location.FindAllSubmatch(body, -1) {
			streams++
			if !strings.HasPrefix(string(m[1]), s.Base+"/v3/media/") {
				t.Errorf("%s: streamLocation %s", path, m[1])
			}
		}
	}
	if streams < 3 {
		t.Errorf("%d locations of streams", streams)
	}
}

// TestIntegersAreWrittenAsIntegers checks the fields that clients decode as int: they must be neither strings nor
// fractions.
func TestIntegersAreWrittenAsIntegers(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	whole := regexp.MustCompile(`^-?[0-9]+$`)
	names := []string{"p", "s", "e", "length", "limit", "percent", "timeToLiveInSeconds", "attempts"}
	seen := map[string]bool{}
	var walk func(path, name string, v any)
	walk = func(path, name string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, member := range v {
				walk(path, name, member)
			}
			return
		case []any:
			for _, item := range v {
				walk(path, name, item)
			}
			return
		case json.Number:
			if slices.Contains(names, name) && whole.MatchString(v.String()) || name == "c" || name == "confidence" {
				seen[name] = true
				return
			}
		}
		if slices.Contains(names, name) {
			t.Errorf("%s: %s is %v", path, name, v)
		}
	}
	for path, body := range answersOfReads(t, s) {
		d := json.NewDecoder(bytes.NewReader(body))
		d.UseNumber()
		var v any
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		walk(path, "", v)
	}
	for _, name := range []string{"p", "s", "e", "length", "limit", "percent"} {
		if !seen[name] {
			t.Errorf("%s was never seen", name)
		}
	}
}
