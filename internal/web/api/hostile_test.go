package api_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"parley/internal/operation/config"
	"parley/internal/testkit/netguardtest"
	"parley/internal/testkit/servertest"
)

// TestHostileAddressesAreRefusedAtUpload sends the whole table as callbacks, 90 at a time, to a server that allows
// http: the answer has a problem for each address. The guard has tests of its own; this one checks that the server uses
// it.
func TestHostileAddressesAreRefusedAtUpload(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) { c.InsecureCallbacks = true }})
	for some := range slices.Chunk(netguardtest.Hostile(), 90) {
		var callbacks []string
		for _, address := range some {
			text, err := json.Marshal(address)
			if err != nil {
				t.Fatal(err)
			}
			callbacks = append(callbacks, `{"url":`+string(text)+`}`)
		}
		a := s.Post(t, recording, publish(callbacks...))
		got := codes(a.JSON(t)["errors"])
		if a.Status != 400 || len(got) != len(some) ||
			slices.ContainsFunc(got, func(code int) bool { return code != 60001 && code != 60002 }) {
			t.Errorf("%d of %d refused: %s\n%q", len(got), len(some), a, some)
		}
	}
}

// TestHostileMediaURLsAreRefusedAtOnce submits every trick, and the loopback and metadata addresses in every notation,
// as mediaUrl.
func TestHostileMediaURLsAreRefusedAtOnce(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	addresses := netguardtest.Tricks()
	for _, hidden := range []string{"127.0.0.1", "169.254.169.254"} {
		for _, host := range netguardtest.Notations(hidden) {
			addresses = append(addresses, "http://"+host+":8080/call.wav")
		}
	}
	for _, address := range addresses {
		if strings.TrimSpace(address) != address || address == "" {
			continue // the server trims blanks around a URL, and accepts an empty one
		}
		if a := s.Post(t, from(address)); a.Status != 400 || a.Code(t) != 10204 {
			t.Errorf("%q: %s", address, a)
		}
	}
}
