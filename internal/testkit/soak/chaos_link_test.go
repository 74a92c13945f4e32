package soak

import (
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/Shopify/toxiproxy/v2/stream"
	"github.com/Shopify/toxiproxy/v2/toxics"
	"github.com/rs/zerolog"

	"parley/internal/testkit/freeport"
)

// link is the network between a node and a service, which can be cut, fall silent and be slow. Its address stays the
// same when it leads to another server, as a virtual IP does.
type link struct {
	proxy *toxiproxy.Proxy

	mu   sync.Mutex // held while the proxy starts or stops
	open bool
}

// The directions of a line.
const (
	requests = "upstream"
	answers  = "downstream"
)

var registerLost = sync.OnceFunc(func() { toxics.Register("lost", new(lost)) })

// newLink returns a link to host:port, which ends with the test.
func newLink(t *testing.T, name, to string) *link {
	t.Helper()
	registerLost()
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	l := &link{proxy: toxiproxy.NewProxy(server, name, freeport.Quiet+":0", to)}
	if err := l.join(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.cut)
	for _, direction := range []string{requests, answers} {
		toxic := fmt.Sprintf(`{"name":%[1]q,"type":"lost","stream":%[1]q}`, direction)
		if _, err := l.proxy.Toxics.AddToxicJson(strings.NewReader(toxic)); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

func (l *link) address() string { return l.proxy.Listen }

// cut closes all connections and refuses new ones.
func (l *link) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open = false
	l.proxy.Stop()
}

// join accepts connections again.
func (l *link) join() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open = true
	return l.proxy.Start()
}

// redirect makes a link lead to another server; the connections to the one before are closed. A link that is cut stays so.
func (l *link) redirect(to string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.proxy.Update(&toxiproxy.Proxy{Listen: l.proxy.Listen, Upstream: to, Enabled: l.open})
}

// silence makes all connections lose what is sent in some directions. Those that were open then stay so for ever.
func (l *link) silence(directions ...string) error { return l.change(true, directions) }

// mend makes connections that are opened from now on pass data again.
func (l *link) mend(directions ...string) error { return l.change(false, directions) }

func (l *link) change(silent bool, directions []string) error {
	for _, direction := range directions {
		toxic, ok := l.proxy.Toxics.GetToxic(direction).Toxic.(*lost)
		if !ok {
			return fmt.Errorf("the link has no toxic %s", direction)
		}
		toxic.set(silent)
	}
	return nil
}

// slow delays what is sent in both directions.
func (l *link) slow(delay time.Duration) error {
	for _, direction := range []string{requests, answers} {
		toxic := fmt.Sprintf(`{"name":"slow %[1]s","type":"latency","stream":%[1]q,"attributes":{"latency":%d,"jitter":%d}}`,
			direction, delay.Milliseconds(), delay.Milliseconds()/2)
		if _, err := l.proxy.Toxics.AddToxicJson(strings.NewReader(toxic)); err != nil {
			return err
		}
	}
	return nil
}

// quicken ends slow.
func (l *link) quicken(t *testing.T) error {
	for _, direction := range []string{requests, answers} {
		if err := l.proxy.Toxics.RemoveToxic(t.Context(), "slow "+direction); err != nil {
			return err
		}
	}
	return nil
}

// lost is a toxic that loses data, as a network does that forgets its connections: those that were open while it was
// silent never pass anything again.
type lost struct {
	mu      sync.Mutex
	silent  bool
	changed chan struct{} // closed when silent changes; nil before somebody looks
}

func (l *lost) set(silent bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.silent = silent
	if l.changed != nil {
		close(l.changed)
		l.changed = nil
	}
}

// get reports whether the toxic is silent, and returns what is closed when that changes.
func (l *lost) get() (silent bool, changed <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.changed == nil {
		l.changed = make(chan struct{})
	}
	return l.silent, l.changed
}

// loss is the state of one direction of a connection.
type loss struct {
	gone  bool
	ended bool                // the other side has closed the connection
	held  *stream.StreamChunk // received and not passed yet
}

// NewState implements toxics.StatefulToxic.
func (*lost) NewState() any { return &loss{} }

// Pipe implements toxics.Toxic.
func (l *lost) Pipe(stub *toxics.ToxicStub) {
	state := stub.State.(*loss)
	for {
		silent, changed := l.get()
		state.gone = state.gone || silent
		input, output := stub.Input, chan<- *stream.StreamChunk(nil)
		switch {
		case state.ended && silent: // nobody hears of the end either
			input = nil
		case state.ended:
			stub.Close()
			return
		case state.held != nil && !state.gone:
			input, output = nil, stub.Output
		}
		select {
		case <-stub.Interrupt:
			return
		case <-changed:
		case output <- state.held:
			state.held = nil
		case state.held = <-input:
			state.ended = state.held == nil
		}
	}
}

// echo is a server that answers with what it gets, and counts it.
func echo(t *testing.T) (address string, received func() int) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	var mu sync.Mutex
	sum := 0
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				buffer := make([]byte, 100)
				for {
					n, err := c.Read(buffer)
					mu.Lock()
					sum += n
					mu.Unlock()
					if _, failed := c.Write(buffer[:n]); err != nil || failed != nil {
						return
					}
				}
			}()
		}
	}()
	return listener.Addr().String(), func() int { mu.Lock(); defer mu.Unlock(); return sum }
}

func TestALinkCanBeCutAndSilentAndLoseAnswers(t *testing.T) {
	address, received := echo(t)
	l := newLink(t, "a link", address)
	dial := func() net.Conn {
		t.Helper()
		c, err := net.Dial("tcp", l.address())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	pass := func(c net.Conn, patience time.Duration) bool {
		t.Helper()
		c.SetDeadline(time.Now().Add(patience))
		if _, err := c.Write([]byte("x")); err != nil {
			return false
		}
		n, _ := c.Read(make([]byte, 1))
		return n == 1
	}
	passes := func(c net.Conn) bool { t.Helper(); return pass(c, 10*time.Second) }
	loses := func(c net.Conn) bool { t.Helper(); return !pass(c, 300*time.Millisecond) }
	first := dial()
	if !passes(first) || received() != 1 {
		t.Fatal("a new link passes nothing")
	}
	if err := l.silence(answers); err != nil {
		t.Fatal(err)
	}
	if !loses(first) || received() != 2 {
		t.Errorf("answers are not lost, or requests are: %d", received())
	}
	second := dial()
	if !loses(second) || received() != 3 {
		t.Errorf("answers of a new connection are not lost, or requests are: %d", received())
	}
	if err := l.mend(answers); err != nil {
		t.Fatal(err)
	}
	if !loses(first) || !passes(dial()) {
		t.Error("after losing answers, an old connection passes data, or a new one does not")
	}
	if err := l.silence(requests, answers); err != nil {
		t.Fatal(err)
	}
	before := received()
	third := dial()
	if !loses(third) || received() != before {
		t.Error("a silent link passes data")
	}
	if err := l.mend(requests, answers); err != nil {
		t.Fatal(err)
	}
	if !loses(third) || !passes(dial()) {
		t.Error("after silence, an old connection passes data, or a new one does not")
	}
	l.cut()
	if _, err := net.Dial("tcp", l.address()); err == nil {
		t.Error("a link that is cut accepts a connection")
	}
	other, _ := echo(t)
	if err := l.redirect(other); err != nil {
		t.Fatal(err)
	}
	if _, err := net.Dial("tcp", l.address()); err == nil {
		t.Error("a link that is cut accepts a connection, because it leads elsewhere")
	}
	if err := l.join(); err != nil {
		t.Fatal(err)
	}
	if before := received(); !passes(dial()) || received() != before {
		t.Error("a link leads to the server of before")
	}
	if err := l.slow(50 * time.Millisecond); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if !passes(dial()) || time.Since(began) < 50*time.Millisecond {
		t.Errorf("a slow link passes nothing, or is not slow: %v", time.Since(began))
	}
	if err := l.quicken(t); err != nil {
		t.Fatal(err)
	}
	if !passes(dial()) {
		t.Error("a link that was slow passes nothing")
	}
}
