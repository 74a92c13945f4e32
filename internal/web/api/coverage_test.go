package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"parley/internal/testkit/servertest"
	"parley/internal/words/account"
)

func TestAnswersAboutManyCallsSayHowManyAreLeftOut(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	trial := func(body string) map[string]any {
		t.Helper()
		return ok(t, s.Do(t, http.MethodPost, "/v3/analytics/test", strings.NewReader(body))).JSON(t)
	}
	says := func(what string, answer map[string]any, n float64, words ...string) {
		t.Helper()
		if n == 0 {
			if answer["notIndexed"] != nil || answer["warnings"] != nil {
				t.Errorf("%s: %v, %v", what, answer["notIndexed"], answer["warnings"])
			}
			return
		}
		warnings, _ := answer["warnings"].([]any)
		if answer["notIndexed"] != n || len(warnings) != 1 || warnings[0].(map[string]any)["code"] != 95085.0 {
			t.Errorf("%s: %v, %v", what, answer["notIndexed"], warnings)
			return
		}
		for _, word := range words {
			if message := warnings[0].(map[string]any)["message"].(string); !strings.Contains(message, word) {
				t.Errorf("%s: %q is not in %q", what, word, message)
			}
		}
	}
	analytic(t, s, s.Client, `{}`)
	says("all are indexed", ok(t, statement(t, s.Client, `SELECT count(*) FROM media`)).JSON(t), 0)

	hidden := s.Submit(t, sampleCall, saidInSample(t))
	s.Await(t, hidden)
	says("one is not", ok(t, statement(t, s.Client, `SELECT count(*) FROM media`)).JSON(t), 1,
		"leaves out: 1 (1 posted without publish.enableAnalyticIndexing)")
	says("trials look at those too", trial(`{"query":"*"}`), 0)
	says("as groups", ok(t, statement(t, s.Client, `SELECT title, count(*) FROM media GROUP BY title`)).JSON(t), 1)

	key := addKey(t, s.Client, publicKey)["publicKeyId"].(string)
	sealed := s.Submit(t, sampleCall, saidInSample(t), encrypted(key, ""))
	s.Await(t, sealed)
	says("another is encrypted", ok(t, statement(t, s.Client, `*`)).JSON(t), 2, "leaves out: 2 (1 posted without",
		"1 encrypted)")
	says("trials", trial(`{"query":"*"}`), 1, "1 encrypted")
	tomorrow := time.Now().UTC().AddDate(0, 0, 1).Format(time.DateOnly)
	says("trials of other days", trial(`{"query":"*","onOrAfterDate":"`+tomorrow+`"}`), 0)

	file := ok(t, s.Do(t, http.MethodPost, "/v3/analytics/export", strings.NewReader(`{}`)))
	if got := file.Header.Get("Parley-Not-Indexed"); got != "2" {
		t.Errorf("export: %q", got)
	}
	other := s.As(t, "other", account.AllScopes...)
	says("another account", ok(t, statement(t, other, `*`)).JSON(t), 0)
	for _, id := range []string{hidden, sealed} {
		s.Do(t, http.MethodDelete, "/v3/media/"+id, nil)
	}
	says("deleted", ok(t, statement(t, s.Client, `*`)).JSON(t), 0)
}

func TestWhatWaitsIsLeftOutOfAnswersAndSaysSo(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	s.Submit(t, recording)
	answer := ok(t, statement(t, s.Client, `SELECT count(*) FROM media`)).JSON(t)
	if answer["notIndexed"] != 1.0 ||
		!strings.Contains(answer["warnings"].([]any)[0].(map[string]any)["message"].(string), "1 not processed yet") {
		t.Errorf("%v", answer)
	}
}
