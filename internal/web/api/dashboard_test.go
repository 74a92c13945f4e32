package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"parley/internal/testkit/servertest"
)

// volume is a dashboard.
const (
	dashboardsPath = "/v3/definition/dashboards"
	volume         = `{"title":"Volume","tiles":[{"title":"Calls","statement":"SELECT count(*) AS calls FROM media","chart":"NUMBER","width":3,"view":{"unit":"calls","x":1.50}},{"statement":"length > 1"}]}`
)

func putDashboard(t *testing.T, c *servertest.Client, name, body string, headers ...string) servertest.Answer {
	t.Helper()
	return c.Do(t, http.MethodPut, dashboardsPath+"/"+name, strings.NewReader(body), headers...)
}

func TestADashboardKeepsItsTilesInOrder(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	put := ok(t, putDashboard(t, s.Client, "volume", volume))
	got := ok(t, s.Get(t, dashboardsPath+"/volume"))
	const tiles = `"tiles":[{"title":"Calls","statement":"SELECT count(*) AS calls FROM media","chart":"number","width":3,"view":{"unit":"calls","x":1.50}},{"statement":"length \u003e 1","chart":"table","width":6}]`
	if body := string(got.Body); string(put.Body) != body ||
		!strings.Contains(strings.ReplaceAll(body, ">", `\u003e`), tiles) || got.JSON(t)["builtin"] != nil {
		t.Errorf("%s", body)
	}
	ok(t, putDashboard(t, s.Client, "volume", string(got.Body), "If-Match", got.Header.Get("ETag"))) // sent back
	refused(t, putDashboard(t, s.Client, "volume", volume, "If-Match", got.Header.Get("ETag")), 412, 95014)
	if a := s.Do(t, http.MethodDelete, dashboardsPath+"/volume", nil); a.Status != 204 {
		t.Error(a)
	}
	refused(t, s.Get(t, dashboardsPath+"/volume"), 404, 80000, "dashboard", "volume")
}

func TestADashboardThatIsWrongIsNotSaved(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	a := putDashboard(t, s.Client, "d", `{"title":"`+strings.Repeat("x", 201)+`","colour":1,"tiles":[
		{"statement":"SELECT coumt(*) FROM media"},{"statement":"ALTER TABLE media DEFINE metadata:a integer"},
		{"title":"no statement"},{"statement":"EXPLAIN *"},{"statement":"*","chart":"pie","width":13},
		{"statement":"*","view":{"a":1,"a":2}},{"statement":"*","view":{"a":[[[[[[[[1]]]]]]]]}}]}`)
	problems(t, a, "/title: has 201", `unknown property "colour"`, "/tiles/0/statement: ", "coumt",
		"/tiles/1/statement: is not a SELECT", "/tiles/2/statement is missing", "/tiles/3/statement: is not a SELECT",
		`/tiles/4/chart: "pie"`, "/tiles/4/width: 13 is out of range", "/tiles/5/view/a: the property is given twice",
		"/tiles/6/view: ", "nested")
	tile := `{"statement":"*"},`
	refused(t, putDashboard(t, s.Client, "d", `{"tiles":[`+strings.Repeat(tile, 24)+`{"statement":"*"}]}`), 400, 95101,
		"/tiles: has 25 tiles", "24")
	ok(t, putDashboard(t, s.Client, "d", `{"tiles":[`+strings.TrimSuffix(strings.Repeat(tile, 24), ",")+`]}`))
	refused(t, putDashboard(t, s.Client, "d", `{"tiles":[{"statement":"*","view":{"a":"`+strings.Repeat("x", 16<<10)+`"}}]}`),
		400, 95101, "/tiles/0/view: too large")
}

func TestBuiltInDashboardsAreListedFirstAndCannotBeChanged(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	ok(t, putDashboard(t, s.Client, "a", volume))
	var names []string
	for _, d := range ok(t, s.Get(t, dashboardsPath)).JSON(t)["dashboards"].([]any) {
		names = append(names, fmt.Sprint(at(t, d, "dashboardName"), " ", d.(map[string]any)["builtin"]))
	}
	if want := "builtin-overview true, builtin-agents true, builtin-categories true, a <nil>"; strings.Join(names, ", ") != want {
		t.Errorf("%q, want %s", names, want)
	}
	got := ok(t, s.Get(t, dashboardsPath+"/builtin-overview"))
	if got.JSON(t)["builtin"] != true || got.Header.Get("ETag") != "" || got.JSON(t)["dateCreated"] != nil {
		t.Errorf("%s", got)
	}
	for _, name := range []string{"builtin-overview", "builtin-new", "BUILTIN-x"} {
		refused(t, putDashboard(t, s.Client, name, volume), 409, 95004, "built in", "copy")
		refused(t, s.Do(t, http.MethodDelete, dashboardsPath+"/"+name, nil), 409, 95004, "built in")
	}
	refused(t, s.Get(t, dashboardsPath+"/builtin-new"), 404, 80000, "builtin-new")
	copied := strings.Replace(string(got.Body), `"dashboardName":"builtin-overview"`, `"dashboardName":"mine"`, 1)
	if mine := ok(t, putDashboard(t, s.Client, "mine", copied)).JSON(t); mine["builtin"] != nil ||
		len(mine["tiles"].([]any)) != len(got.JSON(t)["tiles"].([]any)) {
		t.Errorf("%v", mine)
	}
}

// tilesOf returns the tiles of a dashboard.
func tilesOf(t *testing.T, s *servertest.Server, dashboard string) []any {
	t.Helper()
	return ok(t, s.Get(t, dashboardsPath+"/"+dashboard)).JSON(t)["tiles"].([]any)
}

// TestEveryTileOfABuiltInDashboardRuns runs them before there is any call or category, and on the sample call with
// categories that are named like other columns, or need quotes.
func TestEveryTileOfABuiltInDashboardRuns(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	run := func(check func(title string, row map[string]any)) (tiles int) {
		for _, name := range []string{"builtin-overview", "builtin-agents", "builtin-categories"} {
			for _, tile := range tilesOf(t, s, name) {
				text := at(t, tile, "statement").(string)
				a := ok(t, period(t, s.Client, text, "2020-01-01", "", "Europe/Berlin")).JSON(t)
				tiles++
				if rows := a["rows"].([]any); check != nil {
					if len(rows) != 1 {
						t.Fatalf("%s: %v", text, rows)
					}
					check(name+" "+at(t, tile, "title").(string), rows[0].(map[string]any))
				}
			}
		}
		return tiles
	}
	if n := run(nil); n == 0 {
		t.Error("no tile")
	}
	for _, name := range []string{"at-risk", "day", "a%22b", "Agent"} {
		ok(t, s.Do(t, http.MethodPut, categoriesPath+"/"+name, category(`* SAYS "thank you"`)))
	}
	id := s.Submit(t, sampleCall, saidInSample(t),
		servertest.Field("metadata", `{"extended":{"callDetails":{}},"callDetails":{"agent":{"fullName":"Ann"}}}`),
		configured(`{`+agentAndCaller+`,`+allMetrics+`,"categories":[{"allCategories":true}],"publish":{"enableAnalyticIndexing":true}}`))
	s.Await(t, id)
	columns := map[string]bool{}
	tiles := run(func(title string, row map[string]any) {
		for name, value := range row {
			if columns[name] = true; value == nil {
				t.Errorf("%s: no %s in %v", title, name, row)
			}
			if name == "agent" && value != "Ann" {
				t.Errorf("%s: agent %v", title, value)
			}
		}
		if len(row) > 4 && (row["at-risk"] != 1.0 || row["category day"] != 1.0 || row["category Agent"] != 1.0 || row[`a"b`] != 1.0) {
			t.Errorf("%s: %v", title, row)
		}
	})
	if tiles != 15 || !columns["silence"] || !columns["sentiment"] || !columns["agentRatio"] || !columns[`a"b`] {
		t.Errorf("%d tiles, columns %v", tiles, columns)
	}
}

// A tile shows a bounded number of categories, whatever their names.
func TestTilesOfManyCategoriesAreStatements(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	for i := range 60 {
		ok(t, s.Do(t, http.MethodPut, fmt.Sprintf("%s/%03d%s", categoriesPath, i, strings.Repeat("%22", 125)), category("*")))
	}
	text := at(t, tilesOf(t, s, "builtin-categories")[0], "statement").(string)
	a := ok(t, statement(t, s.Client, text))
	if n := strings.Count(text, "avg("); n < 10 || n >= 60 {
		t.Errorf("%d categories, %s", n, a)
	}
}
