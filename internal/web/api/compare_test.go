package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"parley/internal/testkit/servertest"
	"parley/internal/words/account"
)

func tryOut(t *testing.T, c *servertest.Client, path, body string) servertest.Answer {
	t.Helper()
	return c.Do(t, http.MethodPost, path, strings.NewReader(body), "Content-Type", "application/json")
}

func TestATrialIsComparedAndGrouped(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	ids := map[string]string{}
	for i, team := range []string{"West", "west", "East"} {
		parts := []servertest.Part{sampleCall, saidInSample(t), servertest.Field("metadata", `{"extended":{"team":"`+team+`"}}`)}
		if i == 0 { // only the database has it
			parts = append(parts, configured(`{`+agentAndCaller+`,"searchability":{"searchable":false}}`))
		}
		ids[team] = s.Submit(t, parts...)
		s.Await(t, ids[team])
	}
	test := categoriesPath + "/west/test"
	ok(t, s.Do(t, http.MethodPut, categoriesPath+"/west", category(`metadata:team = "west"`)))
	a := ok(t, tryOut(t, s.Client, test, `{"query":"metadata:team = \"East\" OR mediaId = \"`+ids["west"]+`\"","compareWith":"saved","groupBy":"metadata:team"}`)).JSON(t)
	c := a["comparison"].(map[string]any)
	if a["calls"] != 3.0 || a["matched"] != 2.0 || c["matched"] != 2.0 || c["gained"] != 1.0 || c["lost"] != 1.0 ||
		c["both"] != 1.0 || c["query"] != `metadata:team = "west"` || len(a["samples"].([]any)) != 2 {
		t.Errorf("%v", a)
	}
	for kind, id := range map[string]string{"gained": ids["East"], "lost": ids["West"], "both": ids["west"]} {
		if some := at(t, c, "samples", kind).([]any); len(some) != 1 || at(t, some[0], "mediaId") != id {
			t.Errorf("%s: %v, want %s", kind, some, id)
		}
	}
	groups := a["groups"].(map[string]any)
	want := `[map[calls:2 condition:metadata:team = "West" gained:0 lost:1 matched:1 rate:0.5 value:West] ` +
		`map[calls:1 condition:metadata:team = "East" gained:1 lost:0 matched:1 rate:1 value:East]]`
	if got := fmt.Sprint(groups["rows"]); got != want || groups["by"] != "metadata:team" || groups["withoutValue"] != 0.0 {
		t.Errorf("groups %v\nwant %s", groups, want)
	}
	a = ok(t, tryOut(t, s.Client, "/v3/analytics/test", `{"query":"* SAYS \"thank you\"","compareWith":{"condition":"* SAYS \"nosuchword\""},
		"groupBy":"Week","zone":"Europe/Berlin","samples":1}`)).JSON(t)
	rows := at(t, a, "groups", "rows").([]any)
	total := 0.0
	for _, r := range rows {
		total += at(t, r, "gained").(float64)
	}
	if at(t, a, "groups", "by") != "week" || at(t, a, "groups", "zone") != "Europe/Berlin" || total != 3 ||
		at(t, a, "comparison", "lost") != 0.0 || len(at(t, a, "comparison", "samples", "gained").([]any)) != 1 {
		t.Errorf("%v", a)
	}
	a = ok(t, tryOut(t, s.Client, "/v3/analytics/test", `{"query":"*","groupBy":"length"}`)).JSON(t)
	if row := at(t, a, "groups", "rows").([]any)[0]; a["comparison"] != nil || at(t, row, "from") == nil ||
		at(t, row, "until") == nil || at(t, row, "matched") != 3.0 || at(t, row, "gained") != nil {
		t.Errorf("%v", a)
	}
}

func TestComparisonsAndGroupsThatCannotBeAreRefused(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	for body, want := range map[string]struct {
		code int
		text string
	}{
		`{"query":"*","compareWith":"saved"}`:                    {95002, "/compareWith"},
		`{"query":"*","compareWith":"other"}`:                    {95002, "/compareWith"},
		`{"query":"*","compareWith":{"query":"*"}}`:              {95002, "/compareWith"},
		`{"query":"*","compareWith":{"condition":"*","x":1}}`:    {10008, "/compareWith/x"},
		`{"query":"*","compareWith":{"condition":"lenght > 5"}}`: {95081, "/compareWith: line 1, column 1"},
		`{"query":"*","groupBy":"lenght"}`:                       {95081, "/groupBy: line 1, column 1"},
		`{"query":"*","groupBy":"dateCreated"}`:                  {95002, "/groupBy"},
		`{"query":"*","groupBy":"day","zone":"Mars"}`:            {95002, "/zone"},
		`{"query":"*","groupBy":"language","groupLimit":1000}`:   {95002, "/groupLimit"},
	} {
		refused(t, tryOut(t, s.Client, "/v3/analytics/test", body), 400, want.code, want.text)
	}
	refused(t, tryOut(t, s.Client, categoriesPath+"/nosuch/test", `{"query":"*","compareWith":"saved"}`), 404, 80000, "nosuch")
}

func TestComparisonsShowNoContentsWithoutTheScopeToRead(t *testing.T) {
	t.Parallel()
	m := newMarked(t)
	narrow := m.As(t, account.DefaultName, account.Analytics)
	for _, condition := range onContents {
		refused(t, tryOut(t, narrow, "/v3/analytics/test", fmt.Sprintf(`{"query":"*","compareWith":{"condition":%q}}`, condition)),
			403, 10006, "media:read")
	}
	refused(t, tryOut(t, narrow, "/v3/analytics/test", `{"query":"*","groupBy":"metadata:pet"}`), 403, 10006, "media:read")
	a := ok(t, tryOut(t, narrow, categoriesPath+"/marked/test", `{"query":"length >= 0","compareWith":"saved","groupBy":"day"}`)).JSON(t)
	c := a["comparison"].(map[string]any)
	if c["query"] != nil || c["both"] != 3.0 || strings.Contains(fmt.Sprint(a), "bilby") {
		t.Errorf("%v", a)
	}
}
