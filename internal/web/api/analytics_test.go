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

const (
	vbqlPath    = "/v3/analytics/vbql"
	queriesPath = "/v3/analytics/queries"
)

func statement(t *testing.T, c *servertest.Client, text string) servertest.Answer {
	t.Helper()
	return c.Do(t, http.MethodPost, vbqlPath, strings.NewReader(text), "Content-Type", "text/plain")
}

// analytic posts the sample call with indexing for analytics, and waits for it.
func analytic(t *testing.T, s *servertest.Server, c *servertest.Client, metadata string) string {
	t.Helper()
	id := c.Submit(t, sampleCall, servertest.Field("metadata", metadata), saidInSample(t),
		servertest.Field("configuration",
			`{`+agentAndCaller+`,"metrics":[{"metricGroupName":"overtalk"}],"publish":{"enableAnalyticIndexing":"true"}}`))
	c.Await(t, id)
	return id
}

func TestStatementsSeeWhatWasPostedForTheAnalyticDatabase(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	hidden := s.Submit(t, sampleCall, saidInSample(t))
	id := analytic(t, s, s.Client, `{"extended":{"region":"east","score":7}}`)
	s.Await(t, hidden)
	a := ok(t, statement(t, s.Client,
		`SELECT mediaId, metadata:region AS "where", metadata:score, metrics:"overtalk-ratio", hits() FROM media WHERE "Agent" SAYS "thank you for calling"`)).JSON(t)
	row := a["rows"].([]any)[0].(map[string]any)
	if a["totalResults"] != 1.0 || a["limit"] != 10.0 || a["offset"] != 0.0 || row["mediaId"] != id ||
		row["where"] != "east" || row["metadata:score"] != 7.0 {
		t.Errorf("%v", a)
	}
	hit := a["hits"].([]any)[0].([]any)[0].(map[string]any)
	place := hit["fieldValues"].(map[string]any)
	if place["speaker"] != "Agent" || place["text"] != "Thank you for calling" || place["line"] != 1.0 ||
		!reflect.DeepEqual(row["hits()"], a["hits"].([]any)[0]) {
		t.Errorf("hit %v", hit)
	}
	for text, want := range map[string]float64{
		`*`: 1, `"\"agent\" SAYS \"thank you\""`: 1, `SELECT * FROM media MATCH 'nosuchword'`: 0,
		`interactionType="speech"`:                                    1,
		`metadata:REGION = "East" AND metadata:score BETWEEN 6 AND 8`: 1, `metadata:region = "west"`: 0,
	} {
		if got := ok(t, statement(t, s.Client, text)).JSON(t)["totalResults"]; got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	ok(t, s.Do(t, http.MethodPut, "/v3/media/"+id+"/metadata", strings.NewReader(`{"extended":{"region":"west"}}`)))
	if got := ok(t, statement(t, s.Client, `metadata:region = "west"`)).JSON(t)["totalResults"]; got != 1.0 {
		t.Errorf("after its metadata changed: %v", got)
	}
	trial := ok(t, s.Do(t, http.MethodPost, "/v3/analytics/test",
		strings.NewReader(`{"query":"* SAYS \"thank you for calling\"","samples":1}`))).JSON(t)
	if trial["calls"] != 2.0 || trial["matched"] != 2.0 || trial["rate"] != 1.0 || len(trial["samples"].([]any)) != 1 ||
		len(trial["days"].([]any)) != 1 {
		t.Errorf("trial %v", trial)
	}
	s.Do(t, http.MethodDelete, "/v3/media/"+id, nil)
	if got := ok(t, statement(t, s.Client, `*`)).JSON(t)["totalResults"]; got != 0.0 {
		t.Errorf("after its deletion: %v", got)
	}
}

func TestMistakesOfAStatementAreToldAllAtOnce(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	a := statement(t, s.Client, "SELECT mediaid, nosuch FROM calls\nWHERE agent SAYS \"x\" AND lenght > 3")
	refused(t, a, 400, 95081, "line 1, column 17")
	if body := string(a.Body); strings.Count(body, `"code":95081`) != 6 ||
		!strings.Contains(body, "line 2, column 26") || !strings.Contains(body, "did you mean length?") {
		t.Error(body)
	}
	refused(t, statement(t, s.Client, ""), 400, 95081, "a condition")
	refused(t, statement(t, s.Client, "* LIMIT 1001"), 400, 95083, "1000")
	refused(t, s.Do(t, http.MethodPost, vbqlPath+"?limit=x", strings.NewReader("*")), 400, 95002, "limit")
	refused(t, s.Do(t, http.MethodPost, "/v3/analytics/test", strings.NewReader(`{}`)), 400, 95081, "query")
	refused(t, s.Do(t, http.MethodPost, "/v3/analytics/test", strings.NewReader(`{"query":"*","sample":1}`)), 400,
		10008, "samples")
}

func TestPlacesOfMistakesAreThoseOfWhatWasSent(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	refused(t, statement(t, s.Client, "\n\n  lenght > 3\n"), 400, 95081, "line 3, column 3")
	refused(t, statement(t, s.Client, "\ufefflenght > 3"), 400, 95081, "line 1, column 1:")
	ok(t, statement(t, s.Client, "\ufeff \"length > 3\"\r\n"))
	ok(t, statement(t, s.Client, "*"+strings.Repeat(" ", 10_000)))
}

func TestGroupsAndClassifiersThatAreNotThereAreToldAsMistakes(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	ok(t, s.Do(t, http.MethodPut, groups+"/competitors",
		strings.NewReader(`{"groupName":"competitors","keywords":["acme"]}`), "Content-Type", "application/json"))
	refused(t, statement(t, s.Client, `spotting:"competitor" = 1`), 400, 95081, "line 1, column 10",
		"did you mean competitors?")
	refused(t, statement(t, s.Client, `SELECT count(*), Prediction:voicemial FROM media GROUP BY PREDICTION:voicemial`),
		400, 95081, "line 1, column 29", "did you mean voicemail?")
	for _, text := range []string{`spotting:"Competitors" = 1`, `prediction:voicemail = "x"`,
		`SELECT prediction:sentiment FROM media`} {
		ok(t, statement(t, s.Client, text))
	}
}

// TestStatementsOfNoKindShowAnotherAccount runs every kind of statement as another account, including injection
// attempts.
func TestStatementsOfNoKindShowAnotherAccount(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	other := s.As(t, "other", account.AllScopes...)
	id := analytic(t, s, s.Client, `{"title":"mine","extended":{"secret":"mine"}}`)
	theirs := analytic(t, s, other, `{"title":"o'); DROP TABLE media; --","extended":{"secret":"theirs"}}`)
	ok(t, statement(t, s.Client, `ALTER TABLE media DEFINE metadata:mine integer`))
	for _, text := range []string{
		`*`, `SELECT * FROM media`, `SELECT *, hits() FROM media MATCH 'thank you'`, `EXPLAIN SELECT * FROM media`,
		`SELECT metadata:secret, count(*), max(title), min(mediaId) FROM media GROUP BY metadata:secret`,
		`SELECT count(*) FROM media`,
		`SELECT mediaId FROM media ORDER BY length LIMIT 1000`, `mediaId = "` + id + `"`, `mediaId LIKE "%"`,
		`NOT mediaId = "x"`,
		`metadata:secret = "mine"`, `metadata:secret IS NOT NULL OR NOT *`,
		`ALTER TABLE media DEFINE metadata:other varchar`, `EXPLAIN ALTER TABLE media DEFINE metadata:other varchar`,
		`title = "x' OR account <> '" OR title = "'; DELETE FROM media; --"`, `* SAYS "x\" OR 1=1 --" OR *`,
		`externalId IN ("') UNION SELECT * FROM token --")`,
		`SELECT title AS "'; DROP TABLE analytic; --" FROM media`,
		`metadata:"account" = "` + string(s.Account(t, account.DefaultName).ID) + `"`,
	} {
		a := ok(t, statement(t, other, text))
		if body := string(a.Body); strings.Contains(body, "mine") || strings.Contains(body, id) {
			t.Errorf("%s shows what is another account's: %s", text, body)
		}
		if n := a.JSON(t)["totalResults"].(float64); n > 1 {
			t.Errorf("%s: %v results", text, n)
		}
	}
	for _, path := range []string{"/v3/analytics/schema", queriesPath} {
		if body := string(ok(t, other.Get(t, path)).Body); strings.Contains(body, "mine") {
			t.Errorf("%s shows what is another account's: %s", path, body)
		}
	}
	trial := ok(t, other.Do(t, http.MethodPost, "/v3/analytics/test", strings.NewReader(`{"query":"*"}`)))
	if trial.JSON(t)["calls"] != 1.0 || !strings.Contains(string(trial.Body), theirs) ||
		strings.Contains(string(trial.Body), id) {
		t.Errorf("trial: %s", trial)
	}
	if mine := ok(t, statement(t, s.Client, `title = "mine"`)).JSON(t); mine["totalResults"] != 1.0 {
		t.Errorf("ours afterwards: %v", mine)
	}
	if quoted := ok(t, statement(t, other, `title = "o'); DROP TABLE media; --"`)).JSON(
		t); quoted["totalResults"] != 1.0 {
		t.Errorf("a text is not compared as it is: %v", quoted)
	}
}

func TestExplainTellsHowAStatementIsAnswered(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	analytic(t, s, s.Client, `{}`)
	plan := ok(t, statement(t, s.Client,
		`EXPLAIN SELECT * FROM media WHERE wordCount > 3 AND agent SAYS "thank you"`)).JSON(t)["plan"].(map[string]any)
	if fmt.Sprint(plan["steps"]) != `[map[calls:1 step:candidates what:"thank" "you"] map[calls:1 step:fields what:wordCount > 3] map[calls:1 step:checked what:"agent" SAYS "thank you"]]` || plan["matched"] != 1.0 || plan["calls"] != 1.0 {
		t.Errorf("%v", plan)
	}
}

func TestQueriesAreSaved(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	put := ok(t, s.Do(t, http.MethodPut, queriesPath+"/my%20query",
		strings.NewReader(`{"query":"SELECT count(*) FROM media","queryDescription":"d"}`))).JSON(t)
	if put["queryName"] != "my query" || put["query"] != "SELECT count(*) FROM media" || put["dateCreated"] == nil {
		t.Errorf("%v", put)
	}
	if list := ok(t, s.Get(t, queriesPath)).JSON(t)["queries"]; !reflect.DeepEqual(list, []any{put}) {
		t.Errorf("%v", list)
	}
	refused(t, s.Do(t, http.MethodPut, queriesPath+"/q", strings.NewReader(`{"query":"SELECT FROM"}`)), 400, 95081,
		"line 1, column 8")
	if a := s.Do(t, http.MethodDelete, queriesPath+"/my%20query", nil); a.Status != http.StatusNoContent {
		t.Error(a)
	}
	refused(t, s.Get(t, queriesPath+"/my%20query"), 404, 80000, "query")
}

func TestStatementsThatAreNotUTF8AreRefused(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	for _, text := range []string{"WHERE title = \"n\xefcode\"", "\"\\\"a\xff\\\" SAYS \\\"b\\\"\"",
		"\"agent\" SAYS \"\xfc\""} {
		for _, kind := range []string{"text/plain; charset=iso-8859-1", "text/plain", "application/json"} {
			a := s.Do(t, http.MethodPost, vbqlPath, strings.NewReader(text), "Content-Type", kind)
			refused(t, a, 400, 95081, "the text is not valid UTF-8", "line 1, column ")
		}
	}
	ok(t, statement(t, s.Client, "\ufeffWHERE title = \"nïcode\""))
}
