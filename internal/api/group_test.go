package api_test

import (
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"parley/internal/plan"
	"parley/internal/servertest"
)

// cancellation is a keyword group; where groups are saved.
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
	if a := s.Do(t, http.MethodDelete, groups+"/cancellation", nil, "If-Match", put.Header.Get("ETag")); a.Status != http.StatusNoContent {
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
	if item := s.Await(t, id); item["status"] != "finished" || !slices.Equal(codes(item["warnings"]), []int{95001}) {
		t.Errorf("%v, warnings %v", item["status"], item["warnings"])
	}
}

func TestAKeywordGroupGoesWithTheRecordingAsItWasWhenSent(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	ok(t, s.Do(t, http.MethodPut, groups+"/cancellation", strings.NewReader(cancellation)))
	id := s.Submit(t, recording, servertest.Field("configuration", `{"spotting":{"groups":[{"groupName":"cancellation"}]}}`))
	ok(t, s.Do(t, http.MethodPut, groups+"/cancellation", strings.NewReader(`{"keywords":["later"]}`)))
	want := []plan.Group{{Name: "cancellation", Keywords: []string{"cancel my account", "close it"}}}
	if got := s.Source(t, id).Definitions.Groups; !reflect.DeepEqual(got, want) {
		t.Errorf("kept with the recording: %+v", got)
	}
}
