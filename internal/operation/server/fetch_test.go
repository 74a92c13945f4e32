package server

import (
	"net/netip"
	"strings"
	"testing"
)

func TestASourceAddressThatIsNotTheMachinesIsRefusedAtTheStart(t *testing.T) {
	for text, refused := range map[string]bool{"127.0.0.1": false, "127.0.0.9": false, "192.0.2.1": true} {
		if err := checkEgress(netip.MustParseAddr(text)); (err != nil) != refused || refused &&
			!strings.Contains(err.Error(), "--egress-address "+text) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if err := checkEgress(netip.Addr{}); err != nil {
		t.Errorf("none: %v", err)
	}
}
