package store_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
)

// frozen is a database whose transactions stop before they commit, as those of a node that is stopped, until it is
// thawed.
type frozen struct {
	job.Database
	inside chan struct{} // receives when a transaction has stopped
	thawed chan struct{} // closed to let transactions commit
}

func (f frozen) UpdateJobs(ctx context.Context, do func(job.Tx) error) error {
	return f.Database.UpdateJobs(ctx, func(tx job.Tx) error {
		err := do(tx)
		f.inside <- struct{}{}
		<-f.thawed
		return err
	})
}

// A node that stops in the middle of a claim delays the lanes that it takes from, and no other.
func TestANodeThatStopsInAClaimDelaysItsOwnLanesOnly(t *testing.T) {
	s := storetest.Postgres(t)
	for _, account := range []string{"a", "a", "b", "b"} {
		enqueue(t, s, job.Spec{Kind: "k", Account: account})
	}
	stopped := frozen{store.Jobs(s), make(chan struct{}), make(chan struct{})}
	var held []job.Job
	done := make(chan error)
	go func() {
		var err error
		held, err = job.NewQueue(stopped).Claim(context.Background(),
			job.Claims{Worker: "stopped", Kinds: []string{"k"}, Most: 1})
		done <- err
	}()
	<-stopped.inside
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	jobs, err := s.Queue().Claim(ctx, job.Claims{Worker: "w", Kinds: []string{"k"}, Most: 4})
	close(stopped.thawed)
	if err := <-done; err != nil || len(held) != 1 {
		t.Fatalf("the claim that had stopped: %v, %v", held, err)
	}
	if err != nil || len(jobs) != 2 || jobs[0].Account == held[0].Account || jobs[1].Account == held[0].Account {
		t.Errorf("beside a claim from %s that has stopped: %v, %v", held[0].Account, jobs, err)
	}
	equal(t, one(t, s).Account, held[0].Account) // the other job of its lane
}

func TestJobsThatAreBeingDeletedHoldUpNoClaim(t *testing.T) {
	s := storetest.Postgres(t)
	enqueue(t, s, job.Spec{Kind: "k", Account: "a", Subject: "goes"}, job.Spec{Kind: "k", Account: "a", Subject: "stays"})
	stopped := frozen{store.Jobs(s), make(chan struct{}), make(chan struct{})}
	done := make(chan error)
	go func() {
		done <- stopped.UpdateJobs(context.Background(), func(tx job.Tx) error {
			return job.DeleteSubject(tx, "a", "goes")
		})
	}()
	<-stopped.inside
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	jobs, err := s.Queue().Claim(ctx, job.Claims{Worker: "w", Kinds: []string{"k"}, Most: 3})
	if err != nil || len(jobs) != 1 || jobs[0].Subject != "stays" {
		t.Errorf("beside a deletion: %v, %v", jobs, err)
	}
	close(stopped.thawed)
	must(t, <-done)
}

// A job that is being finished, in a transaction that does not end, keeps no other job's lease from being renewed.
func TestLeasesAreRenewedBesideATransactionThatStops(t *testing.T) {
	s := storetest.Postgres(t)
	enqueue(t, s, job.Spec{Kind: "k", Subject: "finishes"}, job.Spec{Kind: "k", Subject: "runs"})
	first, second := one(t, s), one(t, s)
	stopped := frozen{store.Jobs(s), make(chan struct{}), make(chan struct{})}
	done := make(chan error)
	go func() {
		done <- stopped.UpdateJobs(context.Background(), func(tx job.Tx) error { return job.Complete(tx, first) })
	}()
	<-stopped.inside
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	lost, err := s.Queue().Heartbeat(ctx, []job.Held{first.Held(), second.Held()})
	if err != nil || len(lost) != 0 {
		t.Errorf("lost %v, %v", lost, err)
	}
	if after := get(t, s, second.ID).LeaseUntil; !after.After(second.LeaseUntil) {
		t.Errorf("the lease ends at %v, as before", after)
	}
	close(stopped.thawed)
	must(t, <-done)
}

// However many nodes claim at the same time, no more jobs of a lane run than its limit.
func TestTheLimitOfALaneHoldsAcrossConcurrentClaims(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		const limit, lanes, each = 2, 5, 30
		var specs []job.Spec
		for n := range lanes * each {
			specs = append(specs, job.Spec{Kind: "k", Account: fmt.Sprint(n % lanes)})
		}
		enqueue(t, s, specs...)
		var mu sync.Mutex
		running, left := map[string]int{}, lanes*each
		var wg sync.WaitGroup
		for node := range 6 {
			queue := job.NewQueue(store.Jobs(s)) // as on a node of its own
			wg.Go(func() {
				for {
					jobs, err := queue.Claim(t.Context(),
						job.Claims{Worker: fmt.Sprint(node), Kinds: []string{"k"}, Most: 3, PerLane: limit})
					if err != nil {
						t.Error(err)
						return
					}
					mu.Lock()
					for _, j := range jobs {
						if running[j.Account]++; running[j.Account] > limit {
							t.Errorf("%d jobs of lane %s run", running[j.Account], j.Account)
						}
						left--
					}
					over := left <= 0
					mu.Unlock()
					for _, j := range jobs {
						mu.Lock()
						running[j.Account]--
						mu.Unlock()
						if err := queue.Complete(t.Context(), j); err != nil {
							t.Error(err)
							return
						}
					}
					if over {
						return
					}
				}
			})
		}
		wg.Wait()
		equal(t, left, 0)
	})
}

// Each of many accounts gets its turn as often as the others, although a claim looks at some of them only.
func TestManyAccountsTakeTurns(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		const accounts, each = 180, 2
		var specs []job.Spec
		for n := range accounts * each {
			specs = append(specs, job.Spec{Kind: "k", Account: fmt.Sprintf("%03d", n%accounts)})
		}
		enqueue(t, s, specs...)
		served := map[string]int{}
		for n := range accounts * each {
			j := one(t, s)
			must(t, s.Queue().Complete(t.Context(), j))
			served[j.Account]++
			if (n+1)%accounts != 0 {
				continue
			}
			for account, times := range served {
				if times != (n+1)/accounts {
					t.Fatalf("after %d claims %s was served %d times", n+1, account, times)
				}
			}
		}
	})
}

// An account with very many lanes gets no more turns than one with a single lane, and its lanes take turns, too.
func TestAnAccountGetsTurnsNotItsLanes(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		const lanes = 60
		var specs []job.Spec
		for n := range lanes {
			specs = append(specs, job.Spec{Kind: "k", Account: "many", Lane: fmt.Sprintf("many %03d", n)},
				job.Spec{Kind: "k", Account: "many", Lane: fmt.Sprintf("many %03d", n)},
				job.Spec{Kind: "k", Account: "one"})
		}
		enqueue(t, s, specs...)
		count, seen := map[string]int{}, map[string]int{}
		for range 2 * lanes {
			j := one(t, s)
			must(t, s.Queue().Complete(t.Context(), j))
			count[j.Account]++
			seen[j.Lane]++
		}
		equal(t, count, map[string]int{"many": lanes, "one": lanes})
		equal(t, len(seen), lanes+1) // each lane of many once
	})
}

// An account whose first lanes are all at their limit gets jobs of its other lanes.
func TestLanesAtTheirLimitHideNoOthers(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		const full = 50
		var specs []job.Spec
		for n := range full {
			for range 2 {
				specs = append(specs, job.Spec{Kind: "k", Account: "a", Lane: fmt.Sprintf("full %03d", n)})
			}
		}
		enqueue(t, s, specs...)
		claims := job.Claims{Worker: "w", Kinds: []string{"k"}, Most: full, PerLane: 1}
		jobs, err := s.Queue().Claim(t.Context(), claims)
		equal(t, []any{len(jobs), err}, []any{full, nil})
		enqueue(t, s, job.Spec{Kind: "k", Account: "a", Lane: "open"})
		claims.Most = 1
		jobs, err = s.Queue().Claim(t.Context(), claims)
		if err != nil || len(jobs) != 1 || jobs[0].Lane != "open" {
			t.Errorf("claimed %v, %v", jobs, err)
		}
	})
}

// quiet is a transaction that wakes no lane.
type quiet struct{ job.Tx }

func (quiet) Wake(job.Lane, time.Time, time.Time) {}

// A claim may put a lane to sleep while another transaction, which found it awake, adds a job that the claim cannot see.
// The lane is looked at again soon.
func TestAJobThatComesWhileItsLaneFallsAsleepIsFound(t *testing.T) {
	s := storetest.Postgres(t)
	enqueue(t, s, job.Spec{Kind: "k", Account: "a", Subject: "first"})
	stopped := frozen{store.Jobs(s), make(chan struct{}), make(chan struct{})}
	done := make(chan error)
	go func() {
		done <- stopped.UpdateJobs(context.Background(), func(tx job.Tx) error {
			if _, err := job.Enqueue(quiet{tx}, job.Spec{Kind: "k", Account: "a", Subject: "second"}); err != nil {
				return err
			}
			return job.Wakes{{Kind: "k", Account: "a", Name: "a"}: time.Time{}}.Write(tx)
		})
	}()
	<-stopped.inside
	equal(t, one(t, s).Subject, "first")
	close(stopped.thawed)
	must(t, <-done)
	equal(t, len(claim(t, s, 1)), 0) // its lane sleeps
	look(t, s)
	equal(t, one(t, s).Subject, "second")
}

// look lets all sleeping lanes be looked at as if their time had come.
func look(t *testing.T, s *store.Store) {
	t.Helper()
	must(t, s.Exec(t.Context(), `UPDATE job_lane SET due = 0 WHERE awake = 0`))
	_, err := s.Queue().Reap(t.Context())
	must(t, err)
}

func TestLanesWithoutJobsAreForgotten(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		enqueue(t, s, job.Spec{Kind: "k", Account: "a"}, job.Spec{Kind: "k", Account: "b", RunAt: time.Now().Add(time.Hour)})
		must(t, s.Queue().Complete(t.Context(), one(t, s)))
		equal(t, rows(t, s)["job_lane"], 2)
		for range 4 {
			look(t, s)
		}
		equal(t, rows(t, s)["job_lane"], 1) // that of the job that is not due
	})
}

// Whatever has been done to the table of lanes, every job is found again.
func TestLanesAreMadeAnewFromTheirJobs(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		enqueue(t, s, job.Spec{Kind: "k", Account: "gone"}, job.Spec{Kind: "k", Account: "asleep"},
			job.Spec{Kind: "k", Account: "awake"}, job.Spec{Kind: "k", Account: "later", RunAt: time.Now().Add(time.Hour)})
		n, err := s.Queue().Mend(t.Context())
		equal(t, []any{n, err}, []any{int64(0), nil})
		must(t, s.Exec(t.Context(), `DELETE FROM job_lane WHERE account IN ('gone', 'later')`))
		must(t, s.Exec(t.Context(), `UPDATE job_lane SET awake = 0, due = 9000000000000000 WHERE account = 'asleep'`))
		n, err = s.Queue().Mend(t.Context())
		equal(t, []any{n, err}, []any{int64(3), nil})
		_, err = s.Queue().Reap(t.Context())
		must(t, err)
		equal(t, len(claim(t, s, 5)), 3)
		equal(t, rows(t, s)["job_lane"], 4)
	})
}
