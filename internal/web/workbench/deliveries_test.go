package workbench_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"parley/internal/testkit/browsertest"
	"parley/internal/testkit/servertest"
	"parley/internal/testkit/stage"
)

func TestFailedDeliveriesOfAReceiverAreSentAgain(t *testing.T) {
	t.Parallel()
	b := browsertest.Open(t)
	var accepts atomic.Bool
	var taken atomic.Int32
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		if !accepts.Load() {
			w.WriteHeader(http.StatusGone)
			io.WriteString(w, "<b>moved away</b>")
			return
		}
		taken.Add(1)
	}))
	defer receiver.Close()
	s := servertest.Start(t, servertest.Options{Settings: stage.Settings})
	configuration := fmt.Sprintf(`{"publish":{"callbacks":[{"url":"%s/results?key=secret"}]}}`, receiver.URL)
	for range 3 {
		id := s.Submit(t, servertest.File("media", "call.wav", servertest.Tone(1, 1)),
			servertest.Field("configuration", configuration))
		s.Await(t, id)
	}
	until(t, "all deliveries have failed", func() bool {
		return strings.Count(string(s.Get(t, "/v3/callbacks?status=failed").Body), `"callbackId"`) == 3
	})
	signIn(b, s.Base, s.Token, "deliveries")
	b.AwaitText("main", "Failing receivers", receiver.URL+"/results", "It answers with status 410")
	b.Click(".deliveries summary")
	b.AwaitText(".received", "<b>moved away</b>")
	if shown := b.Run("document.body.textContent").(string); strings.Contains(shown, "key=secret") {
		t.Error("the page shows the query of a receiver's address")
	}
	for _, problem := range b.Axe() {
		t.Error(problem)
	}
	accepts.Store(true)
	b.Click("=Send failed ones again…")
	b.Click("dialog button.primary")
	b.AwaitText("dialog", "3 of 3 begun again: 3 delivered, 0 failed again, 0 pending")
	b.Shoot("deliveries-again")
	if n := taken.Load(); n != 3 {
		t.Errorf("the receiver got %d deliveries", n)
	}
	b.Click("dialog button.primary")
	b.Until("all are delivered", `document.querySelectorAll(".deliveries .badge.good").length === 3`)
	b.Until("no receiver fails", `!document.querySelector("main").textContent.includes("Failing receivers")`)
	quiet(t, b, "deliveries")
}
