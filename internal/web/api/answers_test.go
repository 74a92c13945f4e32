package api_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"parley/internal/call/caption"
	"parley/internal/operation/config"
	"parley/internal/testkit/servertest"
	"parley/internal/testkit/verify"
	"parley/internal/words/account"
)

// spokenWords returns a transcript of n words in this service's JSON.
func spokenWords(n int) servertest.Part {
	var b strings.Builder
	b.WriteString(`{"words":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"w":"word%d","s":%d,"e":%d}`, i%997, i*100, i*100+90)
	}
	b.WriteString("]}")
	return servertest.Field("transcript", b.String())
}

// unread sends a request, and reads only the status of the answer.
func unread(t *testing.T, c *servertest.Client, path string) (connection net.Conn, status int) {
	t.Helper()
	connection, err := net.Dial("tcp", strings.TrimPrefix(c.Base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { connection.Close() })
	connection.(*net.TCPConn).SetReadBuffer(4 << 10)
	const request = "GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer %s\r\n\r\n"
	fmt.Fprintf(connection, request, path, c.Token)
	line := make([]byte, len("HTTP/1.1 200"))
	if _, err := io.ReadFull(connection, line); err != nil {
		t.Fatal(err)
	}
	status, _ = strconv.Atoi(string(line[len("HTTP/1.1 "):]))
	return connection, status
}

// held returns how many bytes the requests to a server hold.
func held(t *testing.T, c *servertest.Client) int64 {
	t.Helper()
	for line := range strings.Lines(string(ok(t, c.Get(t, "/metrics")).Body)) {
		if value, found := strings.CutPrefix(line, "parley_request_memory_bytes "); found {
			bytes, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil {
				t.Fatal(err)
			}
			return int64(bytes)
		}
	}
	t.Fatal("no figure for the memory of requests")
	return 0
}

// TestUnreadAnswersTakeTheirAccountsMemoryAndNoMore requests large answers of each kind concurrently, and reads none.
func TestUnreadAnswersTakeTheirAccountsMemoryAndNoMore(t *testing.T) {
	verify.Long(t)
	t.Parallel()
	const most, share, asked = 160 << 20, 96 << 20, 12 // answers of twice the size of a connection's buffers
	s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) {
		c.RequestMemory, c.AccountMemory = most, share
	}})
	other := s.As(t, "other", account.AllScopes...)
	small := other.Submit(t, recording, servertest.Field("transcript", "Agent: hello"))
	id := s.Submit(t, recording, spokenWords(160_000))
	s.Await(t, id)
	for _, path := range []string{"/transcript", "", "/transcript?includeAlternateFormat=" + allFormats} {
		statuses := map[int]int{}
		var all []net.Conn
		for range asked {
			connection, status := unread(t, s.Client, "/v3/media/"+id+path)
			all, statuses[status] = append(all, connection), statuses[status]+1
			if bytes := held(t, other); bytes > share {
				t.Errorf("%s: %d bytes are held", path, bytes)
			}
		}
		if statuses[200] == 0 || statuses[429] == 0 || statuses[200]+statuses[429] != asked {
			t.Errorf("%s: %v", path, statuses)
		}
		refusal := s.Get(t, "/v3/media/"+id+path)
		refused(t, refusal, http.StatusTooManyRequests, 95043, "share of this server")
		if refusal.Header.Get("Retry-After") == "" {
			t.Errorf("%s: no Retry-After", path)
		}
		ok(t, other.Get(t, "/v3/media/"+small))
		for _, connection := range all {
			connection.Close()
		}
		for held(t, other) > 0 { // until the server notices
		}
		ok(t, s.Get(t, "/v3/media/"+id+path))
	}
	for _, format := range caption.All {
		ok(t, s.Get(t, "/v3/media/"+id+"/transcript/"+string(format)))
	}
	if bytes := held(t, other); bytes > 0 {
		t.Errorf("%d bytes stay", bytes)
	}
}

func TestAListOfMuchMetadataIsRefusedByItsSize(t *testing.T) {
	verify.Long(t)
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) {
		only(c)
		c.AccountMemory = 12 << 20
	}})
	large := servertest.Field("metadata", `{"extended":{"x":"`+strings.Repeat("x", 900<<10)+`"}}`)
	for range 14 {
		s.Submit(t, recording, large)
	}
	refused(t, s.Get(t, "/v3/media?limit=14"), http.StatusRequestEntityTooLarge, 10800, "ask for less")
	if page := ok(t, s.Get(t, "/v3/media?limit=5")); len(page.Body) < 5*900<<10 {
		t.Errorf("%d bytes", len(page.Body))
	}
	for held(t, s.Client) > 0 {
	}
}

func TestLargeAnswersAreTheSameToHEAD(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, recording, spokenWords(5000))
	s.Await(t, id)
	head := ok(t, s.Do(t, "HEAD", "/v3/media/"+id+"/transcript", nil))
	if len(head.Body) != 0 || head.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%v", head.Header)
	}
	if words := ok(t, s.Get(t, "/v3/media/"+id+"/transcript")).JSON(t)["words"].([]any); len(words) != 5000 {
		t.Errorf("%d words", len(words))
	}
}
