package netguard

import (
	"net/netip"
	"slices"

	"parley/internal/words/list"
)

// special are the IPv4 networks outside the public Internet (IANA IPv4 Special-Purpose Address Registry), and one
// public address that a cloud uses for its own machines.
var special = prefixes(
	"0.0.0.0/8",        // this network
	"10.0.0.0/8",       // private
	"100.64.0.0/10",    // carrier-grade NAT; Alibaba's metadata
	"127.0.0.0/8",      // loopback
	"168.63.129.16/32", // Azure's wire server
	"169.254.0.0/16",   // link-local; most clouds' metadata
	"172.16.0.0/12",    // private
	"192.0.0.0/24",     // IETF protocols; Oracle's metadata
	"192.0.2.0/24",     // documentation
	"192.88.99.0/24",   // 6to4 relays
	"192.168.0.0/16",   // private
	"198.18.0.0/15",    // benchmarks
	"198.51.100.0/24",  // documentation
	"203.0.113.0/24",   // documentation
	"224.0.0.0/4",      // multicast
	"240.0.0.0/4",      // reserved, broadcast
)

// global is the only IPv6 range allocated to the public Internet; special6 are the exceptions in it. Outside of it are
// loopback, unspecified, mapped, NAT64, unique local, link-local, site-local and multicast addresses.
var (
	global   = netip.MustParsePrefix("2000::/3")
	special6 = prefixes(
		"2001::/23",     // IETF protocols: Teredo, ORCHID …
		"2001:db8::/32", // documentation
		"2002::/16",     // 6to4, which holds an IPv4 address
		"3fff::/20",     // documentation
	)
	nat64 = netip.MustParsePrefix("64:ff9b::/96") // contains an IPv4 address in its last four bytes
)

func prefixes(texts ...string) []netip.Prefix {
	return list.Map(texts, netip.MustParsePrefix)
}

func among(a netip.Addr, networks []netip.Prefix) bool {
	return slices.ContainsFunc(networks, func(n netip.Prefix) bool { return n.Contains(a) })
}

// public reports whether an unmapped address is part of the public Internet.
func public(a netip.Addr) bool {
	switch {
	case !a.IsValid() || a.Zone() != "" || a.Is4In6():
		return false
	case a.Is4():
		return !among(a, special)
	}
	return global.Contains(a) && !among(a, special6)
}

// allows reports whether connections to an unmapped address are allowed: it is public, or in an allowed network. In an
// allowed NAT64 prefix, which networks without IPv4 need, the embedded IPv4 address must be allowed, too.
func (g *Guard) allows(a netip.Addr) bool {
	if public(a) {
		return true
	}
	if !a.IsValid() || a.Zone() != "" || !among(a, g.config.AllowNetworks) {
		return false
	}
	if nat64.Contains(a) {
		b := a.As16()
		return g.allows(netip.AddrFrom4([4]byte(b[12:])))
	}
	return true
}
