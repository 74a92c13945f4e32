package workbench_test

import (
	"testing"
	"time"

	"parley/internal/testkit/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }

// until waits for something that no page tells.
func until(t *testing.T, what string, met func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for range 6000 {
		if met() {
			return
		}
		<-tick.C
	}
	t.Fatalf("%s: not within a minute", what)
}
