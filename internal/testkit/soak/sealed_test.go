package soak

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/internal/terminal/client"
	"parley/internal/testkit/foldertest"
	"parley/internal/testkit/gpgtest"
	"parley/internal/testkit/verify"
	"parley/sample"
)

// ask sends a request for which the client has no function, and returns the answer.
func ask(t *testing.T, c *client.Client, method, path string, body []byte) []byte {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, c.Base+path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+c.Token)
	answer, err := c.HTTP.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s %s: %d %s %v", method, path, answer.StatusCode, content, err)
	}
	return content
}

// TestKilledServersSealWhatWasAcknowledged kills the server repeatedly while it encrypts recordings. In between, no
// file contains their metadata; in the end each recording is one encrypted message with all its data.
func TestKilledServersSealWhatWasAcknowledged(t *testing.T) {
	verify.Long(t)
	kills := 3
	if soaking() {
		kills = 100
	}
	dir := filepath.Join(t.TempDir(), "data")
	token := firstToken(t, "--data", dir)
	random := rand.New(rand.NewPCG(5, uint64(kills)))
	home := gpgtest.New(t)
	e := newEvents()
	key := ""
	titles := map[string]string{}
	sealed := 0
	for round := range kills {
		n := start(t, e, "--data", dir)
		c := n.client(token)
		if key == "" {
			var made struct{ PublicKeyID string }
			if err := json.Unmarshal(ask(t, c, http.MethodPost, "/v3/security/public-keys",
				home.ECC(t, "owner@example.com")), &made); err != nil || made.PublicKeyID == "" {
				t.Fatal(made, err)
			}
			key = made.PublicKeyID
		}
		for i := range 3 {
			title := fmt.Sprintf("the title of call %d in round %d", i, round)
			item, err := c.Submit(t.Context(), client.Submission{
				Name: sample.Name, Media: bytes.NewReader(sample.Call()), Metadata: fmt.Sprintf(`{"title":%q}`, title),
				Configuration: fmt.Sprintf(`{"encryption":{"publicKeyId":%q}}`, key), Transcript: words(round),
			})
			if err != nil {
				t.Fatalf("submit: %v\n%s", err, e.tail())
			}
			titles[item.MediaID] = title
		}
		wait(t.Context(), time.Duration(random.Int64N(int64(2*time.Second))))
		n.kill()
		if files := foldertest.Holding(t, dir, []byte("the title of call")); len(files) > 0 {
			t.Fatalf("after kill %d titles stand in %v", round, files)
		}
	}
	n := start(t, e, "--data", dir)
	c := n.client(token)
	for id, title := range titles {
		if item, err := c.Wait(t.Context(), id, 100*time.Millisecond, func(client.Progress) {}); err != nil ||
			item.Status != "finished" {
			t.Fatalf("%s is %s: %v\n%s", id, item.Status, err, e.tail())
		}
		document := string(home.Decrypt(t, ask(t, c, http.MethodGet, "/v3/media/"+id+"/encrypted", nil)))
		if !strings.Contains(document, title) || !strings.Contains(document, `"round-`) {
			t.Errorf("%s: the message says %s", id, document)
		}
		if stream := home.Decrypt(t, ask(t, c, http.MethodGet, "/v3/media/"+id+"/streams/original-encrypted",
			nil)); !bytes.Equal(stream, sample.Call()) {
			t.Errorf("%s: the recording is another one", id)
		}
		sealed++
	}
	if err := n.stop(); err != nil {
		t.Error(err)
	}
	t.Logf("%d kills, %d recordings sealed", kills, sealed)
}
