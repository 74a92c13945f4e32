package store_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/account"
	"parley/internal/words/fault"
)

// enqueue adds jobs and returns their ids.
func enqueue(t testing.TB, s *store.Store, specs ...job.Spec) (ids []job.ID) {
	t.Helper()
	storetest.Update(t, s, func(tx *store.Tx) error {
		ids = nil
		for _, spec := range specs {
			id, err := tx.Enqueue(spec)
			if err != nil {
				return err
			}
			ids = append(ids, id)
		}
		return nil
	})
	return ids
}

// claim claims up to n jobs of kind "k".
func claim(t testing.TB, s *store.Store, n int) []job.Job {
	t.Helper()
	jobs, err := s.Queue().Claim(t.Context(), job.Claims{Worker: "w", Kinds: []string{"k"}, Most: n})
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

// one claims exactly one job.
func one(t testing.TB, s *store.Store) job.Job {
	t.Helper()
	jobs := claim(t, s, 1)
	if len(jobs) != 1 {
		t.Fatal("nothing to claim")
	}
	return jobs[0]
}

// get reads a job.
func get(t testing.TB, s *store.Store, id job.ID) (j job.Job) {
	t.Helper()
	storetest.Update(t, s, func(tx *store.Tx) (err error) {
		j, err = tx.Job("", id)
		return err
	})
	return j
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestClaimedJobIsAsItWasAskedFor(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		spec := job.Spec{Kind: "k", Account: "a", Subject: "m", Priority: 2, Payload: []byte{0, 255}, MaxAttempts: 7,
			RunAt: time.UnixMicro(1_700_000_000_000_001).UTC()}
		id := enqueue(t, s, spec)[0]
		got := one(t, s)
		want := job.Job{ID: id, Kind: "k", Account: "a", Lane: "a", Subject: "m", Priority: 2, Payload: []byte{0, 255},
			State:       job.Running,
			MaxAttempts: 7, Fence: 1, RunAt: spec.RunAt, Created: got.Created, Worker: "w", LeaseUntil: got.LeaseUntil}
		equal(t, got, want)
		if left := got.LeaseUntil.Sub(got.Created); left < job.Lease || left > job.Lease+time.Minute {
			t.Fatalf("lease of %v", left)
		}
		equal(t, get(t, s, id), want)
		equal(t, len(claim(t, s, 1)), 0)
	})
}

func TestJobsAreClaimedByPriorityWithAgeing(t *testing.T) {
	now := time.Now()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ids := enqueue(t, s,
			job.Spec{Kind: "k", Priority: 1, RunAt: now.Add(-3 * time.Minute)},
			job.Spec{Kind: "k", Priority: 2, RunAt: now.Add(-5 * time.Minute)},
			job.Spec{Kind: "k", Priority: 2, RunAt: now.Add(-64 * time.Minute)},
			job.Spec{Kind: "k", Priority: 0, RunAt: now.Add(-time.Minute)},
			job.Spec{Kind: "k", Priority: 1, RunAt: now.Add(-4 * time.Minute)},
			job.Spec{Kind: "k", Priority: 0, RunAt: now.Add(time.Hour)},
			job.Spec{Kind: "other", Priority: 0},
		)
		var got []job.ID
		for _, j := range claim(t, s, 10) {
			got = append(got, j.ID)
		}
		equal(t, got, []job.ID{ids[3], ids[2], ids[4], ids[0], ids[1]})
	})
}

// The order of claims between accounts equals that of a simple model, whatever is running and was served before, and
// whatever the priorities are.
func TestAccountsTakeTurns(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		rapid.Check(t, func(r *rapid.T) {
			storetest.Update(t, s, func(tx *store.Tx) error { return tx.DropJobs() })
			waiting, running, served := map[string]int{}, map[string]int{}, map[string]int{}
			var held []job.Job
			claims := 0
			perAccount := rapid.IntRange(0, 3).Draw(r, "per account")
			r.Repeat(map[string]func(*rapid.T){
				"enqueue": func(r *rapid.T) {
					a := rapid.SampledFrom([]string{"", "a", "b", "c"}).Draw(r, "account")
					enqueue(t, s, job.Spec{Kind: "k", Account: a, Priority: rapid.IntRange(0, 2).Draw(r, "priority")})
					waiting[a]++
				},
				"claim": func(r *rapid.T) {
					got, err := s.Queue().Claim(t.Context(),
						job.Claims{Worker: "w", Kinds: []string{"k"}, Most: 1, PerLane: perAccount})
					if err != nil {
						r.Fatal(err)
					}
					if len(got) == 0 {
						for a, n := range waiting {
							if n > 0 && (perAccount == 0 || running[a] < perAccount) {
								r.Fatalf("nothing claimed, %q waits", a)
							}
						}
						return
					}
					mine := got[0].Account
					for a, n := range waiting {
						open := n > 0 && (perAccount == 0 || running[a] < perAccount)
						if open && (running[a] < running[mine] || running[a] == running[mine] &&
							served[a] < served[mine]) {
							r.Fatalf("%q claimed with %d running, served at %d; %q has %d, %d", mine, running[mine],
								served[mine], a, running[a], served[a])
						}
					}
					if perAccount > 0 && running[mine] >= perAccount {
						r.Fatalf("%q has %d running", mine, running[mine])
					}
					claims++
					waiting[mine]--
					running[mine]++
					served[mine] = claims
					held = append(held, got[0])
				},
				"complete": func(r *rapid.T) {
					if len(held) == 0 {
						r.Skip("nothing held")
					}
					i := rapid.IntRange(0, len(held)-1).Draw(r, "which")
					if err := s.Queue().Complete(t.Context(), held[i]); err != nil {
						r.Fatal(err)
					}
					running[held[i].Account]--
					held = append(held[:i:i], held[i+1:]...)
				},
			})
		})
	})
}

func TestKindsTakeTurnsToo(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		for range 3 {
			enqueue(t, s, job.Spec{Kind: "long"}, job.Spec{Kind: "short"})
		}
		count := map[string]int{}
		jobs, err := s.Queue().Claim(t.Context(), job.Claims{Kinds: []string{"long", "short"}, Most: 4})
		must(t, err)
		for _, j := range jobs {
			count[j.Kind]++
		}
		equal(t, count, map[string]int{"long": 2, "short": 2})
	})
}

func TestConcurrentClaimsNeverShareAJob(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		const n = 200
		specs := make([]job.Spec, n)
		for i := range specs {
			specs[i] = job.Spec{Kind: "k", Account: fmt.Sprint(i % 3), Subject: fmt.Sprint(i)}
		}
		enqueue(t, s, specs...)
		var mu sync.Mutex
		seen := map[job.ID]int{}
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for {
					jobs, err := s.Queue().Claim(context.Background(),
						job.Claims{Kinds: []string{"k"}, Most: 1 + rand.IntN(5)})
					if err != nil {
						t.Error(err)
					}
					if len(jobs) == 0 {
						return
					}
					mu.Lock()
					for _, j := range jobs {
						seen[j.ID]++
					}
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		equal(t, len(seen), n)
		for id, times := range seen {
			if times != 1 {
				t.Errorf("%s was claimed %d times", id, times)
			}
		}
	})
}

func TestAnOldFenceChangesNothing(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		q := s.Queue()
		enqueue(t, s, job.Spec{Kind: "k"})
		old := one(t, s)
		must(t, s.ExpireLeases(t.Context()))
		n, err := q.Reap(t.Context())
		equal(t, []any{n, err}, []any{int64(1), nil})
		current := one(t, s)
		cause := errors.New("x")
		for name, err := range map[string]error{
			"FenceJob":    s.Update(t.Context(), func(tx *store.Tx) error { return tx.FenceJob(old) }),
			"CompleteJob": s.Update(t.Context(), func(tx *store.Tx) error { return tx.CompleteJob(old) }),
			"RescheduleJob": s.Update(t.Context(), func(tx *store.Tx) error {
				return tx.RescheduleJob(old, time.Now(), nil)
			}),
			"Retry":   q.Retry(t.Context(), old, cause, 0),
			"Stall":   q.Stall(t.Context(), old, cause, 0),
			"Release": q.Release(t.Context(), old),
			"Bury":    q.Bury(t.Context(), old, cause),
		} {
			if !errors.Is(err, job.ErrLost) {
				t.Errorf("%s with an old fence: %v", name, err)
			}
		}
		must(t, q.Complete(t.Context(), old))
		lost, err := q.Heartbeat(t.Context(), []job.Held{old.Held(), current.Held()})
		equal(t, []any{lost, err}, []any{[]job.Held{old.Held()}, nil})
		current.LeaseUntil = get(t, s, current.ID).LeaseUntil
		equal(t, get(t, s, current.ID), current)
		storetest.Update(t, s, func(tx *store.Tx) error {
			if err := tx.FenceJob(current); err != nil {
				return err
			}
			return tx.CompleteJob(current)
		})
		equal(t, rows(t, s)["job"], 0)
	})
}

func TestGivenBackJobsCountWhatHappened(t *testing.T) {
	cause := errors.New("why")
	for name, c := range map[string]struct {
		do   func(ctx context.Context, s *store.Store, j job.Job) error
		want job.Job
	}{
		"Retry": {func(ctx context.Context, s *store.Store, j job.Job) error {
			return s.Queue().Retry(ctx, j, cause, time.Hour)
		},
			job.Job{State: job.Ready, Attempts: 1, LastError: "why"}},
		"Stall": {func(ctx context.Context, s *store.Store, j job.Job) error {
			return s.Queue().Stall(ctx, j, cause, time.Hour)
		},
			job.Job{State: job.Ready, Stalls: 1, LastError: "why"}},
		"Release": {func(ctx context.Context, s *store.Store, j job.Job) error { return s.Queue().Release(ctx, j) },
			job.Job{State: job.Ready}},
		"Bury": {func(ctx context.Context, s *store.Store, j job.Job) error { return s.Queue().Bury(ctx, j, cause) },
			job.Job{State: job.Dead, Attempts: 1, LastError: "why"}},
		"VoidLeases": {func(ctx context.Context, s *store.Store, j job.Job) error {
			_, err := s.Queue().VoidLeases(ctx)
			return err
		},
			job.Job{State: job.Ready, Interruptions: 1}},
		"RescheduleJob": {func(ctx context.Context, s *store.Store, j job.Job) error {
			return s.Update(ctx, func(tx *store.Tx) error {
				return tx.RescheduleJob(j, time.Now().Add(time.Hour), []byte("next"))
			})
		}, job.Job{State: job.Ready, Payload: []byte("next")}},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, s *store.Store) {
				id := enqueue(t, s, job.Spec{Kind: "k", Payload: []byte("p")})[0]
				before := time.Now().Add(time.Minute)
				must(t, c.do(t.Context(), s, one(t, s)))
				got, want := get(t, s, id), c.want
				want.ID, want.Kind, want.MaxAttempts, want.Fence, want.Created, want.RunAt = id, "k", 3, 1, got.Created,
					got.RunAt
				if want.Payload == nil {
					want.Payload = []byte("p")
				}
				equal(t, got, want)
				later := name == "Retry" || name == "Stall" || name == "RescheduleJob"
				equal(t, got.RunAt.After(before), later)
			})
		})
	}
}

// TestTheOutcomeOfAJobIsRecordedWhateverItsErrorSays uses error texts that a text column cannot store unchanged: child
// processes and remote services can write anything.
func TestTheOutcomeOfAJobIsRecordedWhateverItsErrorSays(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		for said, want := range map[string]string{"it said \xff\x00!": "it said !",
			strings.Repeat("é", 1000):       strings.Repeat("é", 500),
			"x" + strings.Repeat("é", 1000): "x" + strings.Repeat("é", 499)} {
			id := enqueue(t, s, job.Spec{Kind: "k", Payload: []byte("p")})[0]
			must(t, s.Queue().Stall(t.Context(), one(t, s), errors.New(said), 0))
			equal(t, get(t, s, id).LastError, want)
			must(t, s.Queue().Retry(t.Context(), one(t, s), errors.New(said), 0))
			equal(t, get(t, s, id).LastError, want)
			must(t, s.Queue().Bury(t.Context(), one(t, s), errors.New(said)))
			equal(t, get(t, s, id).LastError, want)
		}
	})
}

func TestProgressResetsInterruptions(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		m := storetest.Media(t, s, a.ID)
		id := enqueue(t, s, job.Spec{Kind: "k", Account: string(a.ID), Subject: string(m.ID)})[0]
		for want := range 3 {
			equal(t, one(t, s).Interruptions, want)
			_, err := s.Queue().VoidLeases(t.Context())
			must(t, err)
		}
		one(t, s)
		storetest.Update(t, s, func(tx *store.Tx) error { return tx.PutArtifact(m.ID, "recognize", "k", nil) })
		equal(t, get(t, s, id).Interruptions, 0)
	})
}

func TestOnlyDeadJobsOfTheAccountAreRequeued(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		q := s.Queue()
		id := enqueue(t, s, job.Spec{Kind: "k", Account: "a"})[0]
		is(t, q.Requeue(t.Context(), "a", id), fault.Conflict, fault.CodeConflict)
		must(t, q.Bury(t.Context(), one(t, s), errors.New("x")))
		is(t, q.Requeue(t.Context(), "b", id), fault.NotFound, fault.CodeNotFound)
		is(t, q.Requeue(t.Context(), "", "x"), fault.NotFound, fault.CodeNotFound)
		must(t, q.Requeue(t.Context(), "a", id))
		got := one(t, s)
		equal(t, []any{got.ID, got.Attempts, got.Fence}, []any{id, 0, int64(2)})
	})
}

func TestTheQueueIsListedAndCounted(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ids := enqueue(t, s, job.Spec{Kind: "k", Account: "a", Priority: 1},
			job.Spec{Kind: "k", Account: "b", Priority: 1},
			job.Spec{Kind: "l", Account: "a", Priority: 2}, job.Spec{Kind: "l", Account: "a", Priority: 2})
		running := one(t, s)
		for _, c := range []struct {
			filter job.Filter
			want   []job.ID
		}{
			{job.Filter{}, ids}, {job.Filter{Limit: 2}, ids[:2]}, {job.Filter{Account: "a", Kind: "l"}, ids[2:]},
			{job.Filter{State: job.Running}, []job.ID{running.ID}}, {job.Filter{State: job.Dead}, nil},
		} {
			jobs, err := s.Queue().List(t.Context(), c.filter)
			must(t, err)
			var got []job.ID
			for _, j := range jobs {
				got = append(got, j.ID)
			}
			equal(t, got, c.want)
		}
		counts, err := s.Queue().Counts(t.Context(), "")
		must(t, err)
		equal(t, counts, []job.Count{{Kind: "k", State: job.Ready, Priority: 1, Jobs: 1},
			{Kind: "k", State: job.Running, Priority: 1, Jobs: 1}, {Kind: "l", State: job.Ready, Priority: 2, Jobs: 2}})
		counts, err = s.Queue().Counts(t.Context(), "b")
		must(t, err)
		equal(t, len(counts), 1)
	})
}

func TestJobsOfAnItemAreFoundByItsAccount(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		id := enqueue(t, s, job.Spec{Kind: "k", Account: "a", Subject: "m"})[0]
		storetest.Update(t, s, func(tx *store.Tx) error {
			for account, want := range map[account.ID]int{"a": 1, "b": 0} {
				jobs, err := tx.JobsOf(account, "m")
				equal(t, len(jobs), want)
				if err != nil {
					return err
				}
			}
			_, err := tx.Job("b", id)
			is(t, err, fault.NotFound, fault.CodeNotFound)
			_, err = tx.Job("a", id)
			return err
		})
	})
}
