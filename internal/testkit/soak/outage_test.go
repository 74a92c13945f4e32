package soak

import (
	"errors"
	"net/http"
	"path/filepath"
	"testing"

	"parley/internal/terminal/client"
	"parley/internal/testkit/pgtest"
	"parley/internal/testkit/verify"
)

// TestUploadsAreRefusedWhileTheDatabaseIsAwayAndTakenAgain stops and starts PostgreSQL under a running server.
func TestUploadsAreRefusedWhileTheDatabaseIsAwayAndTakenAgain(t *testing.T) {
	verify.Long(t)
	postgres := pgtest.Start(t)
	database, dir := postgres.URL(t), filepath.Join(t.TempDir(), "data")
	token := firstToken(t, "--data", dir, "--database", database)
	e := newEvents()
	c := start(t, e, "--data", dir, "--database", database).client(token)
	before, err := c.Submit(t.Context(), call())
	if err != nil {
		t.Fatal(err)
	}
	postgres.Stop()
	_, err = c.Submit(t.Context(), call())
	refused, ok := errors.AsType[*client.Error](err)
	if !ok || refused.Status != http.StatusServiceUnavailable {
		t.Errorf("with the database away: %v", err)
	}
	if !eventually(t.Context(), func() bool { return ready(t, c) == http.StatusServiceUnavailable }) {
		t.Error("ready with the database away")
	}
	if err := postgres.Restart(); err != nil {
		t.Fatal(err)
	}
	var after client.Item
	if !eventually(t.Context(), func() bool { after, err = c.Submit(t.Context(), call()); return err == nil }) {
		t.Fatalf("with the database back: %v", err)
	}
	if !eventually(t.Context(), func() bool { return ready(t, c) == http.StatusOK }) {
		t.Error("not ready with the database back")
	}
	for _, id := range []string{before.MediaID, after.MediaID} {
		await(t, c, id, e)
	}
}

func ready(t *testing.T, c *client.Client) int {
	t.Helper()
	response, err := c.HTTP.Get(c.Base + "/readyz")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode
}
