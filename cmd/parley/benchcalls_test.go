package main

import (
	"net/netip"
	"testing"
	"time"

	"parley/internal/operation/config"
	"parley/internal/testkit/servertest"
)

// The calls have all analyses, categories and callbacks: a server accepts each of them, and delivers its results.
func TestAServerTakesTheCallsOfTheBenchmark(t *testing.T) {
	s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) {
		c.InsecureCallbacks, c.AllowNetworks = true, []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	}})
	load := &benchCalls{URL: []string{s.Base + "/"}, Token: s.Token, Rate: 20, Duration: 200 * time.Millisecond,
		Dialogues: 1, Categories: 2, Size: "2kB"}
	if err := load.Run(t.Context()); err != nil {
		t.Error(err)
	}
}
