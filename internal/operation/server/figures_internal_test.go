package server

import (
	"testing"
	"time"
)

func TestCountingManyJobsIsDoneSeldom(t *testing.T) {
	for took, want := range map[time.Duration]time.Duration{
		0: gatherEvery, 100 * time.Millisecond: gatherEvery, 800 * time.Millisecond: 40 * time.Second,
		gatherTimeout: gatherSeldom,
	} {
		if got := gatherPause(took); got != want {
			t.Errorf("after %v: %v, want %v", took, got, want)
		}
	}
	if gatherSeldom+gatherTimeout >= gatherKept {
		t.Error("what is gathered is not shown until the next time")
	}
}
