package api_test

import (
	"testing"
	"time"

	"parley/internal/account"
	"parley/internal/config"
	"parley/internal/servertest"
	"parley/internal/store"
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
		{nil, `{}`, 3600.0}, {nil, `{"timeToLiveInSeconds":7}`, 7.0}, {&day, `{}`, 86400.0}, {&day, `{"timeToLiveInSeconds":7}`, 7.0},
		{&none, `{}`, nil}, {&none, `{"timeToLiveInSeconds":7}`, 7.0}, {nil, `{}`, 3600.0},
	} {
		if err := s.Server.Store.Update(t.Context(), func(tx *store.Tx) error { return tx.SetRetention(owner, c.own) }); err != nil {
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
	if item := ok(t, s.Get(t, "/v3/media/"+id)).JSON(t); item["expiresOn"] != nil || item["timeToLiveInSeconds"] != 3600.0 {
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
