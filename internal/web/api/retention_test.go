package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/operation/config"
	"parley/internal/storage/store"
	"parley/internal/testkit/servertest"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

func TestTimeToLiveIsTheConfigurationsElseTheAccountsElseTheServers(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) {
		only(c)
		c.TimeToLive = time.Hour
	}})
	owner := s.Account(t, account.DefaultName).ID
	day, none := 24*time.Hour, time.Duration(0)
	for _, c := range []struct {
		own           *time.Duration
		configuration string
		want          any
	}{
		{nil, `{}`, 3600.0}, {nil, `{"timeToLiveInSeconds":7}`, 7.0}, {&day, `{}`, 86400.0},
		{&day, `{"timeToLiveInSeconds":7}`, 7.0},
		{&none, `{}`, nil}, {&none, `{"timeToLiveInSeconds":7}`, 7.0}, {nil, `{}`, 3600.0},
	} {
		if err := s.Server.Store.Update(t.Context(), func(tx *store.Tx) error {
			return tx.SetRetention(owner, c.own)
		}); err != nil {
			t.Fatal(err)
		}
		id := s.Submit(t, recording, servertest.Field("configuration", c.configuration))
		if got := ok(t, s.Get(t, "/v3/media/"+id)).JSON(t)["timeToLiveInSeconds"]; got != c.want {
			t.Errorf("the account's %v, configuration %s: %v, want %v", c.own, c.configuration, got, c.want)
		}
	}
}

func TestTimeToLiveCountsFromTheEndOfProcessing(t *testing.T) {
	t.Parallel()
	gate := servertest.NewGate()
	s := servertest.Start(t, servertest.Options{Recognizer: gate})
	id := s.Submit(t, recording, servertest.Field("configuration", `{"timeToLiveInSeconds":3600}`))
	<-gate.Entered
	if item := ok(t, s.Get(t, "/v3/media/"+id)).JSON(t); item["expiresOn"] != nil ||
		item["timeToLiveInSeconds"] != 3600.0 {
		t.Errorf("while it runs: %v, %v", item["timeToLiveInSeconds"], item["expiresOn"])
	}
	gate.Open()
	item := s.Await(t, id)
	end, err := time.Parse(time.RFC3339, item["dateFinished"].(string))
	if err != nil {
		t.Fatal(err)
	}
	expires, err := time.Parse(time.RFC3339, item["expiresOn"].(string))
	if err != nil || !expires.Equal(end.Add(time.Hour)) {
		t.Errorf("finished %s, expires %s, %v", item["dateFinished"], item["expiresOn"], err)
	}
}

// expire moves the expiry of an item with a time to live of one hour into the past. The item is deleted only by the
// next sweep, which is a minute away.
func expire(t *testing.T, s *servertest.Server, id string) {
	t.Helper()
	err := s.Server.Store.Update(t.Context(), func(tx *store.Tx) error {
		return tx.SetFinished(media.ID(id), time.Now().Add(-2*time.Hour))
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestNothingIsServedOfAnItemWhoseTimeIsOver(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	ok(t, define(t, s.Client, `{"fields":["extended.region"]}`))
	send := func(key string) string {
		a := again(t, s.Client, key, sampleCall, saidInSample(t),
			servertest.Field("metadata", `{"externalId":"`+key+`","extended":{"region":"east"}}`),
			servertest.Field("configuration",
				`{"timeToLiveInSeconds":3600,"publish":{"enableAnalyticIndexing":"true"},`+agentAndCaller+`}`))
		id := ok(t, a).JSON(t)["mediaId"].(string)
		s.Await(t, id)
		return id
	}
	first, second := send("first"), send("second")
	lists := []string{"", "?query=calling", "?extendedFilter=region:east", "?status=finished",
		"?query=calling&extendedFilter=region:east", "?sortOrder=asc&after=" + noMedia}
	shown := func(want ...string) {
		t.Helper()
		for _, query := range lists {
			got, _ := page(t, s.Client, "/v3/media"+query)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("%q lists %v, want %v", query, got, want)
			}
		}
		rows := ok(t, statement(t, s.Client, "SELECT mediaId FROM media ORDER BY mediaId")).JSON(t)["rows"].([]any)
		count := ok(t, statement(t, s.Client, "SELECT count(*) AS n FROM media")).JSON(t)["rows"].([]any)
		trial := ok(t, s.Do(t, http.MethodPost, "/v3/analytics/test",
			strings.NewReader(`{"query":"* SAYS \"calling\""}`))).JSON(t)
		file := ok(t, exported(t, s.Client, `{"query":"*"}`))
		for _, id := range []string{first, second} {
			if there := slices.Contains(want, id); strings.Contains(string(file.Body), id) != there ||
				strings.Contains(fmt.Sprint(rows, trial), id) != there {
				t.Errorf("%s: %v, %v, %s", id, rows, trial, file.Body)
			}
		}
		if n := float64(len(want)); at(t, count[0], "n") != n || trial["calls"] != n {
			t.Errorf("%v calls, %v tried, want %v", count, trial["calls"], n)
		}
	}
	shown(first, second)
	signed := location(t, s.Client, first)
	expire(t, s, first)
	shown(second)
	refused(t, s.With("").Get(t, signed), 404, 10205)
	if found, _ := page(t, s.Client, "/v3/media?externalId=first"); len(found) != 0 {
		t.Errorf("externalId finds %v", found)
	}
	goneEverywhere(t, s, first)
	example := func(id, label string) string { return strings.Repeat(`{"mediaId":"`+id+`","label":"`+label+`"},`, 3) }
	training := `{"classifierName":"c","examples":[` + strings.TrimSuffix(example(first, "a")+example(second, "b"),
		",") + `]}`
	refused(t, s.Do(t, http.MethodPost, classifiers, strings.NewReader(training)), 400, 95091, first)
	third := send("first") // the idempotency key can be used again
	if third == first {
		t.Error("the answer for a repeated key is an item that is not there")
	}
	if err := s.Server.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	shown(second, third)
	goneEverywhere(t, s, first)
}
