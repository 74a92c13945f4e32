// Package netguardtest lists forbidden addresses in every known notation, for tests of code that accepts addresses from
// customers.
//
// It does not check addresses (package netguard does) and is for tests only.
package netguardtest

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"strings"
)

// Hidden returns forbidden IPv4 addresses, one per special-purpose network.
func Hidden() []string {
	return []string{
		"127.0.0.1", "127.255.255.254", "10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.1.1",
		"169.254.169.254",
		"100.64.0.1", "100.100.100.200", "0.0.0.0", "0.1.2.3", "192.0.0.192", "198.18.0.1", "224.0.0.1",
		"255.255.255.255", "240.0.0.1", "168.63.129.16",
	}
}

// Notations returns an IPv4 address in every notation that some program accepts as the host of a URL.
func Notations(address string) []string {
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

// Hostile returns all URLs that must be rejected without a DNS lookup: Tricks, and each of Hidden in all Notations.
func Hostile() []string {
	all := Tricks()
	for _, address := range Hidden() {
		for _, host := range Notations(address) {
			all = append(all, "https://"+host+"/x", "http://"+host+":8080/")
		}
	}
	return all
}
