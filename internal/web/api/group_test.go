package api_test

import (
	"net/http"
	"reflect"
	"strings"
	"testing"

	"parley/internal/call/plan"
	"parley/internal/testkit/servertest"
	"parley/internal/words/account"
)

// cancellation is a keyword group; the other constant is the path of keyword groups.
const (
	cancellation = `{"groupName":"cancellation","keywords":["cancel my account"," close  it "]}`
	groups       = "/v3/definition/spotting/groups"
)

func TestASavedKeywordGroupIsAnsweredListedAndDeleted(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	if a := ok(t, s.Get(t, groups)); !strings.Contains(string(a.Body), `"groups":[]`) {
		t.Errorf("nothing saved: %s", a)
	}
	want := map[string]any{
		"_links":    map[string]any{"self": map[string]any{"href": groups + "/cancellation"}},
		"groupName": "cancellation", "keywords": []any{"cancel my account", "close it"},
	}
	put := ok(t, s.Do(t, http.MethodPut, groups+"/cancellation", strings.NewReader(cancellation)))
	got := ok(t, s.Get(t, groups+"/cancellation"))
	for _, a := range []servertest.Answer{put, got} {
		if !reflect.DeepEqual(a.JSON(t), want) || a.Header.Get("ETag") == "" {
			t.Errorf("%s", a)
		}
	}
	if list := ok(t, s.Get(t, groups)).JSON(t); !reflect.DeepEqual(list["groups"], []any{want}) {
		t.Errorf("list: %v", list)
	}
	if a := s.Do(t, http.MethodDelete, groups+"/cancellation", nil, "If-Match", `"other"`); a.Status != 412 {
		t.Error(a)
	}
	if a := s.Do(t, http.MethodDelete, groups+"/cancellation", nil, "If-Match",
		put.Header.Get("ETag")); a.Status != http.StatusNoContent {
		t.Error(a)
	}
	refused(t, s.Get(t, groups+"/cancellation"), 404, 80000, `keyword group "cancellation"`)
	refused(t, s.Do(t, http.MethodPut, groups+"/g", strings.NewReader(`{"keywords":[""]}`)), 400, 80102, "/keywords/0")
}

func TestConfigurationsNameKeywordGroupsThatAreSavedAndNotEmpty(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	ok(t, s.Do(t, http.MethodPut, groups+"/cancellation", strings.NewReader(cancellation)))
	ok(t, s.Do(t, http.MethodPut, groups+"/empty", strings.NewReader(`{"keywords":[]}`)))
	naming := func(name string) servertest.Part {
		return servertest.Field("configuration", `{"spotting":{"groups":[{"groupName":"`+name+`"}]}}`)
	}
	refused(t, s.Post(t, recording, naming("gone")), 400, 40005, `"gone"`)
	refused(t, s.Post(t, recording, naming("Cancellation")), 400, 40005)
	refused(t, s.Post(t, recording, naming("empty")), 400, 40006, `"empty"`)
	id := s.Submit(t, recording, naming("cancellation"))
	s.Do(t, http.MethodDelete, groups+"/cancellation", nil)
	if item := s.Await(t, id); item["status"] != "finished" || item["warnings"] != nil || item["spotting"] == nil {
		t.Errorf("%v, warnings %v", item["status"], item["warnings"])
	}
}

func TestAKeywordGroupGoesWithTheRecordingAsItWasWhenSent(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	ok(t, s.Do(t, http.MethodPut, groups+"/cancellation", strings.NewReader(cancellation)))
	id := s.Submit(t, recording, servertest.Field("configuration",
		`{"spotting":{"groups":[{"groupName":"cancellation"}]}}`))
	ok(t, s.Do(t, http.MethodPut, groups+"/cancellation", strings.NewReader(`{"keywords":["later"]}`)))
	want := []plan.Group{{Name: "cancellation", Keywords: []string{"cancel my account", "close it"}}}
	if got := s.Source(t, id).Definitions.Groups; !reflect.DeepEqual(got, want) {
		t.Errorf("kept with the recording: %+v", got)
	}
}

func TestKeywordsOfGroupsAreFoundBySpeakerWithTheirTimes(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	ok(t, s.Do(t, http.MethodPut, groups+"/g",
		strings.NewReader(`{"keywords":["cancel*","my account","refund","internet"]}`)))
	ok(t, s.Do(t, http.MethodPut, groups+"/h", strings.NewReader(`{"keywords":["tariff"]}`)))
	id := s.Submit(t, recording, servertest.Field("transcript",
		`{"words":[{"m":"turn","w":"Agent","s":0,"e":300},{"w":"Cancelling?","s":0,"e":300},
		{"m":"turn","w":"Caller","s":400,"e":900},{"w":"my","s":400,"e":500},{"w":"Account","s":500,"e":700},{"w":",","m":"punc","s":700,"e":700},{"w":"cancel","s":700,"e":900}]}`),
		servertest.Field("configuration", `{"spotting":{"groups":[{"groupName":"g"},{"groupName":"h"}]}}`))
	occurrence := func(s, e float64, exact string) []any {
		return []any{map[string]any{"s": s, "e": e, "exact": exact}}
	}
	want := func(half, zero any) map[string]any {
		return map[string]any{"groups": []any{
			map[string]any{"groupName": "g", "spotted": true, "score": half, "spottedKeywords": []any{
				map[string]any{"keyword": "cancel*", "relevance": 1., "mentions": []any{
					map[string]any{"speakerName": "Agent", "occurrences": occurrence(0, 300, "Cancelling")},
					map[string]any{"speakerName": "Caller", "occurrences": occurrence(700, 900, "cancel")},
				}},
				map[string]any{"keyword": "my account", "relevance": 1., "mentions": []any{
					map[string]any{"speakerName": "Caller", "occurrences": occurrence(400, 700, "my Account")},
				}},
			}},
			map[string]any{"groupName": "h", "spotted": false, "score": zero, "spottedKeywords": []any{}},
		}}
	}
	if got := s.Await(t, id)["spotting"]; !reflect.DeepEqual(got, want("0.5", "0")) {
		t.Errorf("%v", got)
	}
	s.SetCompatibility(t, s.Account(t, account.DefaultName), account.Compatibility{ScoreAsNumber: true})
	if got := s.Await(t, id)["spotting"]; !reflect.DeepEqual(got, want(.5, 0.)) {
		t.Errorf("as numbers: %v", got)
	}
}
