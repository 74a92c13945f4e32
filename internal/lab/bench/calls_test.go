package bench_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley/internal/lab/bench"
)

// TestALoadOfCallsIsMeasuredToItsLastCallback runs the load on a server that refuses one call in five, and that delivers
// before or after its answer.
func TestALoadOfCallsIsMeasuredToItsLastCallback(t *testing.T) {
	var uploads, categories, deliveries atomic.Int64
	var delivering sync.WaitGroup
	deliver := func(url string) {
		deliveries.Add(1)
		if answer, err := http.Post(url, "application/json", strings.NewReader("{}")); err == nil {
			answer.Body.Close()
		}
	}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/metrics":
			fmt.Fprintf(w, "# HELP\nprocess_cpu_seconds_total %d\n", deliveries.Load())
		case r.Method == http.MethodPut:
			categories.Add(1)
			fmt.Fprint(w, "{}")
		default:
			n := uploads.Add(1)
			if n%5 == 0 {
				http.Error(w, `{"errors":[{"code":1,"error":"no"}]}`, http.StatusServiceUnavailable)
				return
			}
			var configuration struct {
				Publish    struct{ Callbacks []struct{ URL string } }
				Categories []any
			}
			if err := json.Unmarshal([]byte(r.FormValue("configuration")), &configuration); err != nil ||
				len(configuration.Publish.Callbacks) != 1 || !strings.Contains(r.FormValue("transcript"), `"m":"turn"`) {
				t.Errorf("%v in %s", err, r.FormValue("configuration"))
				return
			}
			url := configuration.Publish.Callbacks[0].URL
			if n%2 == 0 {
				deliver(url)
			} else {
				delivering.Go(func() { deliver(url) })
			}
			fmt.Fprint(w, `{"mediaId":"x"}`)
		}
	}))
	defer web.Close()
	load := bench.Calls{Servers: []string{web.URL, web.URL}, Token: "t", Rate: 200, Duration: 300 * time.Millisecond,
		Turns: 2, Categories: 3, Size: 100}
	found, err := load.Run(context.Background(), func(string, int64, int64) {})
	delivering.Wait()
	if err != nil {
		t.Fatal(err)
	}
	accepted, delivered := 0, 0
	for _, w := range found.Windows {
		accepted += w.Accepted
		delivered += len(w.Deliveries)
	}
	sent := int(uploads.Load())
	if sent < 10 || accepted != sent-sent/5 || found.Refused != sent/5 || delivered != accepted || found.Missing != 0 {
		t.Errorf("%d sent, %d accepted, %d delivered: %+v", sent, accepted, delivered, found)
	}
	if categories.Load() != 3 || found.Words < 50*accepted || found.First == "" {
		t.Errorf("%d categories, %+v", categories.Load(), found)
	}
	if found.Work != 2*time.Duration(accepted)*time.Second {
		t.Errorf("%v of CPU time", found.Work)
	}
}
