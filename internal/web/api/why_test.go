package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"parley/internal/testkit/servertest"
	"parley/internal/words/account"
)

const whyPath = "/v3/media/{mediaId}/why"

func why(t *testing.T, c *servertest.Client, id, body string) servertest.Answer {
	t.Helper()
	return c.Do(t, http.MethodPost, fill(whyPath, id), strings.NewReader(body), "Content-Type", "application/json")
}

func TestACallTellsWhyItMeetsAConditionOrNot(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, sampleCall, saidInSample(t), servertest.Field("metadata", `{"extended":{"team":"West"}}`),
		configured(`{`+agentAndCaller+`,"searchability":{"searchable":false}}`))
	s.Await(t, id)
	a := ok(t, why(t, s.Client, id, `{"query":"caller SAYS \"thank you calling\" OR\n NOT (length > 1 AND metadata:team = \"west\")"}`)).JSON(t)
	or := at(t, a, "condition").(map[string]any)
	phrase, not := partOf(or, 0), partOf(or, 1)
	if a["holds"] != false || a["mediaId"] != id || or["kind"] != "or" || fmt.Sprint(or["decisive"]) != "[0 1]" ||
		not["line"] != 2.0 || not["column"] != 2.0 || partOf(partOf(not, 0), 1)["holds"] != true {
		t.Errorf("%v", a)
	}
	misses := phrase["misses"].([]any)
	m := misses[0].(map[string]any)
	place := m["places"].([]any)[0].(map[string]any)
	if m["kind"] != "otherSpeaker" || m["slop"] != 1.0 || fmt.Sprint(m["speakers"]) != "[Agent]" ||
		m["condition"] != `* SAYS "thank you calling"/1` || place["text"] != "Thank you for calling" ||
		place["speaker"] != "Agent" || place["after"] == nil || place["before"] != nil {
		t.Errorf("misses %v", misses)
	}
	a = ok(t, why(t, s.Client, id, `{"query":"agent SAYS \"thank you\" AND length > 9000000 AND metadata:Region IS NOT NULL"}`)).JSON(t)
	and := at(t, a, "condition").(map[string]any)
	said, length, region := partOf(and, 0), partOf(and, 1), partOf(and, 2)
	if said["holds"] != true || said["hitCount"] == nil || len(said["hits"].([]any)) == 0 || said["misses"] != nil ||
		fmt.Sprint(and["decisive"]) != "[1 2]" {
		t.Errorf("said %v", said)
	}
	if miss := length["misses"].([]any)[0].(map[string]any); miss["kind"] != "value" || miss["field"] != "length" ||
		miss["condition"] != fmt.Sprintf("length = %.0f", miss["value"]) {
		t.Errorf("length %v", length)
	}
	if miss := region["misses"].([]any)[0].(map[string]any); miss["kind"] != "noValue" {
		t.Errorf("region %v", region)
	}
}

func partOf(of map[string]any, i int) map[string]any { return of["parts"].([]any)[i].(map[string]any) }

func TestACallTellsWhyASavedCategoryMatches(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, sampleCall, saidInSample(t))
	s.Await(t, id)
	ok(t, s.Do(t, http.MethodPut, categoriesPath+"/thanks", category(`* SAYS "thank you"`)))
	a := ok(t, why(t, s.Client, id, `{"categoryName":"thanks"}`)).JSON(t)
	if a["holds"] != true || a["categoryName"] != "thanks" || a["query"] != `* SAYS "thank you"` {
		t.Errorf("%v", a)
	}
	refused(t, why(t, s.Client, id, `{"categoryName":"nosuch"}`), 404, 80000, "nosuch")
	reader := s.As(t, account.DefaultName, account.Analytics, account.MediaRead)
	refused(t, why(t, reader, id, `{"categoryName":"thanks"}`), 403, 10006, "definitions")
}

func TestWhyIsAskedOfReadableCallsAlone(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	waiting := s.Submit(t, recording)
	refused(t, why(t, s.Client, waiting, `{"query":"*"}`), 404, 10301, "progress")
	sealed := s.Seal(t, account.DefaultName, []byte("document"), []byte("stream"))
	refused(t, why(t, s.Client, sealed, `{"query":"*"}`), 404, 95071, "encrypted")
	refused(t, why(t, s.As(t, "other", account.AllScopes...), waiting, `{"query":"*"}`), 404, 10205, waiting)
	refused(t, why(t, s.Client, waiting, `{}`), 400, 95081, "/categoryName")
	refused(t, why(t, s.Client, waiting, `{"query":"lenght > 5"}`), 400, 95081, "did you mean length?")
}

func TestWhyShowsFiguresAloneWithoutTheScopeToRead(t *testing.T) {
	t.Parallel()
	m := newMarked(t)
	narrow := m.As(t, account.DefaultName, account.Analytics)
	for _, condition := range onContents {
		refused(t, why(t, narrow, m.item, fmt.Sprintf(`{"query":%q}`, condition)), 403, 10006, "media:read")
	}
	for _, condition := range figureConditions {
		ok(t, why(t, narrow, m.item, fmt.Sprintf(`{"query":%q}`, condition)))
	}
	refused(t, why(t, m.As(t, account.DefaultName, account.Analytics, account.Definitions), m.item,
		`{"categoryName":"marked"}`), 403, 10006, "media:read")
}
