package netguard_test

import (
	"fmt"

	"parley/internal/host/netguard"
)

func ExampleGuard_CheckURL() {
	g := netguard.New(netguard.Config{})
	fmt.Println(g.CheckURL("https://example.com/call.wav"))
	fmt.Println(g.CheckURL("http://example.com/call.wav"))
	fmt.Println(g.CheckURL("https://127.1/admin"))
	// Output:
	// <nil>
	// the address must start with https://
	// the host "127.1" is not a public address; the operator can allow its network with --allow-networks
}
