package api_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"parley/internal/testkit/servertest"
	"parley/internal/words/account"
)

const (
	callbacksPath = "/v3/callbacks"
	retryPath     = "/v3/callbacks/retry"
	markedRetry   = `{"endpoint":"https://example.com/potto","status":"failed"}`
)

// deliveriesOf follows the pages of the list of deliveries.
func deliveriesOf(t *testing.T, c *servertest.Client, query string) (all []map[string]any) {
	t.Helper()
	for path := callbacksPath + query; path != ""; {
		page := ok(t, c.Get(t, path)).JSON(t)
		for _, d := range page["callbacks"].([]any) {
			all = append(all, d.(map[string]any))
		}
		path = ""
		if next, more := page["_links"].(map[string]any)["next"]; more {
			path = at(t, next, "href").(string)
		}
	}
	return all
}

// TestDeliveriesOfAnAccountAreListedAndSentAgainOnce has a receiver that refuses everything until it is repaired.
func TestDeliveriesOfAnAccountAreListedAndSentAgainOnce(t *testing.T) {
	t.Parallel()
	var repaired atomic.Bool
	var again atomic.Int64
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !repaired.Load() && r.URL.Path == "/broken" {
			w.WriteHeader(http.StatusGone)
			w.Write([]byte("out of order"))
			return
		}
		if r.URL.Path == "/broken" {
			again.Add(1)
		}
	}))
	t.Cleanup(web.Close)
	s := servertest.Start(t, servertest.Options{Settings: trial})
	other := s.As(t, "other", account.AllScopes...)
	const items = 3
	for range items {
		s.Await(t, s.Submit(t, recording, publish(`{"url":"`+web.URL+`/broken?secret=1"}`, `{"url":"`+web.URL+`/fine"}`)))
	}
	s.Idle(t)
	all := deliveriesOf(t, s.Client, "?limit=1")
	if len(all) != 2*items {
		t.Fatalf("%d deliveries", len(all))
	}
	for i := range all[1:] {
		if all[i]["callbackId"].(string) <= all[i+1]["callbackId"].(string) {
			t.Errorf("%v before %v", all[i]["callbackId"], all[i+1]["callbackId"])
		}
	}
	failed := deliveriesOf(t, s.Client, "?status=FAILED&endpoint="+url.QueryEscape(web.URL+"/broken"))
	if len(failed) != items || len(deliveriesOf(t, s.Client, "?endpoint="+url.QueryEscape(web.URL+"/fine")+"&limit=2")) != items ||
		len(deliveriesOf(t, s.Client, "?endpoint="+url.QueryEscape(web.URL+"/none"))) != 0 ||
		len(deliveriesOf(t, s.Client, "?mediaId="+failed[0]["mediaId"].(string))) != 2 {
		t.Errorf("%d failed", len(failed))
	}
	if try := failed[0]["lastTry"]; at(t, try, "status") != 410. || at(t, try, "answer") != "out of order" ||
		failed[0]["tryCount"] != 1. || strings.Contains(fmt.Sprint(all), "secret=1") {
		t.Errorf("%v", failed[0])
	}
	if seen := deliveriesOf(t, other, ""); len(seen) != 0 {
		t.Errorf("another account sees %v", seen)
	}

	repaired.Store(true)
	body := `{"endpoint":"` + web.URL + `/broken","since":"2026-01-01","status":"failed"}`
	retry := func(body, key string) servertest.Answer {
		return s.Do(t, http.MethodPost, retryPath, strings.NewReader(body), "Idempotency-Key", key)
	}
	id := ok(t, retry(body, "k")).JSON(t)["retryId"].(string)
	s.Idle(t)
	done := ok(t, s.Get(t, retryPath+"/"+id)).JSON(t)
	if done["status"] != "finished" || done["total"] != float64(items) || done["done"] != float64(items) ||
		done["delivered"] != float64(items) || done["percent"] != 100. || again.Load() != items {
		t.Errorf("%v; %d were sent again", done, again.Load())
	}
	if same := ok(t, retry(body, "k")).JSON(t); same["retryId"] != id {
		t.Errorf("the same request began another job: %v", same)
	}
	refused(t, retry(`{"status":"failed"}`, "k"), 409, 95013, "Idempotency-Key")
	s.Idle(t)
	if again.Load() != items {
		t.Errorf("%d were sent again, want %d", again.Load(), items)
	}
	refused(t, other.Get(t, retryPath+"/"+id), 404, 10205)
}

func TestRequestsAboutDeliveriesAreChecked(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	for query, why := range map[string]string{
		"?status=sent": "status", "?endpoint=example.com": "endpoint", "?mediaId=x": "mediaId", "?after=x": "callbackId",
		"?after=msg_1": "callbackId", "?limit=1001": "limit",
	} {
		refused(t, s.Get(t, callbacksPath+query), 400, 95002, why)
	}
	for body, why := range map[string]string{
		`{"status":"sent"}`: "status", `{"endpoint":"x"}`: "endpoint", `{"since":"yesterday"}`: "since",
		`{"status":"delivered"}`: "needs since", `[`: "JSON",
	} {
		refused(t, s.Do(t, http.MethodPost, retryPath, strings.NewReader(body)), 400, 95002, why)
	}
}
