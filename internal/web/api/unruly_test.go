package api_test

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley/internal/call/delivery"
	"parley/internal/operation/config"
	"parley/internal/testkit/servertest"
)

// unruly is a misbehaving receiver on a real socket. The test defines what it does with each connection, counted from
// 0.
type unruly struct {
	listener *net.TCPListener
	ended    chan struct{} // closed at the end of the test
}

func newUnruly(t *testing.T, serve func(v *unruly, c *net.TCPConn, n int)) (address string) {
	t.Helper()
	l, err := net.ListenTCP("tcp", net.TCPAddrFromAddrPort(netip.MustParseAddrPort("127.0.0.1:0")))
	if err != nil {
		t.Fatal(err)
	}
	v := &unruly{listener: l, ended: make(chan struct{})}
	var serving sync.WaitGroup
	serving.Go(func() {
		for n := 0; ; n++ {
			c, err := l.AcceptTCP()
			if err != nil {
				return
			}
			serving.Go(func() {
				defer c.Close()
				serve(v, c, n)
			})
		}
	})
	t.Cleanup(func() { close(v.ended); l.Close(); serving.Wait() })
	return "http://" + l.Addr().String() + "/r"
}

// answer reads a request correctly, and writes the given response.
func (v *unruly) answer(c *net.TCPConn, head string) {
	r, err := http.ReadRequest(bufio.NewReader(c))
	if err != nil {
		return
	}
	io.Copy(io.Discard, r.Body)
	io.WriteString(c, head)
}

// hold waits until the other side closes the connection, or the test ends.
func (v *unruly) hold(c *net.TCPConn) {
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		io.Copy(io.Discard, c)
	}()
	select {
	case <-gone:
	case <-v.ended:
	}
}

// each calls step every second until it returns false, or the test ends.
func (v *unruly) each(step func() bool) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for step() {
		select {
		case <-tick.C:
		case <-v.ended:
			return
		}
	}
}

func plain(status string, header ...string) string {
	return "HTTP/1.1 " + status + "\r\nContent-Length: 0\r\nConnection: close\r\n" + strings.Join(append(header, ""),
		"\r\n") + "\r\n"
}

// always sends the same answer to every request.
func always(head string) func(*unruly, *net.TCPConn, int) {
	return func(v *unruly, c *net.TCPConn, _ int) { v.answer(c, head) }
}

// fate is the expected outcome of a delivery.
type fate struct {
	state string
	tries []string // a status or a part of the error, one per try
}

func all(n int, what string) fate { return fate{"failed", slices.Repeat([]string{what}, n)} }

// of reports whether a delivery has this outcome.
func (f fate) of(c map[string]any) bool {
	tries := c["tries"].([]any)
	if c["status"] != f.state || len(tries) != len(f.tries) {
		return false
	}
	for i, want := range f.tries {
		try := tries[i].(map[string]any)
		if fmt.Sprint(try["status"]) != want &&
			(try["status"] != nil || !strings.Contains(fmt.Sprint(try["error"]), want)) {
			return false
		}
	}
	return true
}

// meet delivers to all receivers in a table and compares the outcomes.
func meet(t *testing.T, settings func(*config.Settings), table map[string]struct {
	callback string
	fate     fate
}) (s *servertest.Server, deliveries map[string]map[string]any) {
	t.Helper()
	s = servertest.Start(t, servertest.Options{Settings: settings})
	var names, callbacks []string
	for name, row := range table {
		names, callbacks = append(names, name), append(callbacks, row.callback)
	}
	id := s.Submit(t, bulky(8<<20), servertest.Field("transcript", timedWords), publish(callbacks...))
	s.Await(t, id)
	deliveries = map[string]map[string]any{}
	for i, c := range awaitCallbacks(t, s, id, func(list []map[string]any) bool {
		return len(list) == len(table) && settled(list)
	}) {
		if !table[names[i]].fate.of(c) {
			t.Errorf("%s: %v, want %v", names[i], c, table[names[i]].fate)
		}
		deliveries[names[i]] = c
	}
	return s, deliveries
}

// bulky returns a recording of two seconds followed by a chunk of bytes that is not audio.
func bulky(size int) servertest.Part {
	junk := make([]byte, 8+size)
	copy(junk, "junk")
	binary.LittleEndian.PutUint32(junk[4:], uint32(size))
	whole := append(servertest.Tone(2, 1), junk...)
	binary.LittleEndian.PutUint32(whole[4:], uint32(len(whole)-8))
	return servertest.File("media", "call.wav", whole)
}

func item(address string) string { return fmt.Sprintf(`{"url":%q}`, address) }

// shortened sets a schedule of two attempts. An attempt with three tries takes at least two seconds.
func shortened(patience time.Duration) func(*config.Settings) {
	return func(c *config.Settings) {
		trial(c)
		c.CallbackSchedule, c.CallbackPatience = delivery.Schedule{0, 5 * time.Second}, patience
	}
}

// TestUnrulyReceiversGetWhatTheScheduleSays runs the schedule on real sockets: every way to refuse a delivery,
// concurrently.
func TestUnrulyReceiversGetWhatTheScheduleSays(t *testing.T) {
	t.Parallel()
	closed := newUnruly(t, func(*unruly, *net.TCPConn, int) {})
	nobody := deserted(t)
	var arrived atomic.Bool
	elsewhere := newUnruly(t, func(v *unruly, c *net.TCPConn, _ int) {
		arrived.Store(true)
		v.answer(c, plain("200 OK"))
	})
	untrusted := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		arrived.Store(true)
	}))
	untrusted.Config.ErrorLog = log.New(io.Discard, "", 0)
	untrusted.StartTLS()
	t.Cleanup(untrusted.Close)
	_, got := meet(t, shortened(time.Minute), map[string]struct {
		callback string
		fate     fate
	}{
		"refuses connections": {item("http://" + nobody), all(6, "connection refused")},
		"closes at once":      {item(closed), fate{"failed", slices.Repeat([]string{""}, 6)}},
		"resets": {item(newUnruly(t, func(_ *unruly, c *net.TCPConn, _ int) {
			c.Read(make([]byte, 1))
			c.SetLinger(0)
		})), fate{"failed", slices.Repeat([]string{""}, 6)}},
		"cuts its answer off": {item(newUnruly(t, always("HTTP/1.1 200 OK\r\nContent-Le"))), all(6, "malformed")},
		"speaks no HTTP":      {item(newUnruly(t, always("220 mail.example.com ESMTP\r\n"))), all(6, "malformed HTTP")},
		"has endless headers": {item(newUnruly(t,
			always("HTTP/1.1 200 OK\r\nX: "+strings.Repeat("x", 1<<20)+"\r\n\r\n"))), all(6, "")},
		"redirects": {item(newUnruly(t, always(plain("307 Temporary Redirect", "Location: "+elsewhere)))),
			all(6, "307")},
		"redirects with 303": {item(newUnruly(t, always(plain("303 See Other", "Location: "+elsewhere)))),
			all(6, "303")},
		"answers 500":   {item(newUnruly(t, always(plain("500 Internal Server Error")))), all(6, "500")},
		"answers 404":   {item(newUnruly(t, always(plain("404 Not Found")))), all(6, "404")},
		"wants no more": {item(newUnruly(t, always(plain("410 Gone")))), all(1, "410")},
		"asks for time": {item(newUnruly(t, always(plain("429 Too Many Requests", "Retry-After: 2")))), all(6, "429")},
		"asks for a date": {item(newUnruly(t,
			always(plain("503 Service Unavailable", "Retry-After: Fri, 01 Jan 2010 00:00:00 GMT")))),
			all(6, "503")},
		"shows a certificate that nobody vouches for": {item(untrusted.URL), all(6, "certificate")},
		"dies": {item(newUnruly(t, func(v *unruly, c *net.TCPConn, _ int) {
			v.listener.Close()
			v.answer(c, plain("500 Internal Server Error"))
			<-v.ended // keeps the port allocated
		})), fate{"failed", append([]string{"500"}, slices.Repeat([]string{"connection refused"}, 5)...)}},
		"comes back within an attempt": {item(newUnruly(t, func(v *unruly, c *net.TCPConn, n int) {
			v.answer(c, plain([]string{"500 Internal Server Error", "502 Bad Gateway", "200 OK"}[min(n, 2)]))
		})), fate{"delivered", []string{"500", "502", "200"}}},
		"comes back in the next attempt": {item(newUnruly(t, func(v *unruly, c *net.TCPConn, n int) {
			v.answer(c, plain([]string{"503 Service Unavailable", "204 No Content"}[min(n/4, 1)]))
		})), fate{"delivered", []string{"503", "503", "503", "503", "204"}}},
		"is gone in the next attempt": {item(newUnruly(t, func(v *unruly, c *net.TCPConn, n int) {
			v.answer(c, plain([]string{"503 Service Unavailable", "410 Gone"}[min(n/3, 1)]))
		})), fate{"failed", []string{"503", "503", "503", "410"}}},
		"says first that it goes on": {item(newUnruly(t,
			always("HTTP/1.1 103 Early Hints\r\n\r\n"+plain("201 Created")))), fate{"delivered", []string{"201"}}},
		"answers without end": {item(newUnruly(t, func(v *unruly, c *net.TCPConn, _ int) {
			v.answer(c, "HTTP/1.1 200 OK\r\n\r\n"+strings.Repeat("x", 2*delivery.MaxAnswer))
			v.hold(c)
		})), fate{"delivered", []string{"200"}}},
		"takes a recording and refuses it": {fmt.Sprintf(`{"url":%q,"type":"media","stream":"original"}`,
			newUnruly(t, always(plain("507 Insufficient Storage")))), all(6, "507")},
	})
	if arrived.Load() {
		t.Error("a delivery went on to the address of a redirect, or to a server that is not trusted")
	}
	for name, pause := range map[string]time.Duration{"answers 500": time.Second, "asks for a date": time.Second,
		"asks for time": 2 * time.Second} {
		checkPauses(t, name, got[name], pause)
	}
}

// checkPauses checks the times of six tries: the tries of an attempt are separated by a pause, and the second attempt
// does not start before its scheduled time.
func checkPauses(t *testing.T, name string, c map[string]any, pause time.Duration) {
	t.Helper()
	began, last := moment(t, c["dateBegan"]), time.Time{}
	for i, raw := range c["tries"].([]any) {
		try := raw.(map[string]any)
		at := moment(t, try["date"])
		const rounding = 2 * time.Millisecond
		switch {
		case i == 3 && at.Before(began.Add(5*time.Second-rounding)):
			t.Errorf("%s: the second attempt after %v", name, at.Sub(began))
		case i%3 != 0 && at.Sub(last) < pause-rounding:
			t.Errorf("%s: try %d is %v after the one before, want %v", name, i+1, at.Sub(last), pause)
		case try["attempt"] != float64(i/3+1):
			t.Errorf("%s: try %d belongs to attempt %v", name, i+1, try["attempt"])
		}
		last = at
	}
}

func moment(t *testing.T, text any) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, fmt.Sprint(text))
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// deserted returns an address without a listener for the duration of the test: the local end of a connection.
func deserted(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(); l.Close() })
	return c.LocalAddr().String()
}

// TestReceiversThatGoOnTooSlowlyAreLeft covers receivers that would hold a connection forever. The patience is one
// second, and no receiver ever answers in time, so that the outcome does not depend on the load of the machine.
func TestReceiversThatGoOnTooSlowlyAreLeft(t *testing.T) {
	t.Parallel()
	const left = "stopped reading, or did not answer"
	media := func(address string) string {
		return fmt.Sprintf(`{"url":%q,"type":"media","stream":"original"}`, address)
	}
	meet(t, shortened(time.Second), map[string]struct {
		callback string
		fate     fate
	}{
		"hangs": {item(newUnruly(t, func(v *unruly, c *net.TCPConn, _ int) { v.hold(c) })),
			all(6, left)},
		"hangs when it has read": {item(newUnruly(t, func(v *unruly, c *net.TCPConn, _ int) {
			v.answer(c, "")
			v.hold(c)
		})), all(6, left)},
		"hangs after half an answer": {item(newUnruly(t, func(v *unruly, c *net.TCPConn, _ int) {
			v.answer(c, "HTTP/1.1 200 O")
			v.hold(c)
		})), all(6, left)},
		"says only that it will read": {item(newUnruly(t, func(v *unruly, c *net.TCPConn, _ int) {
			v.answer(c, "HTTP/1.1 102 Processing\r\n\r\n")
			v.hold(c)
		})), all(6, left)},
		"answers a byte a second": {item(newUnruly(t, func(v *unruly, c *net.TCPConn, _ int) {
			v.answer(c, "")
			rest := plain("200 OK")
			v.each(func() bool {
				_, err := io.WriteString(c, rest[:1])
				rest = rest[1:]
				return err == nil &&
					rest != ""
			})
		})), all(6, left)},
		"reads a byte a second": {media(newUnruly(t, func(v *unruly, c *net.TCPConn, _ int) {
			c.SetReadBuffer(4096)
			v.each(func() bool { _, err := c.Read(make([]byte, 1)); return err == nil })
		})), all(6, left)},
		"reads nothing of a recording": {media(newUnruly(t, func(v *unruly, c *net.TCPConn, _ int) {
			c.SetReadBuffer(4096)
			v.each(func() bool { return true })
		})), all(6, left)},
	})
}

// TestOutgoingRequestsComeFromTheEgressAddress has receivers that check the source address.
func TestOutgoingRequestsComeFromTheEgressAddress(t *testing.T) {
	t.Parallel()
	asked := make(chan string, 10)
	address := elsewhere(t, func(w http.ResponseWriter, r *http.Request) {
		host, _, _ := net.SplitHostPort(r.RemoteAddr)
		asked <- r.Method + " from " + host
		w.Write(recording.Body)
	})
	s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) {
		trial(c)
		c.EgressAddress = netip.MustParseAddr("127.0.0.9")
	}})
	s.Await(t, s.Submit(t, from(address+"/call.wav"), servertest.Field("transcript", timedWords),
		publish(item(address+"/results"))))
	for _, want := range []string{"GET from 127.0.0.9", "POST from 127.0.0.9"} {
		if got := <-asked; got != want {
			t.Errorf("asked with %s, want %s", got, want)
		}
	}
}
