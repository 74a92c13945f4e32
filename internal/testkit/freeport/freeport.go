// Package freeport finds addresses for programs that tests start.
package freeport

import (
	"net"
	"testing"
)

// Hosts of loopback.
const (
	Usual = "127.0.0.1"
	// Quiet is for programs that are stopped and started again: nothing uses it as the source of a connection, so a port
	// stays free meanwhile.
	Quiet = "127.0.0.2"
)

// On returns a port of a host that nothing listens on. It may be taken before it is used, on a busy machine.
func On(t testing.TB, host string) (port string) {
	t.Helper()
	l, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, err = net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}
