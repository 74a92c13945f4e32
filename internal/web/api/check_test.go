package api_test

import (
	"net/http"
	"strings"
	"testing"

	"parley/internal/testkit/servertest"
	"parley/internal/words/account"
)

const checkPath = "/v3/analytics/check"

func check(t *testing.T, c *servertest.Client, body string) servertest.Answer {
	t.Helper()
	return c.Do(t, http.MethodPost, checkPath, strings.NewReader(body), "Content-Type", "application/json")
}

func TestAQueryIsCheckedWithoutItsBeingRun(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	for body, want := range map[string]string{
		`{"query":"select MEDIAID from media where agent says \"x\" limit 5000"}`: "" +
			`SELECT mediaId FROM media WHERE "agent" SAYS "x" LIMIT 5000`,
		`{"query":"ALTER TABLE media DEFINE metadata:a varchar"}`:               `ALTER TABLE media DEFINE metadata:a varchar`,
		`{"query":"EXPLAIN *"}`:                                                 `EXPLAIN SELECT * FROM media WHERE *`,
		`{"condition":"SELECT title FROM media WHERE length>5 ORDER BY title"}`: `length > 5`,
		`{"condition":"silence(1min)","category":true}`:                         `silence(60s)`,
	} {
		a := ok(t, check(t, s.Client, body)).JSON(t)
		if a["valid"] != true || a["printed"] != want || len(a["problems"].([]any)) != 0 {
			t.Errorf("%s: %v", body, a)
		}
	}
	if a := ok(t, statement(t, s.Client, `ALTER TABLE media DEFINE metadata:b varchar`)).JSON(t); a["totalResults"] != 1.0 {
		t.Errorf("a checked definition of a field was carried out: %v", a)
	}
	a := ok(t, check(t, s.Client, `{"condition":"NOT (length > 5\n OR agent SAYS \"x\")"}`)).JSON(t)
	or := at(t, a, "outline", "parts").([]any)[0].(map[string]any)
	says := or["parts"].([]any)[1].(map[string]any)
	if at(t, a, "outline", "kind") != "not" || or["kind"] != "or" || says["kind"] != "phrase" || says["line"] != 2.0 ||
		says["column"] != 5.0 || says["length"] != 14.0 || says["text"] != `"agent" SAYS "x"` {
		t.Errorf("outline %v", a["outline"])
	}
}

func TestACheckTellsAllMistakesAsData(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	ok(t, s.Do(t, http.MethodPut, categoriesPath+"/at-risk", category("*")))
	a := ok(t, check(t, s.Client, `{"condition":"lenght > 5 AND categories:\"at-rsk\" = 1 AND agent SAYS 7"}`)).JSON(t)
	problems := a["problems"].([]any)
	if a["valid"] != false || a["printed"] != nil || a["outline"] != nil || len(problems) != 3 {
		t.Fatalf("%v", a)
	}
	for i, want := range []struct {
		column, length float64
		nearest        any
	}{{1, 6, "length"}, {27, 8, "at-risk"}, {55, 1, nil}} {
		p := problems[i].(map[string]any)
		if p["code"] != 95081.0 || p["line"] != 1.0 || p["column"] != want.column || p["length"] != want.length ||
			p["nearest"] != want.nearest {
			t.Errorf("problem %d: %v", i, p)
		}
	}
	if expected := problems[2].(map[string]any)["expected"].([]any); len(expected) != 3 || expected[1] != "(" {
		t.Errorf("expected %v", expected)
	}
	for body, want := range map[string]string{
		`{"condition":""}`:                                           "a condition",
		`{"condition":"SELECT * FROM media"}`:                        "expected a condition",
		`{"condition":"categories:\"at-risk\" = 1","category":true}`: "cannot refer to categories",
	} {
		a := ok(t, check(t, s.Client, body)).JSON(t)
		if p := a["problems"].([]any); len(p) != 1 || !strings.Contains(at(t, p[0], "error").(string), want) {
			t.Errorf("%s: %v", body, a)
		}
	}
	refused(t, check(t, s.Client, `{}`), 400, 95081, "/condition")
	refused(t, check(t, s.Client, `{"query":"*","condition":"*"}`), 400, 95081, "/condition")
	refused(t, check(t, s.Client, `{"qeury":"*"}`), 400, 10008, "query")
}

// Every answer with mistakes of a query has their places: those that save queries as well.
func TestMistakesHavePlacesWhereverQueriesAreSent(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	for name, a := range map[string]servertest.Answer{
		"statement": statement(t, s.Client, "lenght > 5"),
		"export":    s.Do(t, http.MethodPost, "/v3/analytics/export", strings.NewReader(`{"query":"lenght > 5"}`)),
		"explore":   explore(t, s.Client, `{"where":"lenght > 5"}`),
		"facet":     explore(t, s.Client, `{"facets":["lenght"]}`),
		"trial":     s.Do(t, http.MethodPost, "/v3/analytics/test", strings.NewReader(`{"query":"lenght > 5"}`)),
		"category":  s.Do(t, http.MethodPut, categoriesPath+"/c", category("lenght > 5")),
		"saved":     s.Do(t, http.MethodPut, queriesPath+"/q", category("lenght > 5")),
	} {
		refused(t, a, 400, 95081, "did you mean length?")
		p := a.JSON(t)["errors"].([]any)[0].(map[string]any)
		if p["line"] != 1.0 || p["column"] != 1.0 || p["length"] != 6.0 || p["nearest"] != "length" {
			t.Errorf("%s: %v", name, p)
		}
	}
}

func TestAKeyForFiguresChecksConditionsOnContents(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	figures := s.As(t, account.DefaultName, account.Analytics)
	if a := ok(t, check(t, figures, `{"condition":"agent SAYS \"x\""}`)).JSON(t); a["valid"] != true {
		t.Errorf("%v", a)
	}
}
