package soak

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/internal/call/wire"
	"parley/internal/terminal/client"
	"parley/internal/testkit/verify"
)

// receiver is an unreliable receiver that counts deliveries by id.
type receiver struct {
	mu       sync.Mutex
	random   *rand.Rand
	willing  bool           // accepts everything
	asked    map[string]int // requests
	accepted map[string]int // requests answered with success
}

// ServeHTTP rejects, resets, delays or accepts.
func (v *receiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body)
	id := r.Header.Get("webhook-id")
	v.mu.Lock()
	v.asked[id]++
	mood := v.random.IntN(10)
	if v.willing {
		mood = 9
	}
	v.mu.Unlock()
	switch {
	case mood < 3:
		http.Error(w, "not now", http.StatusServiceUnavailable)
		return
	case mood < 4:
		panic(http.ErrAbortHandler) // resets the connection
	case mood < 5:
		select { // long enough to be killed in between
		case <-r.Context().Done():
			return
		case <-time.After(time.Second):
		}
	}
	v.mu.Lock()
	v.accepted[id]++
	v.mu.Unlock()
}

func (v *receiver) requests(id string) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.asked[id]
}

// reported returns a submission that is processed quickly, and has three callbacks.
func reported(base string) client.Submission {
	var callbacks []string
	for _, c := range []string{`"type":"analytics"`, `"type":"transcript","format":"srt","method":"PUT"`,
		`"type":"media","stream":"original"`} {
		callbacks = append(callbacks, fmt.Sprintf(`{"url":%q,%s}`, base+"/results", c))
	}
	return given(callbacks...)
}

// TestKilledServersLoseNoDelivery kills the server repeatedly while it delivers to a receiver that rejects, resets and
// delays. Every delivery succeeds in the end, and none is repeated after its success was recorded.
func TestKilledServersLoseNoDelivery(t *testing.T) {
	verify.Long(t)
	kills := 3
	if soaking() {
		kills = 100
	}
	dir := filepath.Join(t.TempDir(), "data")
	token := firstToken(t, "--data", dir)
	random := rand.New(rand.NewPCG(2, uint64(kills)))
	v := &receiver{random: rand.New(rand.NewPCG(3, 3)), asked: map[string]int{}, accepted: map[string]int{}}
	web := httptest.NewServer(v)
	t.Cleanup(web.Close)
	var schedule []string
	for second := range 90 {
		schedule = append(schedule, fmt.Sprintf("%ds", second))
	}
	flags := []string{"--data", dir, "--allow-insecure-callbacks", "--allow-networks", "127.0.0.0/8",
		"--callback-schedule", strings.Join(schedule, ",")}
	e := newEvents()
	var ids []string
	recorded := map[string]int{} // recorded successes, with the number of requests until then
	for range kills {
		n := start(t, e, flags...)
		c := n.client(token)
		for range 4 {
			item, err := c.Submit(t.Context(), reported(web.URL))
			if err != nil {
				t.Fatalf("submit: %v\n%s", err, e.tail())
			}
			ids = append(ids, item.MediaID)
		}
		wait(t.Context(), time.Duration(random.Int64N(int64(2*time.Second))))
		note(t, c, v, ids, recorded)
		n.kill()
	}
	v.mu.Lock()
	v.willing = true
	v.mu.Unlock()
	n := start(t, e, flags...)
	c := n.client(token)
	for _, id := range ids {
		await(t, c, id, e)
		var last []wire.Callback
		made := eventually(t.Context(), func() bool {
			var err error
			last, err = callbacks(t.Context(), c, id)
			return err == nil && !strings.Contains(fmt.Sprint(last), "pending")
		})
		if !made || len(last) != 3 {
			t.Fatalf("deliveries of %s: %+v\n%s", id, last, e.tail())
		}
		for _, d := range last {
			if d.Status != "delivered" || v.requests(d.CallbackID) == 0 {
				t.Errorf("delivery %s is %s after %d requests: %+v", d.CallbackID, d.Status, v.requests(d.CallbackID),
					d.Tries)
			}
			for i, try := range d.Tries { // nothing follows a recorded success
				if accepted := try.Status == http.StatusOK; accepted != (i == len(d.Tries)-1) {
					t.Errorf("delivery %s: try %d of %d ended with %d %s", d.CallbackID, i+1, len(d.Tries), try.Status,
						try.Error)
				}
			}
		}
	}
	if err := n.stop(); err != nil {
		t.Error(err)
	}
	again := 0
	for id, before := range recorded {
		if now := v.requests(id); now != before {
			t.Errorf("delivery %s was recorded as made after %d requests, and asked for again: %d", id, before, now)
		}
		again += v.accepted[id] - 1
	}
	t.Logf("%d kills, %d deliveries, %d recorded between, %d accepted once more because a kill came before the record",
		kills, 3*len(ids), len(recorded), again)
}

// callbacks returns the deliveries of a recording.
func callbacks(ctx context.Context, c *client.Client, id string) ([]wire.Callback, error) {
	var list wire.Callbacks
	body, err := c.Deliveries(ctx, id)
	if err == nil {
		err = json.Unmarshal(body, &list)
	}
	return list.Callbacks, err
}

// note adds the deliveries that are recorded as made.
func note(t *testing.T, c *client.Client, v *receiver, ids []string, recorded map[string]int) {
	t.Helper()
	for _, id := range ids {
		list, err := callbacks(t.Context(), c, id)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range list {
			if _, known := recorded[d.CallbackID]; !known && d.Status == "delivered" {
				recorded[d.CallbackID] = v.requests(d.CallbackID)
			}
		}
	}
}
