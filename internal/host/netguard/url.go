package netguard

import (
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/idna"

	"parley/internal/words/fault"
)

const maxURL = 4096 // bytes

// CheckURL refuses what can be refused without network access: URLs that are malformed, have another scheme, a user
// name, a port of another protocol, or a literal address that is not public in any notation. The fault is Invalid with
// CodeMediaURLMalformed; names are checked when they are dialled.
func (g *Guard) CheckURL(raw string) error {
	if len(raw) > maxURL {
		return malformed("the address is longer than %d bytes", maxURL)
	}
	u, err := url.Parse(raw)
	if err != nil {
		return malformed("the address is not a URL")
	}
	return g.check(u)
}

func (g *Guard) check(u *url.URL) error {
	switch {
	case u.Scheme == "http" && !g.config.AllowHTTP:
		return malformed("the address must start with https://")
	case u.Scheme != "http" && u.Scheme != "https":
		return malformed("the address must start with http:// or https://")
	case u.User != nil:
		return malformed("the address must not contain a user name or password")
	case u.Opaque != "" || u.Hostname() == "":
		return malformed("the address has no host")
	}
	if err := checkPort(u.Port(), strings.HasSuffix(u.Host, ":")); err != nil {
		return err
	}
	return g.checkHost(u.Hostname())
}

// otherProtocols are the ports that browsers also refuse because another protocol could misinterpret the request
// (WHATWG Fetch, "bad ports"), and those of databases and caches with line-based protocols.
var otherProtocols = []int{
	1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
	111, 113, 115,
	117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554,
	556, 563, 587,
	601, 636, 989, 990, 993, 995, 1433, 1521, 1719, 1720, 1723, 2049, 2375, 2379, 3306, 3389, 3659, 4045, 4190, 5060,
	5061, 5432, 5672,
	6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9042, 9092, 10080, 10250, 11211, 27017,
}

func checkPort(text string, empty bool) error {
	if text == "" && !empty {
		return nil
	}
	port, err := strconv.Atoi(text)
	if err != nil || port < 1 || port > 65535 {
		return malformed("the address has an invalid port")
	}
	if slices.Contains(otherProtocols, port) {
		return malformed("port %d belongs to another protocol than HTTP", port)
	}
	return nil
}

// checkHost checks a host in the normalised form that a client would use.
func (g *Guard) checkHost(host string) error {
	if strings.Contains(host, ":") {
		a, err := netip.ParseAddr(host)
		if err != nil || a.Zone() != "" || a.Is4In6() || !g.allows(a) {
			return notPublic(host)
		}
		return nil
	}
	name, err := ascii(host)
	if err != nil {
		return malformed("the address has an invalid host name")
	}
	if a, numeric := legacyIPv4(name); numeric {
		// Only attackers use notations other than four decimal numbers.
		if a.String() != name || !g.allows(a) {
			return notPublic(host)
		}
		return nil
	}
	if strings.ContainsAny(name, `%\/?#@[]<>^|{} `) || slices.Contains(strings.Split(name, "."), "") {
		return malformed("the address has an invalid host name")
	}
	if slices.Contains(metadata, name) { // no flag allows them
		return malformed("the host %q is not a public address", host)
	}
	if local(name) && !g.allows(netip.AddrFrom4([4]byte{127, 0, 0, 1})) {
		return notPublic(host)
	}
	return nil
}

// ascii returns a name in lower case, without the trailing dot of the root, with non-ASCII letters and digits mapped
// (UTS 46: fullwidth and circled digits become ASCII ones) and encoded as net/http does.
func ascii(host string) (string, error) {
	isASCII := strings.IndexFunc(host, func(r rune) bool { return r > 127 }) < 0
	if !isASCII {
		var err error
		if host, err = idna.Lookup.ToASCII(host); err != nil {
			return "", err
		}
	}
	return strings.TrimSuffix(strings.ToLower(host), "."), nil
}

func local(name string) bool {
	return name == "localhost" || strings.HasSuffix(name, ".localhost") || name == "localhost.localdomain"
}

// metadata are the host names of cloud metadata services; they resolve to link-local addresses.
var metadata = []string{"metadata.google.internal", "metadata.goog", "metadata", "instance-data",
	"instance-data.ec2.internal"}

// legacyIPv4 parses what inet_aton, and hence some resolvers, accept as an IPv4 address: one to four numbers, decimal,
// octal (0…) or hexadecimal (0x…), of which the last one fills the remaining bytes. As in the WHATWG URL standard, a
// name whose last label is a number must be an address; the zero Addr is returned if it is not a valid one.
func legacyIPv4(name string) (_ netip.Addr, numeric bool) {
	labels := strings.Split(name, ".")
	if _, ok := number(labels[len(labels)-1]); !ok {
		return netip.Addr{}, false
	}
	if len(labels) > 4 {
		return netip.Addr{}, true
	}
	var sum uint64
	for i, label := range labels {
		n, ok := number(label)
		room := uint(8)
		if i == len(labels)-1 {
			room = uint(8 * (5 - len(labels)))
		}
		if !ok || n >= 1<<room {
			return netip.Addr{}, true
		}
		sum = sum<<room | n
	}
	return netip.AddrFrom4([4]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)}), true
}

// number parses a number as inet_aton does. A number that is too large is still a number.
func number(s string) (uint64, bool) {
	if s == "" {
		return 0, false
	}
	base := 10
	switch {
	case strings.HasPrefix(s, "0x"):
		s, base = s[2:], 16
	case len(s) > 1 && s[0] == '0':
		s, base = s[1:], 8
	}
	if s == "" {
		return 0, true // "0x" means 0
	}
	n, err := strconv.ParseUint(s, base, 64)
	if err == nil {
		return n, true
	}
	decimal := strings.Trim(s, "0123456789") == "" // such as 09 or 99999999999999999999
	return 1 << 40, decimal || base == 16 && strings.Trim(s, "0123456789abcdef") == ""
}

func malformed(format string, args ...any) error {
	return fault.New(fault.Invalid, fault.CodeMediaURLMalformed, format, args...)
}

func notPublic(host string) error {
	return malformed("the host %q is not a public address; the operator can allow its network with --allow-networks",
		host)
}
