package netguard

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parley/internal/testkit/netguardtest"
	"parley/internal/words/fault"
)

// names is a resolver that returns the given lists one after the other, and then repeats the last one.
type names map[string][][]string

// LookupNetIP implements Resolver.
func (n names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	answers, ok := n[host]
	if !ok {
		return nil, &net.DNSError{Err: "no such host", Name: host, Server: "192.168.0.53:53"}
	}
	if len(answers) > 1 {
		n[host] = answers[1:]
	}
	var addresses []netip.Addr
	for _, s := range answers[0] {
		addresses = append(addresses, netip.MustParseAddr(s))
	}
	return addresses, nil
}

// listen serves h on a loopback address and returns its port.
func listen(t *testing.T, address string, h http.HandlerFunc) string {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	return serve(t, l, h)
}

func serve(t *testing.T, l net.Listener, h http.HandlerFunc) (port string) {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.Listener.Close()
	s.Listener = l
	s.Start()
	t.Cleanup(s.Close)
	_, port, _ = net.SplitHostPort(l.Addr().String())
	return port
}

// listenOnBoth serves on one port of two addresses.
func listenOnBoth(t *testing.T, first, second string, ofFirst, ofSecond http.HandlerFunc) (port string) {
	t.Helper()
	for {
		l, err := net.Listen("tcp", first+":0")
		if err != nil {
			t.Fatal(err)
		}
		_, port, _ := net.SplitHostPort(l.Addr().String())
		other, err := net.Listen("tcp", second+":"+port)
		if err != nil {
			l.Close() // the port is in use on the other address; try another one
			continue
		}
		serve(t, other, ofSecond)
		return serve(t, l, ofFirst)
	}
}

func guard(t *testing.T, c Config) *Guard {
	t.Helper()
	g := New(c)
	t.Cleanup(g.Close)
	return g
}

func fetch(g *Guard, ctx context.Context, address string, limit int64) ([]byte, string, error) {
	body, kind, err := g.Fetch(ctx, address, limit)
	if err != nil {
		return nil, "", err
	}
	defer body.Close()
	b, err := io.ReadAll(body)
	return b, kind, err
}

func code(err error) int {
	if err == nil {
		return 0
	}
	return fault.ProblemsOf(err)[0].Code
}

// TestNamesOfHiddenAddressesAreRefusedWhenDialled runs a test server on most of these addresses, on loopback.
func TestNamesOfHiddenAddressesAreRefusedWhenDialled(t *testing.T) {
	var reached atomic.Bool
	port := listen(t, "127.0.0.1:0", func(http.ResponseWriter, *http.Request) { reached.Store(true) })
	answers := append([]string{"::1", "::", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::1",
		"fe80::1", "fd00::1", "ff02::1", "2001:0:7f00:1::1", "::127.0.0.1"}, netguardtest.Hidden()...)
	for i, address := range answers {
		host := fmt.Sprintf("h%d.example.com", i)
		g := guard(t, Config{AllowHTTP: true, Resolver: names{host: {{address}}}})
		_, err := g.Client().Get("http://" + host + ":" + port + "/")
		if _, ok := errors.AsType[*Refused](err); !ok {
			t.Errorf("%s: %v", address, err)
		}
		_, _, err = fetch(g, t.Context(), "http://"+host+":"+port+"/", 1000)
		if code(err) != fault.CodeMediaURLMalformed || strings.Contains(err.Error(), address) {
			t.Errorf("%s: %v", address, err)
		}
	}
	if reached.Load() {
		t.Error("a request arrived")
	}
}

func TestOnlyAllowedAddressesOfAHostAreDialled(t *testing.T) {
	port := listen(t, "127.0.0.2:0", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "allowed") })
	g := guard(t, Config{AllowHTTP: true, AllowNetworks: prefixes("127.0.0.2/32"),
		Resolver: names{"host.example": {{"127.0.0.1", "::1", "::ffff:127.0.0.2"}}}})
	b, _, err := fetch(g, t.Context(), "http://host.example:"+port+"/", 1000)
	if err != nil || string(b) != "allowed" {
		t.Errorf("%q, %v", b, err)
	}
}

// TestNameThatChangesItsMeaningIsRefused changes the address of a name between two connections.
func TestNameThatChangesItsMeaningIsRefused(t *testing.T) {
	port := listen(t, "127.0.0.2:0", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Connection", "close")
	})
	g := guard(t, Config{AllowHTTP: true, AllowNetworks: prefixes("127.0.0.2/32"),
		Resolver: names{"host.example": {{"127.0.0.2"}, {"127.0.0.1"}}}})
	address := "http://host.example:" + port + "/"
	if _, _, err := fetch(g, t.Context(), address, 1000); err != nil {
		t.Fatal(err)
	}
	if _, _, err := fetch(g, t.Context(), address, 1000); code(err) != fault.CodeMediaURLMalformed {
		t.Errorf("after the name changed: %v", err)
	}
}

func TestLastLookIsAtTheSocket(t *testing.T) {
	g := New(Config{})
	for _, address := range netguardtest.Hidden() {
		if _, ok := errors.AsType[*Refused](g.control("tcp", net.JoinHostPort(address, "80"), nil)); !ok {
			t.Errorf("%s was let through", address)
		}
	}
	if err := g.control("tcp", "8.8.8.8:80", nil); err != nil {
		t.Error(err)
	}
	if err := g.control("unix", "/var/run/docker.sock", nil); err == nil {
		t.Error("a local socket was let through")
	}
}

func TestEveryRedirectIsChecked(t *testing.T) {
	var arrived atomic.Int32
	target := listen(t, "127.0.0.1:0", func(http.ResponseWriter, *http.Request) { arrived.Add(1) })
	var to string
	port := listen(t, "127.0.0.2:0", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, to, http.StatusFound)
	})
	g := guard(t, Config{AllowHTTP: true, AllowNetworks: prefixes("127.0.0.2/32"), MaxRedirects: 5,
		Resolver: names{"rebind.example": {{"127.0.0.1"}}}})
	for _, to = range []string{
		"http://127.0.0.1:" + target + "/", "http://localhost:" + target + "/", "http://2130706433:" + target + "/",
		"http://[::1]:" + target + "/", "http://[::ffff:127.0.0.1]:" + target + "/",
		"http://rebind.example:" + target + "/", "file:///etc/passwd", "ftp://127.0.0.2/", "gopher://127.0.0.2:70/",
		"//127.0.0.1:" + target + "/", "http://user@127.0.0.2/", "http://127.0.0.2:25/",
		"http://169.254.169.254/latest/",
	} {
		if _, _, err := fetch(g, t.Context(), "http://127.0.0.2:"+port+"/",
			1000); code(err) != fault.CodeMediaURLMalformed {
			t.Errorf("Fetch redirected to %s: %v", to, err)
		}
		if r, err := g.Client().Get("http://127.0.0.2:" + port + "/"); err == nil {
			t.Errorf("Client redirected to %s: %s", to, r.Status)
		}
	}
	if arrived.Load() != 0 {
		t.Error("a request arrived")
	}
}

func TestFetchFollowsFiveRedirectsAndTellsNobodyWhence(t *testing.T) {
	port := listen(t, "127.0.0.2:0", func(w http.ResponseWriter, r *http.Request) {
		if r.Referer() != "" {
			t.Errorf("Referer %s", r.Referer())
		}
		var n int
		if fmt.Sscanf(r.URL.Path, "/%d", &n); n > 0 {
			http.Redirect(w, r, fmt.Sprintf("/%d?key=secret", n-1), http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", "audio/x-test")
		io.WriteString(w, "here")
	})
	g := guard(t, Config{AllowHTTP: true, AllowNetworks: prefixes("127.0.0.2/32")})
	base := "http://127.0.0.2:" + port
	if b, kind, err := fetch(g, t.Context(), base+"/5", 1000); err != nil || string(b) != "here" ||
		kind != "audio/x-test" {
		t.Errorf("%q, %s, %v", b, kind, err)
	}
	if _, _, err := fetch(g, t.Context(), base+"/6", 1000); code(err) != fault.CodeMediaURLUnreachable {
		t.Errorf("six redirects: %v", err)
	}
	r, err := g.Client().Get(base + "/1")
	if err != nil || r.StatusCode != http.StatusFound {
		t.Fatalf("a callback was redirected: %v, %v", r, err)
	}
	r.Body.Close()
}

func TestFetchTellsWhatWentWrong(t *testing.T) {
	port := listen(t, "127.0.0.2:0", func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/404":
			w.WriteHeader(404)
		case "/503":
			w.WriteHeader(503)
		case "/429":
			w.WriteHeader(429)
		case "/204":
			w.WriteHeader(204)
		case "/announced":
			w.Header().Set("Content-Length", "2000")
			w.Write(make([]byte, 2000))
		case "/chunked":
			for range 20 {
				w.Write(make([]byte, 100))
				w.(http.Flusher).Flush()
			}
		case "/exact":
			w.Write(make([]byte, 1000))
		case "/cut":
			w.Header().Set("Content-Length", "500")
			w.Write(make([]byte, 100))
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		case "/headers":
			w.Header().Set("X-Long", strings.Repeat("x", 2*maxHeader))
		}
	})
	closed := listenAndClose(t)
	g := guard(t, Config{AllowHTTP: true, AllowNetworks: prefixes("127.0.0.0/8"), Resolver: names{}})
	passing := map[int]bool{fault.CodeMediaURLUnreachable: true} // allowed for every address
	for address, want := range map[string]int{
		"http://127.0.0.2:" + port + "/429?secret":       fault.CodeMediaURLStatus,
		"http://127.0.0.2:" + port + "/404?secret":       fault.CodeMediaURLStatus,
		"http://127.0.0.2:" + port + "/503?secret":       fault.CodeMediaURLStatus,
		"http://127.0.0.2:" + port + "/204?secret":       fault.CodeMediaURLStatus,
		"http://127.0.0.2:" + port + "/announced?secret": fault.CodeTooLarge,
		"http://127.0.0.2:" + port + "/chunked?secret":   fault.CodeTooLarge,
		"http://127.0.0.2:" + port + "/cut?secret":       fault.CodeMediaURLUnreachable,
		"http://127.0.0.2:" + port + "/headers?secret":   fault.CodeMediaURLUnreachable,
		"http://127.0.0.2:" + port + "/exact":            0,
		"http://127.0.0.1:" + closed + "/?secret":        fault.CodeMediaURLUnreachable,
		"http://nowhere.example/?secret":                 fault.CodeMediaURLUnreachable,
		"https://127.0.0.2:" + port + "/?secret":         fault.CodeMediaURLUnreachable,
		"ftp://127.0.0.2/?secret":                        fault.CodeMediaURLMalformed,
	} {
		_, _, err := fetch(g, t.Context(), address, 1000)
		if code(err) != want {
			t.Errorf("%s: %v, want code %d", address, err, want)
		}
		if again := passing[want] || strings.Contains(address, "/503") ||
			strings.Contains(address, "/429"); fault.Is(err, fault.Unavailable) != again {
			t.Errorf("%s: %v: another try may help: %t", address, err, again)
		}
		if err != nil && (strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "192.168.0.53") ||
			strings.Contains(err.Error(), " tcp ")) {
			t.Errorf("%s: the message tells too much: %v", address, err)
		}
	}
}

func listenAndClose(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

func TestServersThatDoNotGoOnAreLeft(t *testing.T) {
	port := listen(t, "127.0.0.2:0", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/header" {
			w.Write([]byte("beginning"))
			w.(http.Flusher).Flush()
		}
		<-r.Context().Done()
	})
	c := Config{AllowHTTP: true, AllowNetworks: prefixes("127.0.0.2/32")}
	for path, limit := range map[string]func(*Config){
		"/header": func(c *Config) { c.Header = 50 * time.Millisecond },
		"/idle":   func(c *Config) { c.Idle = 50 * time.Millisecond },
		"/total":  func(c *Config) { c.Total = 50 * time.Millisecond },
	} {
		limited := c
		limit(&limited)
		if _, _, err := fetch(guard(t, limited), t.Context(), "http://127.0.0.2:"+port+path,
			1000); code(err) != fault.CodeMediaURLUnreachable {
			t.Errorf("%s: %v", path, err)
		}
	}
	c.Timeout = 50 * time.Millisecond
	if _, err := guard(t, c).Client().Get("http://127.0.0.2:" + port + "/header"); err == nil ||
		!err.(*url.Error).Timeout() {
		t.Errorf("a callback: %v", err)
	}
}

func TestEndedContextEndsAFetch(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	port := listen(t, "127.0.0.2:0", func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte("beginning"))
		w.(http.Flusher).Flush()
		cancel()
		<-r.Context().Done()
	})
	g := guard(t, Config{AllowHTTP: true, AllowNetworks: prefixes("127.0.0.2/32")})
	if _, _, err := fetch(g, ctx, "http://127.0.0.2:"+port+"/", 1000); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestConnectionsComeFromTheEgressAddress(t *testing.T) {
	port := listen(t, "127.0.0.2:0", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.RemoteAddr) })
	g := guard(t, Config{AllowHTTP: true, AllowNetworks: prefixes("127.0.0.2/32"),
		EgressAddress: netip.MustParseAddr("127.0.0.9"),
		Resolver:      names{"host.example": {{"2606:4700::1", "127.0.0.2"}}}})
	b, _, err := fetch(g, t.Context(), "http://host.example:"+port+"/", 1000)
	if err != nil || !bytes.HasPrefix(b, []byte("127.0.0.9:")) {
		t.Errorf("%q, %v", b, err)
	}
}

func TestProxyOfTheEnvironmentIsNotUsed(t *testing.T) {
	proxy := listen(t, "127.0.0.1:0", func(http.ResponseWriter, *http.Request) { t.Error("the proxy was asked") })
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:"+proxy)
	g := guard(t, Config{AllowHTTP: true, Resolver: names{}})
	if _, _, err := fetch(g, t.Context(), "http://host.example/", 1000); code(err) != fault.CodeMediaURLUnreachable {
		t.Errorf("got %v", err)
	}
}

func TestCompressedAnswersStayAsTheyAre(t *testing.T) {
	port := listen(t, "127.0.0.2:0", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		io.WriteString(w, "\x1f\x8b no gzip")
	})
	g := guard(t, Config{AllowHTTP: true, AllowNetworks: prefixes("127.0.0.2/32")})
	if b, _, err := fetch(g, t.Context(), "http://127.0.0.2:"+port+"/", 1000); err != nil ||
		string(b) != "\x1f\x8b no gzip" {
		t.Errorf("%q, %v", b, err)
	}
}
