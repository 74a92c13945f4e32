package soak

import (
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
	c := start(t, e, append(engineFlags(), "--data", dir, "--database", database)...).client(token)
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

// TestAServerRecoversFromASilentDatabase loses every connection to PostgreSQL without a word, as when its host loses power
// and another one takes over its address.
func TestAServerRecoversFromASilentDatabase(t *testing.T) {
	verify.Long(t)
	database, dir := pgtest.URL(t), filepath.Join(t.TempDir(), "data")
	token := firstToken(t, "--data", dir, "--database", database)
	line := pgtest.Through(t, database)
	e := newEvents()
	n := start(t, e, "--data", dir, "--database", line.URL)
	c := n.client(token)
	c.HTTP.Timeout = time.Minute
	before, err := c.Submit(t.Context(), given())
	if err != nil {
		t.Fatal(err)
	}
	line.Silence()
	if !eventually(t.Context(), func() bool { return ready(t, c) == http.StatusServiceUnavailable }) {
		t.Error("ready with a silent database")
	}
	_, err = c.Submit(t.Context(), given())
	refused, ok := errors.AsType[*client.Error](err)
	if !ok || refused.Status != http.StatusServiceUnavailable {
		t.Errorf("with a silent database: %v", err)
	}
	line.Mend()
	mended := time.Now()
	if !eventually(t.Context(), func() bool { return ready(t, c) == http.StatusOK }) {
		t.Error("not ready with the database back")
	}
	after, err := c.Submit(t.Context(), given())
	if err != nil {
		t.Errorf("with the database back: %v", err)
	}
	if took := time.Since(mended); took > 30*time.Second {
		t.Errorf("the server needed %v to go on", took)
	}
	for _, id := range []string{before.MediaID, after.MediaID} {
		if !eventually(t.Context(), func() bool { return finished(t.Context(), c, id) }) {
			t.Errorf("%s does not end\n%s", id, e.tail())
		}
	}
}

// TestSIGTERMEndsAServerWhoseDatabaseIsAway stops a server that works on a recording when its database falls silent.
func TestSIGTERMEndsAServerWhoseDatabaseIsAway(t *testing.T) {
	verify.Long(t)
	database, dir := pgtest.URL(t), filepath.Join(t.TempDir(), "data")
	token := firstToken(t, "--data", dir, "--database", database)
	line := pgtest.Through(t, database)
	e := newEvents()
	n := start(t, e, "--data", dir, "--database", line.URL, "--drain-delay", "30s")
	c := n.client(token)
	item, err := c.Submit(t.Context(), brief(t))
	if err != nil {
		t.Fatal(err)
	}
	if !eventually(t.Context(), func() bool { return e.count(item.MediaID) > 0 }) {
		t.Fatal("no chunk was recognised")
	}
	line.Silence()
	asked := time.Now()
	if err := n.stop(); err != nil {
		t.Error(err)
	}
	if took := time.Since(asked); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
	if !strings.Contains(e.tail(), "the database does not answer") {
		t.Errorf("the log does not say why:\n%s", e.tail())
	}
	t.Logf("ended after %v", time.Since(asked))
}
