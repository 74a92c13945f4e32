package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"parley/internal/testkit/servertest"
	"parley/internal/words/account"
)

const (
	explorePath       = "/v3/analytics/explore"
	wordsPath         = "/v3/analytics/words"
	valuesPath        = "/v3/analytics/values"
	distributionsPath = "/v3/analytics/distributions"
)

func explore(t *testing.T, c *servertest.Client, body string) servertest.Answer {
	t.Helper()
	return c.Do(t, http.MethodPost, explorePath, strings.NewReader(body), "Content-Type", "application/json")
}

// TestExplorationsShowAllReadableCalls posts a call for the analytic database, one that is only searchable, and one
// that is neither.
func TestExplorationsShowAllReadableCalls(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	hidden := s.Submit(t, sampleCall, saidInSample(t),
		configured(`{`+agentAndCaller+`,"searchability":{"searchable":false}}`))
	s.Await(t, hidden)
	found := s.Submit(t, sampleCall, saidInSample(t), servertest.Field("metadata", `{"extended":{"team":"West"}}`))
	s.Await(t, found)
	id := analytic(t, s, s.Client, `{"title":"billing","externalId":"call-1","extended":{"team":"west"}}`)
	a := ok(t, explore(t, s.Client, `{"where":"* SAYS \"thank you for calling\"","zone":"Europe/Berlin","interval":"day",
		"facets":["language","metadata:team","length","status"],"limit":2}`)).JSON(t)
	if a["calls"] != 3.0 || a["totalResults"] != 3.0 || a["totalIsLowerBound"] != nil || a["notIndexed"] != nil {
		t.Errorf("%v", a)
	}
	rows := a["rows"].([]any)
	if len(rows) != 2 || at(t, rows[0], "mediaId") != id || at(t, rows[1], "mediaId") != found || a["next"] != found {
		t.Fatalf("rows %v, next %v", rows, a["next"])
	}
	row := rows[0].(map[string]any)
	if row["title"] != "billing" || row["externalId"] != "call-1" || row["language"] != "en-US" ||
		fmt.Sprint(row["speakers"]) != "[Agent Caller]" || row["hitCount"] != 1.0 ||
		at(t, row, "hit", "fieldValues", "text") != "Thank you for calling" ||
		at(t, row, "metrics", "overtalk-ratio") == nil {
		t.Errorf("row %v", row)
	}
	facets := a["facets"].([]any)
	if len(facets) != 4 || !reflect.DeepEqual(facets[1], map[string]any{"field": "metadata:team",
		"values":      []any{map[string]any{"value": "West", "calls": 2.0, "condition": `metadata:team = "West"`}},
		"otherValues": 0.0, "otherCalls": 0.0, "withoutValue": 1.0}) {
		t.Errorf("facets %v", facets)
	}
	narrower := ok(t, explore(t, s.Client, `{"where":"metadata:team = \"West\"","include":["total"]}`)).JSON(t)
	if narrower["totalResults"] != 2.0 || narrower["rows"] != nil || narrower["histogram"] != nil ||
		narrower["facets"] != nil {
		t.Errorf("by the condition of the facet: %v", narrower)
	}
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	buckets := at(t, a, "histogram", "buckets").([]any)
	total := 0.0
	for _, b := range buckets {
		total += at(t, b, "calls").(float64)
	}
	from, err := time.Parse(time.RFC3339, at(t, buckets[0], "from").(string))
	if from = from.In(berlin); err != nil || total != 3 || from.Hour() != 0 || from.Minute() != 0 ||
		at(t, a, "histogram", "zone") != "Europe/Berlin" {
		t.Errorf("histogram %v (%v)", a["histogram"], err)
	}
	last := ok(t, explore(t, s.Client,
		`{"where":"* SAYS \"thank you for calling\"","include":["rows"],"before":"`+found+`"}`)).JSON(t)
	if rows := last["rows"].([]any); len(rows) != 1 || at(t, rows[0], "mediaId") != hidden || last["next"] != nil ||
		last["totalResults"] != nil {
		t.Errorf("the next page: %v", last)
	}
	words := ok(t, explore(t, s.Client, `{"words":"\"thank you\" -nosuchword"}`)).JSON(t)
	if words["totalResults"] != 2.0 || words["calls"] != 2.0 || words["notIndexed"] != 1.0 ||
		!strings.Contains(fmt.Sprint(words["warnings"]), "1 not searchable") {
		t.Errorf("by words: %v", words)
	}
	both := ok(t, explore(t, s.Client, `{"words":"\"thank you\"","where":"metadata:team = \"WEST\" AND length > 1",
		"facets":["metadata:team"]}`)).JSON(t)
	if rows := both["rows"].([]any); both["totalResults"] != 2.0 || both["notIndexed"] != 1.0 || len(rows) != 2 ||
		!strings.HasPrefix(fmt.Sprint(at(t, rows[0], "hit", "fieldValues", "text")), "Thank you") {
		t.Errorf("by words and a condition: %v", both)
	}
	if a := ok(t, explore(t, s.Client, `{"words":"thank","where":"metadata:team = \"east\""}`)).JSON(t); a["totalResults"] != 0.0 {
		t.Errorf("by words and a condition that no call meets: %v", a)
	}
	other := s.As(t, "other", account.AllScopes...)
	if a := ok(t, explore(t, other, ``)).JSON(t); a["calls"] != 0.0 || a["totalResults"] != 0.0 ||
		len(a["rows"].([]any)) != 0 || len(at(t, a, "histogram", "buckets").([]any)) != 0 {
		t.Errorf("another account: %v", a)
	}
}

// TestPeriodsOfExplorationsAreDaysOfTheirZone asks for the day of a call in zones in which it is another one.
func TestPeriodsOfExplorationsAreDaysOfTheirZone(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, recording)
	created, err := time.Parse(time.RFC3339, s.Await(t, id)["dateCreated"].(string))
	if err != nil {
		t.Fatal(err)
	}
	for _, zone := range []string{"UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"} { // 25 hours apart
		in, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		for days, want := range map[int]float64{-1: 0, 0: 1, 1: 0} {
			day := created.In(in).AddDate(0, 0, days).Format(time.DateOnly)
			body := fmt.Sprintf(`{"zone":%q,"from":%q,"until":%q,"include":["total"]}`, zone, day, day)
			if got := ok(t, explore(t, s.Client, body)).JSON(t); got["totalResults"] != want || got["calls"] != want {
				t.Errorf("%s: %v, want %v", body, got, want)
			}
		}
	}
}

func TestMistakesOfExplorationsNameFieldAndRemedy(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	for _, c := range []struct {
		body string
		code int
		want []string
	}{
		{`{"query":"*"}`, 10008, []string{"query", "where"}},
		{`{"where":3}`, 95081, []string{"where", "a string"}},
		{`{"where":"lenght > 3"}`, 95081, []string{"line 1, column 1", "did you mean length?"}},
		{`{"where":"prediction:voicemial = 1"}`, 95081, []string{"did you mean voicemail?"}},
		{`{"where":"lenght > 3","words":"a"}`, 95081, []string{"line 1, column 1", "did you mean length?"}},
		{`{"where":"length > 3","words":"(a"}`, 95002, []string{"/words, character 1", `add a ")"`}},
		{`{"words":"(a"}`, 95002, []string{"/words, character 1", `add a ")"`}},
		{`{"zone":"Mars/Base"}`, 95002, []string{"/zone", "Mars/Base", "Europe/Berlin"}},
		{`{"zone":"Local"}`, 95002, []string{"/zone"}},
		{`{"from":"yesterday"}`, 95002, []string{"/from", "yesterday", "YYYY-MM-DD"}},
		{`{"until":"2026-13-01"}`, 95002, []string{"/until", "2026-13-01"}},
		{`{"limit":1001}`, 95002, []string{"/limit", "1001", "0 to 1000"}},
		{`{"facetLimit":0}`, 95002, []string{"/facetLimit", "1 to 100"}},
		{`{"before":"x"}`, 95002, []string{"/before", "x"}},
		{`{"interval":"year"}`, 95002, []string{"interval", "hour", "month"}},
		{`{"include":["row"]}`, 95002, []string{"include", "rows"}},
		{`{"facets":["language","lenght"]}`, 95081, []string{"/facets/1: line 1, column 1", "did you mean length?"}},
		{`{"facets":["language, title"]}`, 95081, []string{"/facets/0: line 1, column 9", "the end"}},
		{`{"facets":["metadata"]}`, 95081, []string{"/facets/0", "metadata:key"}},
		{`{"facets":["dateCreated"]}`, 95002, []string{"/facets/0", "dateCreated", "histogram"}},
		{`{"facets":[` + strings.Repeat(`"language",`, 20) + `"status"]}`, 95002, []string{"/facets", "21", "20"}},
	} {
		refused(t, explore(t, s.Client, c.body), 400, c.code, c.want...)
	}
	refused(t, s.Get(t, wordsPath+"?prefix=thank%20you"), 400, 95002, "thank you", "one word", "you")
	refused(t, s.Get(t, wordsPath+"?prefix=%2D"), 400, 95002, "letter or digit")
	refused(t, s.Get(t, wordsPath+"?limit=101"), 400, 95002, "limit 101", "100")
	refused(t, s.Get(t, valuesPath), 400, 95002, "field is missing", "metadata:team")
	refused(t, s.Get(t, valuesPath+"?field=length"), 400, 95002, "length", "distributions")
	refused(t, s.Get(t, valuesPath+"?field=lenght"), 400, 95081, "field: line 1, column 1", "did you mean length?")
	refused(t, s.Get(t, distributionsPath+"?where=lenght%3E3"), 400, 95081, "did you mean length?")
}

// TestCompletionsAreThoseOfWhatStatementsCover lists words and values of an indexed call, until it is deleted.
func TestCompletionsAreThoseOfWhatStatementsCover(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	s.Await(t, s.Submit(t, recording, servertest.Field("transcript", "Agent: zebra"),
		servertest.Field("metadata", `{"extended":{"team":"west"}}`)))
	id := analytic(t, s, s.Client, `{"title":"Zephyr","extended":{"team":"East"}}`)
	list := func(path string) map[string]any { return ok(t, s.Get(t, path)).JSON(t) }
	a := list(wordsPath + "?prefix=ZE")
	if !reflect.DeepEqual(a["words"], []any{map[string]any{"word": "zero", "calls": 1.0}}) || a["notIndexed"] != 1.0 {
		t.Errorf("%v", a)
	}
	if all := list(wordsPath + "?limit=100")["words"].([]any); len(all) < 20 ||
		strings.ContainsAny(fmt.Sprint(all), "\x01\x02") {
		t.Errorf("%q", all)
	}
	values := list(valuesPath + "?prefix=ea&field=" + url.QueryEscape("metadata:team"))
	if fmt.Sprint(values["values"]) != `[map[calls:1 condition:metadata:team = "East" value:East]]` {
		t.Errorf("%v", values)
	}
	s.Do(t, http.MethodDelete, "/v3/media/"+id, nil)
	if a := list(wordsPath + "?prefix=ze"); len(a["words"].([]any)) != 0 {
		t.Errorf("after its deletion: %v", a)
	}
	if a := list(valuesPath + "?field=" + url.QueryEscape("metadata:team")); len(a["values"].([]any)) != 0 {
		t.Errorf("after its deletion: %v", a)
	}
}

func TestDistributionsAreThoseOfTheCallsThatMatch(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := analytic(t, s, s.Client, `{}`)
	length := s.Await(t, id)["length"]
	a := ok(t, s.Get(t, distributionsPath)).JSON(t)
	first := a["distributions"].([]any)[0].(map[string]any)
	if quantiles := first["quantiles"].([]any); a["calls"] != 1.0 || first["field"] != "length" ||
		first["calls"] != 1.0 || len(quantiles) != 101 || quantiles[0] != length || quantiles[100] != length {
		t.Errorf("%v", first)
	}
	if !strings.Contains(fmt.Sprint(a["distributions"]), "metrics:overtalk-ratio") {
		t.Errorf("%v", a)
	}
	none := ok(t, s.Get(t, distributionsPath+"?where="+url.QueryEscape(`length < 1`))).JSON(t)
	if none["calls"] != 0.0 || len(none["distributions"].([]any)) != 0 {
		t.Errorf("%v", none)
	}
}

// A key with the scope analytics alone sees figures of explorations.
func TestExplorationsOfAnalyticsAloneHaveNoContents(t *testing.T) {
	t.Parallel()
	m := newMarked(t)
	c := m.As(t, account.DefaultName, account.Analytics)
	a := ok(t, explore(t, c,
		`{"where":"categories:\"marked\" = 1 AND silence(100ms)","facets":["language","wordCount"]}`)).JSON(t)
	row := a["rows"].([]any)[0].(map[string]any)
	if a["totalResults"] != 3.0 || row["title"] != nil || row["externalId"] != nil || row["speakers"] != nil ||
		row["hitCount"] == nil || at(t, row, "hit", "fieldValues", "speaker") != "" ||
		fmt.Sprint(row["categories"]) != "[marked]" {
		t.Errorf("%v", a)
	}
	refused(t, explore(t, c, `{"words":"quokka"}`), 403, 10006, "media:read")
	refused(t, explore(t, c, `{"words":"quokka","where":"length > 1"}`), 403, 10006, "media:read")
	refused(t, explore(t, c, `{"facets":["language","metadata:pet"]}`), 403, 10006, "/facets/1: metadata:pet",
		"media:read")
	refused(t, c.Get(t, valuesPath+"?field=title"), 403, 10006, "title", "media:read")
	refused(t, c.Get(t, wordsPath), 403, 10006, "words", "media:read")
}
