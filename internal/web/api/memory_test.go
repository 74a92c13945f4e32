package api_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/internal/operation/config"
	"parley/internal/testkit/servertest"
	"parley/internal/words/account"
)

// stalled is an upload that has arrived except for its end.
type stalled struct {
	connection net.Conn
	answer     chan int // the status; closed without one if the connection ends
}

// stall sends the beginning of a body and then stops.
func stall(t *testing.T, c *servertest.Client, method, path, contentType, body string) *stalled {
	t.Helper()
	connection, err := net.Dial("tcp", strings.TrimPrefix(c.Base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	s := &stalled{connection, make(chan int, 1)}
	var using sync.WaitGroup
	using.Go(func() {
		fmt.Fprintf(connection, "%s %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: "+
			"%s\r\nContent-Length: %d\r\n\r\n",
			method, path, c.Token, contentType, len(body)+100)
		io.WriteString(connection, body) // fails if the request is refused meanwhile
	})
	using.Go(func() {
		defer close(s.answer)
		if response, err := http.ReadResponse(bufio.NewReader(connection), nil); err == nil {
			s.answer <- response.StatusCode
		}
	})
	t.Cleanup(func() {
		connection.Close()
		using.Wait()
	})
	return s
}

// part returns the beginning of a multipart body: one part with the given number of bytes.
func part(name string, bytes int) string {
	return "--b\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + strings.Repeat("hello ", bytes/6)
}

const multipartType = "multipart/form-data; boundary=b"

// small is an upload whose transcript is too large for the remaining memory when the budget is used up.
var small = []servertest.Part{recording, servertest.Field("transcript", "Agent: "+strings.Repeat("hello ", 100))}

// TestStalledBodiesTakeTheirAccountsMemoryAndNoMore stalls uploads of each kind that is held in memory.
func TestStalledBodiesTakeTheirAccountsMemoryAndNoMore(t *testing.T) {
	t.Parallel()
	const size = 900 << 10
	for name, c := range map[string]struct{ method, path, contentType, body string }{
		"transcript":    {"POST", "/v3/media", multipartType, part("transcript", size)},
		"configuration": {"POST", "/v3/media", multipartType, part("configuration", size)},
		"metadata":      {"POST", "/v3/media", multipartType, part("metadata", size)},
		"reprocessing":  {"POST", "", multipartType, part("transcript", size)},
		"put metadata":  {"PUT", "/metadata", "application/json", strings.Repeat(" ", size)},
		"vocabulary":    {"PUT", vocabularies + "/v", "application/json", strings.Repeat(" ", size)},
		"category":      {"PUT", categoriesPath + "/c", "application/json", strings.Repeat(" ", size)},
		"saved query":   {"PUT", queriesPath + "/q", "application/json", strings.Repeat(" ", size)},
		"preset":        {"PUT", presetsPath + "/p", "application/json", strings.Repeat(" ", size)},
		"dashboard":     {"PUT", dashboardsPath + "/d", "application/json", strings.Repeat(" ", size)},
		"search fields": {"PUT", searchFields, "application/json", strings.Repeat(" ", size)},
		"training set":  {"POST", classifiers, "application/json", strings.Repeat(" ", size)},
		"recordings":    {"POST", "/v3/media", multipartType, part("media", size)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) {
				only(c)
				c.RequestMemory, c.AccountMemory = 16<<20, 4<<20
			}})
			other := s.As(t, "other", account.AllScopes...)
			path := c.path
			if !strings.HasPrefix(path, "/v3") {
				path = "/v3/media/" + s.Submit(t, recording) + path
			}
			var all []*stalled
			for range 40 {
				all = append(all, stall(t, s.Client, c.method, path, c.contentType, c.body))
			}
			// 4 MiB have room for four bodies of 900 KiB, or for 21 buffers of recordings.
			waiting := make(chan int, len(all))
			for _, each := range all {
				go func() { waiting <- <-each.answer }()
			}
			for range len(all) - 21 {
				if status := <-waiting; status != http.StatusTooManyRequests {
					t.Fatalf("status %d", status)
				}
			}
			ok(t, other.Post(t, small...))
			for _, each := range all {
				each.connection.Close()
			}
			for range 21 {
				<-waiting
			}
			awaitRoom(t, s)
		})
	}
}

// awaitRoom waits until an account can upload again.
func awaitRoom(t *testing.T, s *servertest.Server) {
	t.Helper()
	for s.Post(t, small...).Status == http.StatusTooManyRequests {
	}
	ok(t, s.Post(t, small...))
}

// TestStalledAccountsGiveWayToOthers fills the memory with stalled uploads of two accounts.
func TestStalledAccountsGiveWayToOthers(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) {
		only(c)
		c.RequestMemory, c.AccountMemory = 4<<20, 2<<20
	}})
	var all []*stalled
	for _, owner := range []string{"first", "second"} {
		c := s.As(t, owner, account.MediaWrite)
		for range 4 { // two are refused
			all = append(all, stall(t, c, "POST", "/v3/media", multipartType, part("transcript", 900<<10)))
		}
	}
	answers := make(chan int, len(all))
	for _, each := range all {
		go func() { answers <- <-each.answer }()
	}
	for range 4 {
		if status := <-answers; status != http.StatusTooManyRequests {
			t.Fatalf("status %d", status)
		}
	}
	ok(t, s.Post(t, recording, servertest.Field("transcript", "Agent: "+strings.Repeat("hello ", 2500))))
}

// TestARefusalDoesNotWaitForTheRestOfTheBody refuses an upload that is almost complete; the answer must come
// immediately.
func TestARefusalDoesNotWaitForTheRestOfTheBody(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) {
		only(c)
		c.AccountMemory, c.UploadTime = 64<<10, time.Hour
	}})
	if status := <-stall(t, s.Client, "POST", "/v3/media", multipartType,
		part("transcript", 100<<10)).answer; status != http.StatusRequestEntityTooLarge {
		t.Errorf("status %d", status)
	}
}

func TestAPartWithALongHeaderIsRefused(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	body := "--b\r\nContent-Disposition: form-data; name=\"media\"\r\nX: " + strings.Repeat("x", 64<<10) +
		"\r\n\r\nx\r\n--b--\r\n"
	refused(t, s.Do(t, "POST", "/v3/media", strings.NewReader(body), "Content-Type", multipartType), 400, 10001,
		"header of a part")
}
