package api_test

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"parley/internal/testkit/servertest"
	"parley/internal/words/account"
)

const categoriesPath = "/v3/definition/categories"

// category returns the body of a category with a query.
func category(query string) *strings.Reader {
	return strings.NewReader(`{"query":` + quoted(query) + `}`)
}

func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

func TestASavedCategoryIsAnsweredListedAndDeleted(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	if a := ok(t, s.Get(t, categoriesPath)); !strings.Contains(string(a.Body), `"categories":[]`) {
		t.Errorf("nothing saved: %s", a)
	}
	sent := `{"query":"caller SAYS \"bye\"","categoryDescription":"d","notes":"n","tags":["x"],"version":"1"}`
	put := ok(t, s.Do(t, http.MethodPut, categoriesPath+"/bye", strings.NewReader(sent))).JSON(t)
	for key, want := range map[string]any{
		"categoryName": "bye", "query": `caller SAYS "bye"`, "categoryDescription": "d", "notes": "n",
		"tags": []any{"x"}, "version": "1",
		"_links": map[string]any{"self": map[string]any{"href": categoriesPath + "/bye"}},
	} {
		if !reflect.DeepEqual(put[key], want) {
			t.Errorf("%s: %v, want %v", key, put[key], want)
		}
	}
	if put["dateCreated"] == nil || put["dateCreated"] != put["dateModified"] {
		t.Errorf("dates %v, %v", put["dateCreated"], put["dateModified"])
	}
	again := ok(t, s.Do(t, http.MethodPut, categoriesPath+"/bye", strings.NewReader(sent))).JSON(t)
	if again["dateCreated"] != put["dateCreated"] {
		t.Errorf("created %v, then %v", put["dateCreated"], again["dateCreated"])
	}
	if got := ok(t, s.Get(t, categoriesPath+"/bye")).JSON(t); !reflect.DeepEqual(got, again) {
		t.Errorf("%v, want %v", got, again)
	}
	if list := ok(t, s.Get(t, categoriesPath+"?expand=true")).JSON(t); !reflect.DeepEqual(list["categories"],
		[]any{again}) {
		t.Errorf("list: %v", list)
	}
	if a := s.Do(t, http.MethodDelete, categoriesPath+"/bye", nil); a.Status != http.StatusNoContent {
		t.Error(a)
	}
	refused(t, s.Get(t, categoriesPath+"/bye"), 404, 80000, `category "bye"`)
}

func TestTheListOfCategoriesHasNamesAndDescriptionsAlone(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	ok(t, s.Do(t, http.MethodPut, categoriesPath+"/bye",
		strings.NewReader(`{"query":"*","categoryDescription":"d","notes":"n"}`)))
	ok(t, s.Do(t, http.MethodPut, categoriesPath+"/hello", category("*")))
	want := []any{
		map[string]any{"categoryName": "bye", "categoryDescription": "d"},
		map[string]any{"categoryName": "hello", "categoryDescription": ""},
	}
	for _, query := range []string{"", "?expand=false"} {
		if got := ok(t, s.Get(t, categoriesPath+query)).JSON(t)["categories"]; !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v", query, got)
		}
	}
	if all := ok(t, s.Get(t, categoriesPath+"?expand=True")).JSON(t)["categories"].([]any); len(all) != 2 ||
		at(t, all[0], "notes") != "n" {
		t.Errorf("expanded: %v", all)
	} else if described, given := all[1].(map[string]any)["categoryDescription"]; !given || described != "" {
		t.Errorf("expanded without a description: %v", all[1])
	}
	for _, query := range []string{"?expand=", "?expand=yes", "?expand=true&expand=true"} {
		refused(t, s.Get(t, categoriesPath+query), 400, 95002, "expand")
	}
	refused(t, s.Get(t, groups+"?expand=true"), 400, 95002, "expand")
}

func TestTheVersionOfACategoryIsUniqueInTheAccount(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	with := func(name, version string) servertest.Answer {
		return s.Do(t, http.MethodPut, categoriesPath+"/"+name,
			strings.NewReader(`{"query":"*","version":"`+version+`"}`))
	}
	ok(t, with("a", "1"))
	refused(t, with("b", "1"), 409, 95082, `"1"`)
	refused(t, s.Get(t, categoriesPath+"/b"), 404, 80000)
	ok(t, with("b", "2"))
	ok(t, with("a", "1"))
	ok(t, with("a", "3"))
	ok(t, with("b", "1"))
	s.Do(t, http.MethodDelete, categoriesPath+"/b", nil)
	ok(t, with("c", "1"))
}

func TestAConditionWithMistakesIsRefusedWithAllOfThem(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	a := s.Do(t, http.MethodPut, categoriesPath+"/bad",
		category("agent SAYS \"hello\" AND wordcont > 3 AND metrics:\"agent-talk-ratoi\" > 1"))
	refused(t, a, 400, 95081, "line 1, column 24")
	if body := string(a.Body); !strings.Contains(body, "wordCount") ||
		!strings.Contains(body, "did you mean agent-talk-ratio?") || !strings.Contains(body, "^") {
		t.Error(body)
	}
}

func TestCategoriesAreJudgedAsTheyWereAtUpload(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	for name, query := range map[string]string{
		"greeting": `"agent" SAYS "thank you for calling"`, "never": `* SAYS "no such words"`,
		"east": `metadata:region = "EAST" AND metrics:"overtalk-ratio" >= 0 AND wordCount > 3`,
	} {
		ok(t, s.Do(t, http.MethodPut, categoriesPath+"/"+name, category(query)))
	}
	configuration := func(categories string) servertest.Part {
		return servertest.Field("configuration",
			`{`+agentAndCaller+`,"metrics":[{"metricGroupName":"overtalk"}],"categories":`+categories+`}`)
	}
	refused(t, s.Post(t, sampleCall, configuration(`[{"categoryName":"gone"}]`)), 400, 80000, `"gone"`)
	metadata := servertest.Field("metadata", `{"extended":{"region":"east"}}`)
	all := s.Submit(t, sampleCall, metadata, configuration(`[{"allCategories":true}]`), saidInSample(t))
	one := s.Submit(t, sampleCall, configuration(`[{"categoryName":"east"}]`), saidInSample(t))
	none := s.Submit(t, sampleCall, saidInSample(t))
	ok(t, s.Do(t, http.MethodPut, categoriesPath+"/never", category("*")))
	s.Do(t, http.MethodDelete, categoriesPath+"/greeting", nil)

	found := s.Await(t, all)["categories"].([]any)
	values := map[any]any{}
	for _, c := range found {
		values[c.(map[string]any)["categoryName"]] = c.(map[string]any)["categoryValue"]
	}
	if !reflect.DeepEqual(values, map[any]any{"greeting": 1.0, "never": 0.0, "east": 1.0}) {
		t.Errorf("all: %v", values)
	}
	matches := found[1].(map[string]any)["categoryMatches"].([]any)[0].(map[string]any)
	place := matches["occurrences"].([]any)[0].(map[string]any)
	if matches["speakerName"] != "Agent" || place["exact"] != "Thank you for calling" ||
		place["e"].(float64) <= place["s"].(float64) {
		t.Errorf("greeting: %v", matches)
	}
	want := []any{map[string]any{"categoryName": "east", "categoryValue": 0.0}}
	if got := s.Await(t, one)["categories"]; !reflect.DeepEqual(got, want) {
		t.Errorf("one: %v", got)
	}
	if got, there := s.Await(t, none)["categories"]; there {
		t.Errorf("none: %v", got)
	}
}

func TestACategoryIsAppliedToWhatWasPublishedBefore(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	other := s.As(t, "other", account.AllScopes...)
	ok(t, s.Do(t, http.MethodPut, categoriesPath+"/old", category("*")))
	with := s.Submit(t, sampleCall,
		servertest.Field("configuration",
			`{`+agentAndCaller+`,"categories":[{"categoryName":"old"}],"publish":{"enableAnalyticIndexing":true}}`),
		saidInSample(t))
	without := s.Submit(t, sampleCall, saidInSample(t))
	theirs := other.Submit(t, sampleCall, saidInSample(t))
	before := s.Await(t, with)
	s.Await(t, without)
	other.Await(t, theirs)
	refused(t, s.Do(t, http.MethodPost, categoriesPath+"/gone/apply", nil), 404, 80000)
	refused(t, s.Get(t, categoriesPath+"/gone/apply"), 404, 80000)
	ok(t, s.Do(t, http.MethodPut, categoriesPath+"/old", category(`* SAYS "nosuchword"`)))
	ok(t, s.Do(t, http.MethodPut, categoriesPath+"/new", category(`* SAYS "thank you for calling"`)))
	if a := s.Get(t, categoriesPath+"/new/apply"); a.Status != http.StatusNoContent {
		t.Errorf("a category that was never applied: %s", a)
	}
	for _, name := range []string{"old", "new"} {
		if a := ok(t, s.Do(t, http.MethodPost, categoriesPath+"/"+name+"/apply", nil)).JSON(
			t); a["status"] != "running" || a["calls"] != 2.0 {
			t.Errorf("%s begun: %v", name, a)
		}
		until(t, name+" is applied", func() bool {
			return ok(t, s.Get(t, categoriesPath+"/"+name+"/apply")).JSON(t)["status"] == "finished"
		})
	}
	done := ok(t, s.Get(t, categoriesPath+"/new/apply")).JSON(t)
	if done["done"] != 2.0 || done["matched"] != 2.0 || done["percent"] != 100.0 || done["dateFinished"] == nil {
		t.Errorf("done: %v", done)
	}
	for id, want := range map[string]string{with: "new 1, old 0", without: "new 1, old 0"} {
		var got []string
		after := s.Await(t, id)
		for _, c := range after["categories"].([]any) {
			c := c.(map[string]any)
			got = append(got, fmt.Sprint(c["categoryName"], " ", c["categoryValue"]))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %v, want %s", id, got, want)
		}
		if id == with && !reflect.DeepEqual(after["transcript"], before["transcript"]) {
			t.Error("the transcript has changed")
		}
	}
	if got, there := other.Await(t, theirs)["categories"]; there {
		t.Errorf("another account's: %v", got)
	}
	if got := ok(t, statement(t, s.Client, `categories:"new" = 1 AND categories:"old" = 0`)).JSON(
		t)["totalResults"]; got != 1.0 {
		t.Errorf("the analytic database has %v", got)
	}
}
