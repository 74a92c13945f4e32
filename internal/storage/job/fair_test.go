package job_test

import (
	"context"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
)

// starts records when the jobs of each subject started, relative to a start time.
type starts struct {
	mu    sync.Mutex
	since time.Time
	after map[string]time.Duration
}

// working is a handler that takes ten minutes.
func (s *starts) working(ctx context.Context, j job.Job) error {
	s.mu.Lock()
	if s.since.IsZero() {
		s.since, s.after = j.Created, map[string]time.Duration{}
	}
	s.after[j.Subject] = time.Since(s.since)
	s.mu.Unlock()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(10 * time.Minute):
		return nil
	}
}

func (s *starts) of(subject string) (time.Duration, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	after, ok := s.after[subject]
	return after, ok
}

// Twice as much normal work arrives as can be done, without end: a low job from the start runs after the jobs that
// arrived within an hour of it.
func TestLowWorkIsDoneAlthoughThereIsTooMuchNormal(t *testing.T) {
	var s starts
	run(t, job.Config{Workers: 1}, s.working, func(b bench) {
		b.enqueue(job.Spec{Account: "a", Subject: "normal", Priority: 1})
		b.sleep(time.Second)
		b.enqueue(job.Spec{Account: "a", Subject: "low", Priority: 2})
		for n := range 36 {
			b.sleep(5 * time.Minute)
			b.enqueue(job.Spec{Account: "a", Subject: "normal-" + strconv.Itoa(n), Priority: 1})
		}
		after, began := s.of("low")
		// One job and the eleven that arrived within the hour, ten minutes each.
		if !began || after < 2*time.Hour-time.Minute || after > 2*time.Hour+10*time.Minute {
			b.Errorf("low work began %v after %v", began, after)
		}
		if _, late := s.of("normal-35"); late {
			b.Error("there is not too much work: the test shows nothing")
		}
	})
}

// An account that fills the queue with high jobs delays each other account by no more than one turn.
func TestAFullQueueOfOneAccountDoesNotHoldUpAnother(t *testing.T) {
	var s starts
	run(t, job.Config{Workers: 2}, s.working, func(b bench) {
		storetest.Update(b, b.store, func(tx *store.Tx) error {
			for n := range 200 {
				if _, err := tx.Enqueue(job.Spec{Kind: "k", Account: "flood", Subject: "flood-" + strconv.Itoa(n),
					Priority: 0}); err != nil {
					return err
				}
			}
			return nil
		})
		b.sleep(time.Minute)
		for n := range 3 {
			b.enqueue(job.Spec{Account: "small", Subject: "small-" + strconv.Itoa(n), Priority: 2})
		}
		b.sleep(30 * time.Minute)
		for n := range 3 { // the small account gets every second slot
			if after, began := s.of("small-" + strconv.Itoa(n)); !began ||
				after > time.Duration(n+1)*10*time.Minute+time.Minute {
				b.Errorf("small-%d began %v after %v", n, began, after)
			}
		}
	})
}

// However many accounts request all workers, a slot is free for another account.
func TestNoAccountHoldsMoreWorkersThanItLeavesFree(t *testing.T) {
	var mu sync.Mutex
	held := map[string]int{}
	run(t, job.Config{Workers: 12, Spare: true}, func(ctx context.Context, j job.Job) error {
		mu.Lock()
		held[j.Account]++
		mu.Unlock()
		defer func() { mu.Lock(); held[j.Account]--; mu.Unlock() }()
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(10 * time.Minute):
			return nil
		}
	}, func(b bench) {
		flood := func(account string) {
			storetest.Update(b, b.store, func(tx *store.Tx) error {
				for n := range 60 {
					if _, err := tx.Enqueue(job.Spec{Kind: "k", Account: account,
						Lane: account + strconv.Itoa(n)}); err != nil {
						return err
					}
				}
				return nil
			})
		}
		have := func(want ...int) {
			b.Helper()
			mu.Lock()
			defer mu.Unlock()
			for i, account := range []string{"a", "b", "c"}[:len(want)] {
				if held[account] != want[i] {
					b.Errorf("%s has %d workers, want %d: %v", account, held[account], want[i], held)
				}
			}
		}
		flood("a")
		synctest.Wait()
		have(6)
		flood("b")
		synctest.Wait()
		have(6, 3) // at once; the rest when slots become free
		b.enqueue(job.Spec{Account: "c"})
		synctest.Wait()
		have(6, 3, 1)
	})
}

// With a limit, an account leaves slots free even if no other account wants them yet, so that a newcomer starts
// immediately.
func TestALimitPerAccountLeavesRoomForOthers(t *testing.T) {
	var s starts
	run(t, job.Config{Workers: 3, PerLane: 2}, s.working, func(b bench) {
		for n := range 5 {
			b.enqueue(job.Spec{Account: "flood", Subject: "flood-" + strconv.Itoa(n), Priority: 0})
		}
		b.sleep(time.Minute)
		if _, began := s.of("flood-2"); began {
			b.Error("three of one account are at work")
		}
		b.enqueue(job.Spec{Account: "small", Subject: "small", Priority: 2})
		b.sleep(2 * time.Second)
		if after, began := s.of("small"); !began || after > time.Minute+2*time.Second {
			b.Errorf("began %v after %v", began, after)
		}
	})
}
