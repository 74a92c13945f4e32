package pipeline_test

import (
	"log/slog"
	"strings"
	"testing"

	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// damaged returns a stored request with one bit flipped.
func damaged(_ *media.Media, request []byte) []byte {
	request[len(request)/2] ^= 1
	return request
}

func TestAnItemWhoseRequestIsDamagedFailsWithThatReason(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		for name, change := range map[string]func(*media.Media, []byte) []byte{
			"in the clear": func(m *media.Media, request []byte) []byte {
				m.Sealing = nil
				return damaged(m, request)
			},
			"under its data key": damaged,
		} {
			p := spendOf(t, s, change)
			var log strings.Builder
			p.Log = slog.New(slog.NewTextHandler(&log, nil))
			cause := p.Process(t.Context(), p.job)
			if cause == nil || fault.Is(cause, fault.Unavailable) {
				t.Fatalf("%s: %v", name, cause)
			}
			if err := p.Spent(t.Context(), p.job, cause); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			m, _ := p.read(t)
			if m.Status != media.Failed || m.Sealed || len(m.Problems) != 1 ||
				!strings.Contains(m.Problems[0].Message, "request for this recording is corrupt") {
				t.Errorf("%s: %+v", name, m)
			}
			if m.Sealing != nil && !strings.Contains(log.String(), "level=ERROR") {
				t.Errorf("the log does not tell that it is not encrypted: %s", log.String())
			}
			if p.jobs(t, "deliver") != 0 {
				t.Errorf("%s: somebody is told", name)
			}
		}
	})
}

// TestARequestOfANewerVersionWaitsForIt simulates a server that was downgraded, or not upgraded yet.
func TestARequestOfANewerVersionWaitsForIt(t *testing.T) {
	p := spendOf(t, storetest.SQLite(t), func(_ *media.Media, request []byte) []byte {
		request[len("prs")] = 100
		return request
	})
	err := p.Process(t.Context(), p.job)
	if !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), "newer version") {
		t.Errorf("it fails with %v", err)
	}
	if err := p.Spent(t.Context(), p.job, err); !fault.Is(err, fault.Unavailable) {
		t.Errorf("interrupted too often: %v", err)
	}
	if m, _ := p.read(t); m.Status != media.Running {
		t.Errorf("it is %s", m.Status)
	}
}
