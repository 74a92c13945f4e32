package api_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"parley/internal/operation/config"
	"parley/internal/testkit/pgtest"
	"parley/internal/testkit/servertest"
	"parley/internal/web/auth"
	"parley/internal/words/account"
)

// makeKey creates a key, which must succeed.
func makeKey(t *testing.T, c *servertest.Client, body string) map[string]any {
	t.Helper()
	return ok(t, c.Do(t, "POST", "/v3/profile/keys", strings.NewReader(body))).JSON(t)
}

func TestKeyIsMadeUsedListedAndRevoked(t *testing.T) {
	t.Parallel()
	book := &logbook{}
	s := servertest.Start(t, servertest.Options{Log: book, Settings: only})
	made := makeKey(t, s.Client, `{"description":"dialler","ttlMillis":3600000,"scope":"media:read keys"}`)
	id, secret := made["id"].(string), made["bearerToken"].(string)
	if made["lastSix"] != secret[len(secret)-6:] || made["expired"] != false || made["scope"] != "media:read keys" ||
		made["description"] != "dialler" || made["lastUsed"] != nil {
		t.Errorf("made %v", made)
	}
	issued, _ := time.Parse(time.RFC3339, made["issued"].(string))
	expires, _ := time.Parse(time.RFC3339, made["expirationDate"].(string))
	if life := expires.Sub(issued); life < 59*time.Minute || life > 61*time.Minute {
		t.Errorf("it lives for %s", life)
	}
	mine := s.With(secret)
	ok(t, mine.Get(t, "/v3/media"))
	refused(t, mine.Get(t, "/v3/queue"), 403, 10006, "admin")
	shown := ok(t, mine.Get(t, "/v3/profile/keys/"+id)).JSON(t)
	list := ok(t, mine.Get(t, "/v3/profile/keys")).JSON(t)["keys"].([]any)
	if len(list) != 2 || at(t, list[1], "id") != id || shown["bearerToken"] != nil ||
		at(t, list[1], "bearerToken") != nil {
		t.Errorf("listed %v", list)
	}
	if a := mine.Do(t, "DELETE", "/v3/profile/keys/"+id, nil); a.Status != 204 {
		t.Fatal(a)
	}
	refused(t, mine.Get(t, "/v3/media"), 401, 10003)
	refused(t, s.Get(t, "/v3/profile/keys/"+id), 404, 70007, id)
	refused(t, s.Do(t, "DELETE", "/v3/profile/keys/"+id, nil), 404, 70007, id)
	for _, part := range []string{secret, strings.TrimPrefix(secret, auth.Prefix)[:12]} {
		if strings.Contains(book.text.String(), part) {
			t.Error("the log has the secret")
		}
	}
}

func TestKeysDoNotGiveMoreThanTheOneTheyAreMadeWith(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	secret, _ := s.NewToken(t, s.Account(t, account.DefaultName), time.Now().Add(time.Hour), account.Keys,
		account.MediaRead)
	little := s.With(secret)
	post := func(body string) servertest.Answer {
		return little.Do(t, "POST", "/v3/profile/keys", strings.NewReader(body))
	}
	refused(t, post(`{"scope":"keys admin"}`), 403, 70008, "admin")
	refused(t, post(`{"ttlMillis":7200000}`), 403, 70005, "expires")
	refused(t, post(`{"ephemeral":true}`), 400, 70006)
	refused(t, post(``), 400, 70000)
	refused(t, post(`{"description":"`+strings.Repeat("x", 70<<10)+`"}`), 413, 10800)
	made := ok(t, post(`{}`)).JSON(t)
	if made["scope"] != "keys media:read" || made["expirationDate"] == nil {
		t.Errorf("made %v", made)
	}
}

// A public client sends the first instant of year 1 as an unset time.
func TestGeneratedClientsMakeKeys(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	var key struct {
		Id             string
		BearerToken    string
		LastSix        string
		Issued         time.Time
		ExpirationDate time.Time
		Expired        bool
		Scope          string
	}
	a := s.Do(t, "POST", "/v3/profile/keys",
		strings.NewReader(`{"ttlMillis":60000,"expirationDate":"0001-01-01T00:00:00Z"}`), "Accept", "application/json")
	if err := json.Unmarshal(ok(t, a).Body, &key); err != nil || key.BearerToken == "" ||
		key.ExpirationDate.Before(key.Issued) {
		t.Errorf("%v %s", err, a)
	}
}

func TestRevocationHoldsOnOtherNodesAtOnce(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	shared := func(c *config.Settings) { c.Database, c.Role = url, config.RoleAPI }
	first := servertest.Start(t, servertest.Options{Settings: shared})
	second := servertest.Start(t, servertest.Options{Dir: first.Dir, Settings: shared})
	made := makeKey(t, first.Client, `{}`)
	mine := second.With(made["bearerToken"].(string))
	ok(t, mine.Get(t, "/v3/media"))
	if a := first.Do(t, "DELETE", "/v3/profile/keys/"+made["id"].(string), nil); a.Status != 204 {
		t.Fatal(a)
	}
	refused(t, mine.Get(t, "/v3/media"), 401, 10003)
}
