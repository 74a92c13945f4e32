package api_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"parley/internal/operation/config"
	"parley/internal/storage/store"
	"parley/internal/testkit/servertest"
	"parley/internal/words/account"
)

func TestRequestsBeyondTheRateAreRefusedWithTheTimeToWait(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) { only(c); c.TokenRate = 1 }})
	mine, other := s.As(t, account.DefaultName, account.AllScopes...), s.As(t, "other", account.AllScopes...)
	limited := 0
	for range 20 {
		switch a := mine.Get(t, "/v3/media"); a.Status {
		case http.StatusOK:
		case http.StatusTooManyRequests:
			limited++
			refused(t, a, 429, 95040, "token")
			if a.Header.Get("Retry-After") != "1" {
				t.Errorf("Retry-After %q", a.Header.Get("Retry-After"))
			}
		default:
			t.Fatal(a)
		}
	}
	if limited == 0 {
		t.Error("20 requests at once pass where one a second may")
	}
	ok(t, other.Get(t, "/v3/media"))
	ok(t, s.With("").Get(t, "/healthz"))
	for _, line := range audited(t, s.Client, "?limit=1000") {
		if line["code"] == 95040. {
			t.Errorf("requests beyond a limit are in the audit log: %v", line)
		}
	}
}

func TestRequestsBeyondThoseUnderWayAreRefused(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) { only(c); c.AccountRequests = 1 }})
	other := s.As(t, "other", account.AllScopes...)
	form, contentType := servertest.Form(t, recording)
	connection, err := net.Dial("tcp", strings.TrimPrefix(s.Base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	answers := bufio.NewReader(connection)
	fmt.Fprintf(connection, "POST /v3/media HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: "+
		"%s\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n",
		s.Token, contentType, len(form))
	status := func(want int) {
		t.Helper()
		response, err := http.ReadResponse(answers, nil)
		if err != nil {
			t.Fatal(err)
		}
		if response.StatusCode != want {
			t.Fatalf("status %s, want %d", response.Status, want)
		}
	}
	status(http.StatusContinue) // the upload is being read, so it counts
	a := s.Get(t, "/v3/media")
	refused(t, a, 429, 95041, "in progress")
	if a.Header.Get("Retry-After") != "1" {
		t.Errorf("Retry-After %q", a.Header.Get("Retry-After"))
	}
	ok(t, other.Get(t, "/v3/media"))
	connection.Write(form)
	status(http.StatusOK)
	ok(t, s.Get(t, "/v3/media"))
}

func TestUploadsBeyondTheStorageOfAnAccountAreRefusedAndLeaveNothing(t *testing.T) {
	t.Parallel()
	size := int64(len(recording.Body))
	s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) {
		only(c)
		c.AccountStorage = 2*size + 10
	}})
	s.Submit(t, recording)
	id := s.Submit(t, recording)
	stored := len(s.Recordings(t))
	limits(t, s, "storage", map[string]any{"bytes": float64(2 * size), "limit": float64(2*size + 10)})
	for range 2 {
		a := s.Post(t, recording)
		refused(t, a, 429, 95042, "bytes")
		if a.Header.Get("Retry-After") != "3600" {
			t.Errorf("Retry-After %q", a.Header.Get("Retry-After"))
		}
	}
	if n := len(s.Recordings(t)); n != stored {
		t.Errorf("%d blobs, before %d", n, stored)
	}
	s.As(t, "other", account.AllScopes...).Submit(t, recording)
	if a := s.Do(t, "DELETE", "/v3/media/"+id, nil); a.Status != 204 {
		t.Fatal(a)
	}
	s.Submit(t, recording)
	refused(t, s.Post(t, recording), 429, 95042)
	// The operator gives the account a higher limit than others.
	none, own := int64(0), s.Account(t, account.DefaultName)
	err := s.Server.Store.Update(t.Context(), func(tx *store.Tx) error {
		return tx.SetAccountLimits(own.ID, account.Limits{Storage: &none})
	})
	if err != nil {
		t.Fatal(err)
	}
	limits(t, s, "storage", map[string]any{"bytes": float64(2 * size)})
	s.Submit(t, recording)
	s.Submit(t, recording)
}

// limits compares a part of what the account is told of its limits.
func limits(t *testing.T, s *servertest.Server, part string, want any) {
	t.Helper()
	if got := ok(t, s.Get(t, "/v3/profile/limits")).JSON(t)[part]; !reflect.DeepEqual(got, want) {
		t.Errorf("%s is %v, not %v", part, got, want)
	}
}

func TestLimitsThatDoNotExistAreNotTold(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) {
		c.AccountRate, c.TokenRate, c.AccountRequests, c.AccountDefinitions, c.AccountMemory = 0, 40, 7, 3, 0
		c.TimeToLive, c.MaxDuration, c.MaxUpload = time.Hour, time.Minute, 5<<20
	}})
	limits(t, s, "requests", map[string]any{"perSecondAndKey": 40.0, "atOnce": 7.0})
	for name, want := range map[string]any{"definitions": 3.0, "uploadBytes": float64(5 << 20), "recordingLength": 60_000.0,
		"requestMemory": nil} {
		limits(t, s, name, want)
	}
	limits(t, s, "settings", map[string]any{"version": s.Server.Version, "timeToLiveInSeconds": 3600.0, "scoreAsNumber": false})
}

func TestHeadersBeyondTheLimitAreRefused(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.Base+"/healthz", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Long", strings.Repeat("x", 128<<10))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Error(response.Status)
	}
}

// Replacing a definition is always allowed, another account has its own limit, and a deletion frees a place.
func TestAnAccountSavesNoMoreOfEachKindThanTheOperatorAllows(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) {
		only(c)
		c.AccountDefinitions = 2
	}})
	other := s.As(t, "other", account.AllScopes...)
	put := func(c *servertest.Client, path, body string) servertest.Answer {
		return c.Do(t, http.MethodPut, path, strings.NewReader(body))
	}
	for path, body := range map[string]string{
		"/v3/definition/categories/":      `{"query":"* SAYS \"a\""}`,
		"/v3/definition/spotting/groups/": `{"keywords":["a"]}`,
		"/v3/definition/vocabularies/":    `{"terms":[{"term":"Contoso"}]}`,
		"/v3/analytics/queries/":          `{"query":"SELECT * FROM media"}`,
		presetsPath + "/":                 support,
		dashboardsPath + "/":              volume,
	} {
		for _, name := range []string{"one", "two", "one"} {
			ok(t, put(s.Client, path+name, body))
		}
		refused(t, put(s.Client, path+"three", body), 409, 95044, "2", "delete", "--account-definitions")
		ok(t, put(other, path+"three", body))
		if a := s.Do(t, http.MethodDelete, path+"two", nil); a.Status != 204 {
			t.Fatal(a)
		}
		ok(t, put(s.Client, path+"three", body))
	}
	for path, body := range map[string]string{publicKeys: publicKey, "/v3/profile/keys": `{"description":"one more"}`} {
		post := func() servertest.Answer { return s.Do(t, http.MethodPost, path, strings.NewReader(body)) }
		var last servertest.Answer
		for range 3 { // one key exists: the one in use
			last = post()
		}
		refused(t, last, 409, 95044, "2", "delete")
	}
}
