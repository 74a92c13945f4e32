package netguard

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"parley/internal/fault"
)

// hidden are addresses that nobody may reach, each of another special network.
var hidden = []string{
	"127.0.0.1", "127.255.255.254", "10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
	"100.64.0.1", "100.100.100.200", "0.0.0.0", "0.1.2.3", "192.0.0.192", "198.18.0.1", "224.0.0.1", "255.255.255.255", "240.0.0.1", "168.63.129.16",
}

// notations writes an IPv4 address in every way that some program reads.
func notations(address string) []string {
	b := netip.MustParseAddr(address).As4()
	n := binary.BigEndian.Uint32(b[:])
	fullwidth := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r - '0' + '０'
		}
		return r
	}, address)
	return []string{
		address,
		address + ".",
		fmt.Sprint(n),
		fmt.Sprintf("0x%x", n),
		fmt.Sprintf("0X%08X", n),
		fmt.Sprintf("0%o", n),
		fmt.Sprintf("%d.%d", b[0], n&0xffffff),
		fmt.Sprintf("%d.%d.%d", b[0], b[1], n&0xffff),
		fmt.Sprintf("0x%x.0x%x.0x%x.0x%x", b[0], b[1], b[2], b[3]),
		fmt.Sprintf("0%o.0%o.0%o.0%o", b[0], b[1], b[2], b[3]),
		fmt.Sprintf("%04d.%d.%d.%d", b[0], b[1], b[2], b[3]),
		fmt.Sprintf("0x%x.%d.0%o.%d", b[0], b[1], b[2], b[3]),
		fullwidth,
		strings.ReplaceAll(address, ".", "。"),
		"[::ffff:" + address + "]",
		fmt.Sprintf("[::ffff:%x:%x]", n>>16, n&0xffff),
		fmt.Sprintf("[0:0:0:0:0:ffff:%x:%x]", n>>16, n&0xffff),
		"[::" + address + "]",
		fmt.Sprintf("[64:ff9b::%x:%x]", n>>16, n&0xffff),
		fmt.Sprintf("[64:ff9b:1::%x:%x]", n>>16, n&0xffff),
		fmt.Sprintf("[2002:%x:%x::1]", n>>16, n&0xffff),
		fmt.Sprintf("[2001:0:%x:%x::1]", n>>16, n&0xffff),
	}
}

// tricks are further addresses that are to be refused at sight.
var tricks = []string{
	// schemes and shapes
	"", " ", "https", "https:", "https:/", "https://", "https:///", "https:///path", "//example.com/", "/x", "x", "example.com", "example.com:443",
	"https:example.com", "https:/example.com", "ftp://example.com/", "file:///etc/passwd", "file://example.com/x", "gopher://example.com:70/_x",
	"dict://example.com:11211/", "ldap://example.com/", "tftp://example.com/", "sftp://example.com/", "jar:https://example.com!/", "data:text/plain,x",
	"javascript:alert(1)", "ws://example.com/", "unix:///var/run/docker.sock", "http+unix://%2Fvar%2Frun%2Fdocker.sock/", "netdoc:///etc/passwd",
	"view-source:https://example.com", "blob:https://example.com/1", "htps://example.com", "\thttps://example.com", " https://example.com/", "https ://example.com/",
	"https://exa mple.com/", "https://example.com\r\nHost: x/", "https://example.com\x00.evil/", "https://example.com\n", "%68ttps://example.com",
	// users, and hosts that hide behind them
	"https://user@example.com/", "https://user:pass@example.com/", "https://@example.com/", "https://:@example.com/", "https://example.com@127.0.0.1/",
	"https://example.com:80@127.0.0.1/", "https://127.0.0.1@example.com/", "https://a@b@127.0.0.1/", "https://example.com%40127.0.0.1/",
	"https://example.com\\@127.0.0.1/", "https://127.0.0.1\\@example.com/", "https://127.0.0.1#@example.com/", "https://127.0.0.1?@example.com/",
	"https://example.com\\.evil.com/", "https:\\\\127.0.0.1\\", "https:/\\127.0.0.1/", "https://\\127.0.0.1/", "https://127.0.0.1\\.example.com/",
	// hosts that are none, or ours
	"https://%31%32%37.0.0.1/", "https://127%2e0%2e0%2e1/", "https://%6c%6f%63%61%6c%68%6f%73%74/", "https://[127.0.0.1]/", "https://[::1", "https://::1/",
	"https://[]/", "https://[:]/", "https://[::1]:/", "https://[::1]x/", "https://[::1].example.com/", "https://[fe80::1%25eth0]/", "https://[fe80::1%eth0]/",
	"https://[::1%25lo]/", "https://[2606:4700::1%25lo]/", "https://localhost/", "https://LOCALHOST/", "https://localhost./", "https://LocalHost:8080/",
	"https://foo.localhost/", "https://a.b.localhost./", "https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/", "https://localhost.localdomain/", "https://ｌｏｃａｌｈｏｓｔ/", "https://①②⑦.⓪.⓪.①/",
	"https://127.0.0.1:8080/", "https://127.0.0.1:443/latest/meta-data/", "https://metadata.google.internal/computeMetadata/v1/", "https://METADATA.google.internal./",
	"https://metadata/", "https://instance-data/latest/", "https://metadata.goog/", "https://example.com<x>/", "https://exa|mple.com/", "https://./", "https://../", "https://a..b/", "https://.a/",
	// numbers that are no address
	"https://127.1/", "https://127.0.1/", "https://0/", "https://00/", "https://0x0/", "https://0x/", "https://1.2.3.4.5/", "https://256.1.1.1/", "https://1.2.3.256/",
	"https://999999999999/", "https://99999999999999999999999/", "https://0xffffffffff/", "https://09.1.1.1/", "https://1..2/", "https://1.2.3.0x/", "https://example.1/",
	"https://127.0.0.1.1/", "https://foo.0x7f/", "https://8.8.8.010/", "https://0x08.8.8.8/", "https://134744072/", "https://8.8.2056/", "https://08.8.8.8/",
	// IPv6 beyond the public Internet
	"https://[::]/", "https://[::1]/", "https://[0:0:0:0:0:0:0:1]/", "https://[0000::0001]/", "https://[::2]/", "https://[::ffff:0:127.0.0.1]/", "https://[::ffff:8.8.8.8]/",
	"https://[64:ff9b::8.8.8.8]/", "https://[100::1]/", "https://[fc00::1]/", "https://[fd00:ec2::254]/", "https://[fdff::1]/", "https://[fe80::1]/", "https://[fec0::1]/",
	"https://[ff02::1]/", "https://[ff0e::1]/", "https://[2001::1]/", "https://[2001:10::1]/", "https://[2001:20::1]/", "https://[2001:db8::1]/", "https://[2002:7f00:1::]/",
	"https://[2002:808:808::1]/", "https://[3fff::1]/", "https://[4000::1]/", "https://[5f00::1]/", "https://[::7f00:1]/", "https://[fd20:ce::254]/",
	// ports of other protocols, and none
	"https://example.com:0/", "https://example.com:65536/", "https://example.com:-1/", "https://example.com:x/", "https://example.com:/", "https://example.com:22/",
	"https://example.com:25/", "https://example.com:6379/", "https://example.com:11211/", "https://example.com:5432/", "https://example.com:3306/", "https://example.com:2375/",
	"https://example.com:025/", "https://example.com:443:25/", "https://example.com:６３７９/", "https://example.com:99999999999999999999/", "https://example.com:0x19/",
	// plain
	"http://127.0.0.1/", "http://169.254.169.254/latest/meta-data/iam/security-credentials/", "https://" + strings.Repeat("a", maxURL) + ".com/",
}

func hostile() []string {
	all := tricks
	for _, address := range hidden {
		for _, host := range notations(address) {
			all = append(all, "https://"+host+"/x", "http://"+host+":8080/")
		}
	}
	return all
}

func TestHostileAddressesAreRefusedAtOnce(t *testing.T) {
	g := New(Config{AllowHTTP: true})
	if n := len(hostile()); n < 900 {
		t.Fatalf("only %d addresses", n)
	}
	for _, address := range hostile() {
		err := g.CheckURL(address)
		if !fault.Is(err, fault.Invalid) || fault.ProblemsOf(err)[0].Code != fault.CodeMediaURLMalformed {
			t.Errorf("%q: %v", address, err)
		}
	}
}

var honest = []string{
	"https://example.com", "https://example.com/a.wav?X-Amz-Signature=abc&x=1#f", "https://EXAMPLE.com:443/", "https://example.com:8443/", "https://example.com./",
	"https://93.184.216.34/x", "https://8.8.8.8:8080/", "https://[2606:4700:4700::1111]/", "https://[2606:4700:4700::1111]:8443/x", "https://bücher.example/", "https://xn--bcher-kva.example/",
	"https://my_bucket.s3.amazonaws.com/x", "https://1e100.net/", "https://3.example.com/", "https://0x7f.example.com/", "https://localhost.example.com/", "https://127.0.0.1.example.com/",
	"https://recorder.internal/", "https://recorder/", "https://a-b.example/", "https://172.32.0.1/", "https://172.15.255.255/", "https://100.128.0.1/", "https://11.0.0.1/", "https://223.255.255.255/",
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
	for _, address := range []string{"https://10.1.2.3/", "https://127.0.0.1/", "https://localhost/", "https://[fd12::1]/", "https://[64:ff9b::808:808]/"} {
		if err := g.CheckURL(address); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
	for _, address := range []string{"https://10.2.0.1/", "https://[fc00::1]/", "https://0x7f000001/", "https://[::ffff:10.1.2.3]/", "https://[64:ff9b::c0a8:101]/", "https://169.254.169.254/"} {
		if err := g.CheckURL(address); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestMessagesDoNotRepeatSecrets(t *testing.T) {
	for _, address := range []string{"https://user:hunter2@example.com/", "ftp://example.com/?key=hunter2", "https://127.0.0.1/?key=hunter2", "https://exa mple.com/?key=hunter2"} {
		if err := New(Config{}).CheckURL(address); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// FuzzCheckURL holds what passes to be an address of the public Internet wherever it is literal, as the
// parser of net/netip reads it.
func FuzzCheckURL(f *testing.F) {
	for _, address := range append(hostile(), honest...) {
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
