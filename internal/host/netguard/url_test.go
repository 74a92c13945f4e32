package netguard

import (
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"parley/internal/testkit/netguardtest"
	"parley/internal/words/fault"
)

func TestHostileAddressesAreRefusedAtOnce(t *testing.T) {
	g := New(Config{AllowHTTP: true})
	for _, address := range netguardtest.Hostile() {
		err := g.CheckURL(address)
		if !fault.Is(err, fault.Invalid) || fault.ProblemsOf(err)[0].Code != fault.CodeMediaURLMalformed {
			t.Errorf("%q: %v", address, err)
		}
	}
}

var honest = []string{
	"https://example.com", "https://example.com/a.wav?X-Amz-Signature=abc&x=1#f", "https://EXAMPLE.com:443/",
	"https://example.com:8443/", "https://example.com./",
	"https://93.184.216.34/x", "https://8.8.8.8:8080/", "https://[2606:4700:4700::1111]/",
	"https://[2606:4700:4700::1111]:8443/x", "https://bücher.example/", "https://xn--bcher-kva.example/",
	"https://my_bucket.s3.amazonaws.com/x", "https://1e100.net/", "https://3.example.com/", "https://0x7f.example.com/",
	"https://localhost.example.com/", "https://127.0.0.1.example.com/",
	"https://recorder.internal/", "https://recorder/", "https://a-b.example/", "https://172.32.0.1/",
	"https://172.15.255.255/", "https://100.128.0.1/", "https://11.0.0.1/", "https://223.255.255.255/",
}

func TestHonestAddressesPass(t *testing.T) {
	g := New(Config{})
	for _, address := range honest {
		if err := g.CheckURL(address); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestPlainHTTPIsRefusedUnlessAllowed(t *testing.T) {
	if err := New(Config{}).CheckURL("http://example.com/"); !fault.Is(err, fault.Invalid) {
		t.Errorf("http: %v", err)
	}
	if err := New(Config{AllowHTTP: true}).CheckURL("HTTP://example.com/"); err != nil {
		t.Error(err)
	}
}

func TestAllowedNetworksMayBeReached(t *testing.T) {
	g := New(Config{AllowNetworks: prefixes("10.1.0.0/16", "127.0.0.0/8", "fd00::/8", "64:ff9b::/96")})
	for _, address := range []string{"https://10.1.2.3/", "https://127.0.0.1/", "https://localhost/",
		"https://[fd12::1]/", "https://[64:ff9b::808:808]/"} {
		if err := g.CheckURL(address); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
	for _, address := range []string{"https://10.2.0.1/", "https://[fc00::1]/", "https://0x7f000001/",
		"https://[::ffff:10.1.2.3]/", "https://[64:ff9b::c0a8:101]/", "https://169.254.169.254/"} {
		if err := g.CheckURL(address); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestMessagesDoNotRepeatSecrets(t *testing.T) {
	for _, address := range []string{"https://user:hunter2@example.com/", "ftp://example.com/?key=hunter2",
		"https://127.0.0.1/?key=hunter2", "https://exa mple.com/?key=hunter2"} {
		if err := New(Config{}).CheckURL(address); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// FuzzCheckURL checks that accepted literal addresses are public, as parsed by net/netip.
func FuzzCheckURL(f *testing.F) {
	for _, address := range append(netguardtest.Hostile(), honest...) {
		f.Add(address)
	}
	g := New(Config{AllowHTTP: true})
	f.Fuzz(func(t *testing.T, address string) {
		if g.CheckURL(address) != nil {
			return
		}
		u, err := url.Parse(address)
		if err != nil || u.User != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
			t.Fatalf("%q passed", address)
		}
		if a, err := netip.ParseAddr(u.Hostname()); err == nil && !public(a) {
			t.Fatalf("%q passed", address)
		}
	})
}
