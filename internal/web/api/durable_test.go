package api_test

import (
	"errors"
	"io"
	"net/http"
	"testing"
	"time"

	"parley/internal/testkit/servertest"
)

// until polls a condition that no event reports.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(2 * time.Minute)
	for !holds() {
		select {
		case <-limit:
			t.Fatalf("not within two minutes: %s", what)
		case <-tick.C:
		}
	}
}

func TestUploadThatIsCutOffLeavesNothing(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	whole, contentType := servertest.Form(t, servertest.Field("metadata", `{}`),
		servertest.File("media", "call.wav", servertest.Tone(60, 1)))
	body, feed := io.Pipe()
	r, err := http.NewRequestWithContext(t.Context(), "POST", s.Base+"/v3/media", body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("Authorization", "Bearer "+s.Token)
	ended := make(chan error)
	go func() {
		response, err := http.DefaultClient.Do(r)
		if err == nil {
			response.Body.Close()
		}
		ended <- err
	}()
	feed.Write(whole[:len(whole)/2])
	until(t, "the first half is on its way to storage", func() bool { return len(s.Blobs(t)) > 0 })
	feed.CloseWithError(errors.New("cut off"))
	if err := <-ended; err == nil {
		t.Error("an upload that was cut off got an answer")
	}
	until(t, "what has arrived is removed", func() bool { return len(s.Blobs(t)) == 0 })
	if listed, _ := page(t, s.Client, "/v3/media"); len(listed) != 0 {
		t.Errorf("items %v", listed)
	}
}

func TestRestartKeepsEverything(t *testing.T) {
	t.Parallel()
	gate := servertest.NewGate()
	s := servertest.Start(t, servertest.Options{Recognizer: gate})
	silent := s.Submit(t, servertest.File("media", "x.wav", silence()),
		servertest.Field("metadata", `{"externalId":"7"}`))
	s.Await(t, silent)
	finished := ok(t, s.Get(t, "/v3/media/"+silent+"/transcript")).Body
	signed := location(t, s.Client, silent)
	running := s.Submit(t, recording, servertest.Field("configuration", `{"ingest":{"speakerName":"Ann"}}`))
	<-gate.Entered
	s.Stop()

	again := servertest.Start(t, servertest.Options{Dir: s.Dir})
	if again.Token != s.Token {
		t.Error("another token")
	}
	if now := ok(t, again.Get(t, "/v3/media/"+silent+"/transcript")).Body; string(now) != string(finished) {
		t.Errorf("the transcript was %s and is %s", finished, now)
	}
	ok(t, again.With("").Get(t, again.Base+signed[len(s.Base):]))
	item := again.Await(t, running)
	if item["status"] != "finished" || len(at(t, item, "transcript", "voiceActivity").([]any)) != 1 {
		t.Errorf("what ran at the stop: %v", item)
	}
	if listed, _ := page(t, again.Client, "/v3/media?externalId=7"); len(listed) != 1 {
		t.Errorf("listed %v", listed)
	}
	if n := len(again.Temporary(t)); n != 0 {
		t.Errorf("%d temporary files stay", n)
	}
}
