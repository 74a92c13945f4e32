package columnar

import (
	"context"
	"time"

	"parley/internal/words/account"
)

// CaughtUp returns when all recordings that an account published before the call are in the index. It reports progress
// to told from time to time.
func (x *Index) CaughtUp(ctx context.Context, a account.ID, told func(done, of int64)) error {
	s := x.shelf(a)
	ended := make(chan error, 1)
	go func() { ended <- x.takeOver(ctx, s) }()
	tick := time.NewTicker(idle)
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			return err
		case <-tick.C:
			told(s.progress())
		}
	}
}

// takeOver brings a shelf up to date and merges its segments.
func (x *Index) takeOver(ctx context.Context, s *shelf) error {
	err := s.exclusively(ctx, func() error { return x.update(ctx, s, -1) })
	if err == nil {
		err = x.tidy(ctx, s)
	}
	return err
}

// progress returns how many recordings are on the shelf, and how many should be.
func (s *shelf) progress() (done, of int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.done, s.of
}
