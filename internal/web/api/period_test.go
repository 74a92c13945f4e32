package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"parley/internal/testkit/servertest"
	"parley/internal/words/account"
)

// period runs a statement over a period.
func period(t *testing.T, c *servertest.Client, text, from, until, zone string) servertest.Answer {
	t.Helper()
	body, err := json.Marshal(map[string]string{"statement": text, "from": from, "until": until, "zone": zone})
	if err != nil {
		t.Fatal(err)
	}
	return c.Do(t, http.MethodPost, vbqlPath, strings.NewReader(string(body)), "Content-Type", "application/json")
}

func TestAPeriodRestrictsStatementsAndExports(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := analytic(t, s, s.Client, `{}`)
	created, err := time.Parse(time.RFC3339, ok(t, s.Get(t, "/v3/media/"+id)).JSON(t)["dateCreated"].(string))
	if err != nil {
		t.Fatal(err)
	}
	zone, err := time.LoadLocation("Pacific/Kiritimati") // 14 hours ahead
	if err != nil {
		t.Fatal(err)
	}
	const millis = "2006-01-02T15:04:05.000Z"
	there, day := created.In(zone).Format(time.DateOnly), created.Format(time.DateOnly)
	next := created.In(zone).AddDate(0, 0, 1).Format(time.DateOnly)
	before := created.In(zone).AddDate(0, 0, -1).Format(time.DateOnly)
	for _, c := range []struct {
		from, until, zone string
		calls             float64
	}{
		{"", "", "", 1}, {day, day, "", 1}, {day, day, "UTC", 1}, {there, there, "Pacific/Kiritimati", 1},
		{next, "", "Pacific/Kiritimati", 0}, {"", before, "Pacific/Kiritimati", 0},
		{created.Format(millis), created.Format(millis), "", 1}, {created.Add(time.Millisecond).Format(millis), "", "", 0},
		{"", created.Add(-time.Millisecond).Format(millis), "", 0},
	} {
		for _, text := range []string{"SELECT count(*) AS n FROM media", `SELECT count(*) AS n FROM media WHERE length > 1 OR length < 1`} {
			a := ok(t, period(t, s.Client, text, c.from, c.until, c.zone)).JSON(t)
			if got := at(t, a["rows"].([]any)[0], "n"); got != c.calls {
				t.Errorf("%+v: %v of %s", c, got, text)
			}
		}
		body, _ := json.Marshal(map[string]string{"from": c.from, "until": c.until, "zone": c.zone})
		file := string(ok(t, s.Do(t, http.MethodPost, "/v3/analytics/export", strings.NewReader(string(body)))).Body)
		if got := strings.Contains(file, id); got != (c.calls == 1) {
			t.Errorf("%+v: exported %t", c, got)
		}
		shown := ok(t, explore(t, s.Client, string(body))).JSON(t)
		if shown["totalResults"] != c.calls {
			t.Errorf("%+v: explored %v", c, shown["totalResults"])
		}
	}
	y, m, d := created.In(zone).Date()
	want := time.Date(y, m, d, 0, 0, 0, 0, zone).UTC().Format(millis)
	a := ok(t, period(t, s.Client, "SELECT date_trunc('day', dateCreated), count(*) FROM media GROUP BY date_trunc('day', dateCreated)", "", "",
		"Pacific/Kiritimati")).JSON(t)
	if row := a["rows"].([]any)[0].(map[string]any); row[`date_trunc("day", dateCreated)`] != want {
		t.Errorf("%v, want %s", row, want)
	}
	plan := ok(t, period(t, s.Client, "EXPLAIN SELECT count(*) FROM media WHERE * SAYS 'a' OR * SAYS 'b'", day, "", "")).JSON(t)
	if text := at(t, plan, "plan", "query").(string); !strings.Contains(text, "dateCreated >= ") ||
		!strings.Contains(text, `AND (* SAYS`) {
		t.Errorf("%s", text)
	}
}

func TestAWrongPeriodOfAStatementIsNamed(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	for body, says := range map[string]string{
		`{"statement":"*","from":"yesterday"}`:     "/from",
		`{"statement":"*","until":"2026-02-30"}`:   "/until",
		`{"statement":"*","zone":"Europe/Berlyn"}`: "/zone",
		`{"statement":"*","zone":"Local"}`:         "/zone",
		`{"statement":"*","since":"2026-02-01"}`:   "since",
		`{"from":"2026-02-01"}`:                    "/statement is missing",
		`{"statement":7}`:                          "/statement: 7 where a string",
		`{"statement":"ALTER TABLE media DEFINE metadata:a integer","from":"2026-01-01"}`: "ALTER",
		`{"statement":"*"`: "invalid JSON",
	} {
		a := s.Do(t, http.MethodPost, vbqlPath, strings.NewReader(body))
		if a.Status != 400 || !strings.Contains(string(a.Body), says) {
			t.Errorf("%s: %s", body, a)
		}
	}
	figures := s.As(t, account.DefaultName, account.Analytics)
	refused(t, period(t, figures, `* SAYS "a"`, "2026-01-01", "", ""), 403, 10006, `SAYS`)
	ok(t, period(t, figures, `length > 1`, "2026-01-01", "", ""))
}

func TestSavedQueriesHaveViews(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	put := func(body string) servertest.Answer {
		return s.Do(t, http.MethodPut, queriesPath+"/q", strings.NewReader(body))
	}
	const view = `"view":{"columns":["title","length"],"of later":{"x":1.50,"y":null},"chart":"bars"}`
	for _, what := range []string{`"query":"SELECT * FROM media"`, `"where":"length = 1000"`, `"words":"hello -world"`, ``} {
		body := `{` + what + `,` + view + `}`
		if what == "" {
			body = `{` + view + `}`
		}
		a := ok(t, put(body))
		if !strings.Contains(string(a.Body), view) || !strings.Contains(string(a.Body), what) {
			t.Errorf("%s\n%s", body, a)
		}
		if got := ok(t, s.Get(t, queriesPath+"/q")); string(got.Body) != string(a.Body) {
			t.Errorf("%s\n%s", got, a)
		}
		ok(t, put(string(a.Body))) // sent back
	}
	if a := ok(t, put(`{"query":"*"}`)).JSON(t); a["view"] != nil || a["where"] != nil || a["words"] != nil {
		t.Errorf("%v", a)
	}
	for body, says := range map[string]string{
		`{"query":"*","where":"*"}`:                "/query, /where",
		`{"where":"*","words":"a"}`:                "/where",
		`{"where":"length ="}`:                     "/where: ",
		`{"words":"("}`:                            "/words, character 1: ",
		`{"queryDescription":"d"}`:                 "/query is missing",
		`{"query":"*","view":[1]}`:                 "/view: a list",
		`{"query":"*","view":{"a":{"b":1,"b":2}}}`: "/view/a/b: ",
		`{"query":"*","view":{"a":"` + strings.Repeat("x", 17<<10) + `"}}`: "/view: too large",
	} {
		a := put(body)
		if a.Status != 400 || !strings.Contains(string(a.Body), says) {
			t.Errorf("%.80s: %s", body, a)
		}
	}
}

func TestACategoryKeepsTheNameOfItsCollection(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	put := func(body string) servertest.Answer {
		return s.Do(t, http.MethodPut, categoriesPath+"/c", strings.NewReader(body))
	}
	ok(t, put(`{"query":"*","collectionName":" Compliance "}`))
	if a := ok(t, s.Get(t, categoriesPath+"/c")).JSON(t); a["collectionName"] != "Compliance" {
		t.Errorf("%v", a)
	}
	full := ok(t, s.Get(t, categoriesPath+"?expand=true")).JSON(t)["categories"].([]any)
	short := ok(t, s.Get(t, categoriesPath)).JSON(t)["categories"].([]any)
	if at(t, full[0], "collectionName") != "Compliance" || len(short[0].(map[string]any)) != 2 {
		t.Errorf("%v, %v", full, short)
	}
	refused(t, put(`{"query":"*","collectionName":"`+strings.Repeat("x", 129)+`"}`), 400, 95080, "/collectionName", "129")
	if a := ok(t, put(`{"query":"*"}`)).JSON(t); a["collectionName"] != nil {
		t.Errorf("%v", a)
	}
}
