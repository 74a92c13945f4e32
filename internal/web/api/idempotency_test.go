package api_test

import (
	"bytes"
	"strings"
	"sync"
	"testing"

	"parley/internal/testkit/servertest"
	"parley/internal/words/account"
)

// again submits a form with an Idempotency-Key.
func again(t *testing.T, c *servertest.Client, key string, parts ...servertest.Part) servertest.Answer {
	t.Helper()
	body, contentType := servertest.Form(t, parts...)
	return c.Do(t, "POST", "/v3/media", bytes.NewReader(body), "Content-Type", contentType, "Idempotency-Key", key)
}

func TestSameRequestWithSameKeyGetsTheFirstItem(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	metadata := servertest.Field("metadata", `{"externalId":"7"}`)
	first := ok(t, again(t, s.Client, "k", recording, metadata)).JSON(t)
	s.Await(t, first["mediaId"].(string))
	second := ok(t, again(t, s.Client, "k", metadata, recording)).JSON(t)
	if second["mediaId"] != first["mediaId"] || second["dateCreated"] != first["dateCreated"] ||
		second["status"] != "finished" {
		t.Errorf("first %v, second %v", first, second)
	}
	if third := ok(t, again(t, s.Client, "other", recording, metadata)).JSON(t); third["mediaId"] == first["mediaId"] {
		t.Error("another key gets the same item")
	}
	if fourth := ok(t, again(t, s.As(t, "firm", account.AllScopes...), "k", recording, metadata)).JSON(
		t); fourth["mediaId"] == first["mediaId"] {
		t.Error("another account gets the item")
	}
	if n := len(s.Recordings(t)); n != 3 {
		t.Errorf("%d files of 3 items", n)
	}
}

func TestOtherRequestWithSameKeyIsAConflict(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	ok(t, again(t, s.Client, "k", recording))
	for _, parts := range [][]servertest.Part{
		{stereo}, {recording, servertest.Field("metadata", `{}`)}, {recording, servertest.Field("configuration", `{}`)},
		{from("https://calls.example.com/x")},
	} {
		refused(t, again(t, s.Client, "k", parts...), 409, 95013, "Idempotency-Key")
	}
	if n := len(s.Recordings(t)); n != 1 {
		t.Errorf("%d files of one item", n)
	}
	refused(t, again(t, s.Client, strings.Repeat("k", 256), recording), 400, 95013, "255")
	refused(t, again(t, s.Client, "k\xff", recording), 400, 95013, "UTF-8")
}

func TestRefusedRequestDoesNotUseUpItsKey(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	refused(t, again(t, s.Client, "k", recording, servertest.Field("configuration", `{"priority":"urgent"}`)), 400,
		10009)
	ok(t, again(t, s.Client, "k", recording))
}

func TestConcurrentDuplicatesGetOneItem(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	const n = 8
	answers := make([]servertest.Answer, n)
	var sending sync.WaitGroup
	for i := range n {
		sending.Go(func() { answers[i] = again(t, s.Client, "k", recording) })
	}
	sending.Wait()
	first := ok(t, answers[0]).JSON(t)["mediaId"]
	for _, a := range answers {
		if got := ok(t, a).JSON(t)["mediaId"]; got != first {
			t.Errorf("items %v and %v", got, first)
		}
	}
	if listed, _ := page(t, s.Client, "/v3/media"); len(listed) != 1 || len(s.Recordings(t)) != 1 {
		t.Errorf("%d items, %d files", len(listed), len(s.Recordings(t)))
	}
}

func TestKeyOfADeletedItemCanBeUsedAgain(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	first := ok(t, again(t, s.Client, "k", recording)).JSON(t)["mediaId"].(string)
	if a := s.Do(t, "DELETE", "/v3/media/"+first, nil); a.Status != 204 {
		t.Fatal(a)
	}
	second := ok(t, again(t, s.Client, "k", recording)).JSON(t)["mediaId"].(string)
	ok(t, s.Get(t, "/v3/media/"+second))
}
