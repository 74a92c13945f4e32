package netguard

import (
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"parley/internal/testkit/netguardtest"
)

// The guard relies on this table: it must not shrink or contain duplicate cases.
func TestTheTableOfHostileAddressesIsLong(t *testing.T) {
	tricks, all := netguardtest.Tricks(), netguardtest.Hostile()
	if len(tricks) < 200 || len(all) < len(tricks)+700 {
		t.Errorf("%d tricks, %d addresses", len(tricks), len(all))
	}
	slices.Sort(all)
	for i := range all[1:] {
		if all[i] == all[i+1] {
			t.Errorf("twice: %q", all[i])
		}
	}
	for what, holds := range map[string]func(string) bool{
		"user":     func(s string) bool { return strings.Contains(s, "@") },
		"octal":    func(s string) bool { return strings.Contains(s, "://0177.") },
		"decimal":  func(s string) bool { return strings.Contains(s, "://2130706433") },
		"mapped":   func(s string) bool { return strings.Contains(s, "[::ffff:") },
		"NAT64":    func(s string) bool { return strings.Contains(s, "[64:ff9b:") },
		"6to4":     func(s string) bool { return strings.Contains(s, "[2002:") },
		"zone":     func(s string) bool { return strings.Contains(s, "%25") },
		"metadata": func(s string) bool { return strings.Contains(s, "169.254.169.254") },
		"port":     func(s string) bool { return strings.HasPrefix(s, "https://example.com:") },
	} {
		if n := len(slices.DeleteFunc(slices.Clone(all), func(s string) bool { return !holds(s) })); n < 3 {
			t.Errorf("%s: %d addresses", what, n)
		}
	}
}

// TestAnswersOfNameServersAreJudgedOneByOne uses names of which some or all addresses are disallowed, as in DNS
// rebinding. Of two servers, only the one on 127.0.0.2 may be reached.
func TestAnswersOfNameServersAreJudgedOneByOne(t *testing.T) {
	var open, hidden atomic.Int32
	count := func(n *atomic.Int32) http.HandlerFunc { return func(http.ResponseWriter, *http.Request) { n.Add(1) } }
	port := listenOnBoth(t, "127.0.0.1", "127.0.0.2", count(&hidden), count(&open))
	for name, c := range map[string]struct {
		answers [][]string
		arrive  int32 // requests, of two, that reach the allowed server
	}{
		"hidden":                         {[][]string{{"127.0.0.1"}}, 0},
		"hidden in IPv6":                 {[][]string{{"::1", "::ffff:127.0.0.1", "::ffff:7f00:1"}}, 0},
		"allowed at first, then hidden":  {[][]string{{"127.0.0.2"}, {"127.0.0.1"}}, 1},
		"allowed at first, then nothing": {[][]string{{"127.0.0.2"}, {}}, 1},
		"hidden beside allowed":          {[][]string{{"127.0.0.1", "127.0.0.2"}, {"127.0.0.2", "10.0.0.1"}}, 2},
		"allowed, written as IPv6":       {[][]string{{"::ffff:127.0.0.2"}}, 2},
		"with a zone":                    {[][]string{{"fe80::1%lo", "::1%lo"}}, 0},
		"in a translated network": {[][]string{{"64:ff9b::7f00:1", "64:ff9b::7f00:2", "2002:7f00:1::",
			"2001:0:7f00:1::"}}, 0},
		"nothing": {[][]string{{}}, 0},
	} {
		g := guard(t, Config{AllowHTTP: true, AllowNetworks: prefixes("127.0.0.2/31"),
			Resolver: names{"host.example": c.answers}})
		g.transport.DisableKeepAlives = true // each request dials, and so resolves the name again
		if r, err := g.Client().Get("http://host.example:" + port + "/"); err == nil {
			r.Body.Close()
		}
		fetch(g, t.Context(), "http://host.example:"+port+"/", 1000)
		if h, n := hidden.Swap(0), open.Swap(0); h != 0 || n != c.arrive {
			t.Errorf("%s: %d requests arrived where they may not, %d of %d where they may", name, h, n, c.arrive)
		}
	}
}

func TestCertificatesAreVerified(t *testing.T) {
	var reached atomic.Bool
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		reached.Store(true)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	// the certificate is for example.com
	here := names{"example.com": {{"127.0.0.1"}}, "other.example": {{"127.0.0.1"}}}
	try := func(trusted bool, host string) error {
		g := guard(t, Config{AllowNetworks: prefixes("127.0.0.0/8"), Resolver: here})
		if trusted {
			pool := x509.NewCertPool()
			pool.AddCert(server.Certificate())
			g.transport.TLSClientConfig.RootCAs = pool
		}
		r, err := g.Client().Post("https://"+host+":"+port+"/", "text/plain", strings.NewReader("secret"))
		if err == nil {
			r.Body.Close()
		}
		return err
	}
	if _, ok := errors.AsType[x509.UnknownAuthorityError](try(false, "example.com")); !ok {
		t.Errorf("a certificate that nobody vouches for: %v", try(false, "example.com"))
	}
	if _, ok := errors.AsType[x509.HostnameError](try(true, "other.example")); !ok {
		t.Errorf("another host's certificate: %v", try(true, "other.example"))
	}
	if reached.Load() {
		t.Error("a request arrived without a valid certificate")
	}
	if err := try(true, "example.com"); err != nil || !reached.Load() {
		t.Errorf("a valid certificate: %v", err)
	}
}
