package server_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/testkit/servertest"
	"parley/internal/testkit/storetest"
	"parley/internal/testkit/verify"
)

func TestAServerTakesNoWorkOnTablesThatItCannotUse(t *testing.T) {
	verify.Long(t)
	gate := servertest.NewGate()
	s := servertest.Start(t, servertest.Options{Recognizer: gate})
	s.Ready(t, http.StatusOK)
	upload := func() servertest.Answer {
		return s.Post(t, servertest.File("media", "tone.wav", servertest.Tone(1, 1)))
	}
	database := filepath.Join(s.Dir, "parley.db")

	storetest.SetNeeds(t, database, 1_000_000)
	if ready := s.Ready(t, http.StatusServiceUnavailable); !strings.Contains(ready.String(), "newer program") {
		t.Errorf("/readyz does not say why: %s", ready)
	}
	if a := upload(); a.Status != http.StatusServiceUnavailable || a.Header.Get("Retry-After") == "" {
		t.Errorf("an upload: %s", a)
	}

	storetest.SetNeeds(t, database, 3)
	s.Ready(t, http.StatusOK)
	gate.Open()
	id := s.Submit(t, servertest.File("media", "tone.wav", servertest.Tone(1, 1)))
	if item := s.Await(t, id); item["status"] != "finished" {
		t.Errorf("once it can use them again: %v", item["status"])
	}
}
