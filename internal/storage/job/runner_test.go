package job_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/fault"
)

// bench is a queue with a runner, in a bubble of fake time.
type bench struct {
	*testing.T
	store *store.Store
	stop  func()        // ends Run's context
	ended chan struct{} // closed when Run has returned
}

// run runs f in fake time with a runner of c, whose handlers are for kind "k", on an empty queue.
func run(t *testing.T, c job.Config, handler job.Handler, f func(b bench)) {
	synctest.Test(t, func(t *testing.T) {
		b := bench{T: t, store: storetest.SQLite(t)}
		b.stop, b.ended = b.start(c, handler)
		f(b)
		b.stop()
		<-b.ended
	})
}

// start starts another runner.
func (b bench) start(c job.Config, handler job.Handler) (stop func(), ended chan struct{}) {
	c.Handlers = map[string]job.Handler{"k": handler}
	if c.Worker == "" {
		c.Worker = "one"
	}
	ctx, stop := context.WithCancel(context.Background())
	ended = make(chan struct{})
	go func() {
		defer close(ended)
		job.NewRunner(b.store.Queue(), c).Run(ctx)
	}()
	synctest.Wait()
	return stop, ended
}

// sleep lets fake time pass and the runner do what is due.
func (b bench) sleep(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func (b bench) enqueue(s job.Spec) (id job.ID) {
	b.Helper()
	s.Kind = "k"
	storetest.Update(b, b.store, func(tx *store.Tx) (err error) {
		id, err = tx.Enqueue(s)
		return err
	})
	return id
}

// only returns the one job in the queue.
func (b bench) only() job.Job {
	b.Helper()
	jobs, err := b.store.Queue().List(b.Context(), job.Filter{})
	if err != nil || len(jobs) != 1 {
		b.Fatalf("jobs %v, %v", jobs, err)
	}
	return jobs[0]
}

func (b bench) empty() {
	b.Helper()
	jobs, err := b.store.Queue().List(b.Context(), job.Filter{})
	if err != nil || len(jobs) != 0 {
		b.Fatalf("jobs %v, %v", jobs, err)
	}
}

func TestEnqueuedJobRunsAtOnceAndIsGone(t *testing.T) {
	var got job.Job
	run(t, job.Config{}, func(_ context.Context, j job.Job) error { got = j; return nil }, func(b bench) {
		b.sleep(300 * time.Millisecond) // between two polls
		before := time.Now()
		id := b.enqueue(job.Spec{Payload: []byte("p")})
		synctest.Wait()
		if got.ID != id || string(got.Payload) != "p" || !time.Now().Equal(before) {
			t.Fatalf("ran %+v after %v", got, time.Since(before))
		}
		b.empty()
	})
}

func TestJobsOfOtherProcessesAreFoundByPolling(t *testing.T) {
	var ran atomic.Int32
	synctest.Test(t, func(t *testing.T) {
		url := storetest.SQLiteURL(t)
		b := bench{T: t, store: storetest.Open(t, url)}
		stop, ended := b.start(job.Config{}, func(context.Context, job.Job) error { ran.Add(1); return nil })
		other := bench{T: t, store: storetest.Open(t, url)}
		other.enqueue(job.Spec{})
		b.sleep(1100 * time.Millisecond)
		if ran.Load() != 1 {
			t.Fatalf("ran %d times", ran.Load())
		}
		stop()
		<-ended
	})
}

func TestNoMoreHandlersRunThanWorkers(t *testing.T) {
	var now, most atomic.Int32
	run(t, job.Config{Workers: 3}, func(context.Context, job.Job) error {
		most.Store(max(most.Load(), now.Add(1)))
		time.Sleep(10 * time.Second)
		now.Add(-1)
		return nil
	}, func(b bench) {
		for range 10 {
			b.enqueue(job.Spec{})
		}
		b.sleep(41 * time.Second) // four rounds
		b.empty()
		if most.Load() != 3 {
			t.Fatalf("%d at a time", most.Load())
		}
	})
}

func TestFailingJobIsDeadAfterItsAttempts(t *testing.T) {
	var runs, spent int
	var cause error
	run(t, job.Config{Poll: 10 * time.Second, Spent: func(_ context.Context, _ job.Job, err error) error {
		spent++
		cause = err
		return nil
	}},
		func(context.Context, job.Job) error { runs++; return fmt.Errorf("failure %d", runs) }, func(b bench) {
			id := b.enqueue(job.Spec{MaxAttempts: 4})
			b.sleep(time.Hour)
			j := b.only()
			if j.State != job.Dead || j.Attempts != 4 || runs != 4 || j.LastError != "failure 4" {
				t.Fatalf("%d runs, %+v", runs, j)
			}
			if spent != 1 || cause.Error() != "failure 4" {
				t.Fatalf("spent %d times, %v", spent, cause)
			}
			if err := b.store.Queue().Requeue(b.Context(), "", id); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if runs != 5 {
				t.Fatal("a re-queued job did not run at once")
			}
		})
}

func TestSpentThatFailsIsCalledAgain(t *testing.T) {
	spent := 0
	run(t, job.Config{Poll: 10 * time.Second, Spent: func(context.Context, job.Job, error) error {
		if spent++; spent < 3 {
			return errors.New("not now")
		}
		return nil
	}}, func(context.Context, job.Job) error { return errors.New("x") }, func(b bench) {
		b.enqueue(job.Spec{MaxAttempts: 1})
		b.sleep(time.Hour)
		if j := b.only(); j.State != job.Dead || spent != 3 {
			t.Fatalf("spent %d times, %+v", spent, j)
		}
	})
}

func TestUnavailableBacksOffWithoutEnd(t *testing.T) {
	var mu sync.Mutex
	var runs []time.Time
	var away atomic.Bool
	away.Store(true)
	run(t, job.Config{Poll: 30 * time.Second}, func(context.Context, job.Job) error {
		mu.Lock()
		defer mu.Unlock()
		runs = append(runs, time.Now())
		if away.Load() {
			return fmt.Errorf("ask: %w", fault.New(fault.Unavailable, fault.CodeUnavailable, "engine away"))
		}
		return nil
	}, func(b bench) {
		b.enqueue(job.Spec{MaxAttempts: 1})
		b.sleep(3 * time.Hour)
		mu.Lock()
		n := len(runs)
		gap := runs[n-1].Sub(runs[n-2])
		mu.Unlock()
		if j := b.only(); j.State != job.Ready || j.Attempts != 0 || j.Stalls != n {
			t.Fatalf("%d runs, %+v", n, j)
		}
		if n < 100 || gap > 91*time.Second {
			t.Fatalf("%d runs in 3 hours, the last after %v", n, gap)
		}
		away.Store(false)
		b.sleep(91 * time.Second)
		b.empty()
	})
}

func TestPanicIsAFailureThatShowsNoValue(t *testing.T) {
	run(t, job.Config{}, func(context.Context, job.Job) error { panic("a customer's words") }, func(b bench) {
		b.enqueue(job.Spec{})
		synctest.Wait()
		if j := b.only(); j.Attempts != 1 || j.LastError != "panic: string" {
			t.Fatalf("%+v", j)
		}
	})
}

func TestLongJobKeepsItsLease(t *testing.T) {
	var runs atomic.Int32
	handler := func(context.Context, job.Job) error { runs.Add(1); time.Sleep(10 * time.Minute); return nil }
	run(t, job.Config{Poll: 10 * time.Second}, handler, func(b bench) {
		b.enqueue(job.Spec{})
		stop, ended := b.start(job.Config{Worker: "two", Poll: 10 * time.Second}, handler)
		b.sleep(11 * time.Minute)
		b.empty()
		if runs.Load() != 1 {
			t.Fatalf("ran %d times", runs.Load())
		}
		stop()
		<-ended
	})
}

func TestJobOfADeadWorkerIsTakenOverWithinTheLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := bench{T: t, store: storetest.SQLite(t)}
		b.enqueue(job.Spec{})
		if _, err := b.store.Queue().Claim(t.Context(),
			job.Claims{Worker: "dead", Kinds: []string{"k"}, Most: 1}); err != nil {
			t.Fatal(err)
		}
		var taken atomic.Pointer[job.Job]
		stop, ended := b.start(job.Config{}, func(_ context.Context, j job.Job) error { taken.Store(&j); return nil })
		b.sleep(job.Lease - time.Second)
		if taken.Load() != nil {
			t.Fatal("taken while the lease held")
		}
		b.sleep(2 * time.Second)
		if j := taken.Load(); j == nil || j.Interruptions != 1 || j.Fence != 2 {
			t.Fatalf("%+v", j)
		}
		b.empty()
		stop()
		<-ended
	})
}

func TestDeletedJobIsCancelledAtOnce(t *testing.T) {
	var cause error
	run(t, job.Config{}, func(ctx context.Context, _ job.Job) error {
		<-ctx.Done()
		cause = context.Cause(ctx)
		return ctx.Err()
	}, func(b bench) {
		a := storetest.Account(b, b.store, "a")
		m := storetest.Media(b, b.store, a.ID)
		b.enqueue(job.Spec{Account: string(a.ID), Subject: string(m.ID)})
		b.sleep(time.Second)
		before := time.Now()
		storetest.Update(b, b.store, func(tx *store.Tx) error { _, err := tx.DeleteMedia(a.ID, m.ID); return err })
		synctest.Wait()
		if !errors.Is(cause, job.ErrLost) || !time.Now().Equal(before) {
			t.Fatalf("cause %v after %v", cause, time.Since(before))
		}
		b.empty()
	})
}

func TestJobCompletedByItsHandlerIsDone(t *testing.T) {
	var b bench
	run(t, job.Config{}, func(ctx context.Context, j job.Job) error {
		return b.store.Update(ctx, func(tx *store.Tx) error {
			if err := tx.SetSetting("effect", nil); err != nil {
				return err
			}
			return tx.CompleteJob(j)
		})
	}, func(inner bench) {
		b = inner
		b.enqueue(job.Spec{})
		synctest.Wait()
		b.empty()
	})
}

// A heartbeat finds the claim gone, once by the handler's own transaction and once by a deletion.
func TestOnlyWhatIsLostIsLoggedAsLost(t *testing.T) {
	for _, done := range []bool{true, false} {
		var b bench
		var log strings.Builder
		run(t, job.Config{Log: slog.New(slog.NewTextHandler(&log, nil))}, func(ctx context.Context, j job.Job) error {
			err := b.store.Update(ctx, func(tx *store.Tx) error { return tx.CompleteJob(j) })
			<-ctx.Done()
			if !errors.Is(context.Cause(ctx), job.ErrLost) {
				t.Error(context.Cause(ctx))
			}
			if done {
				return err
			}
			return ctx.Err()
		}, func(inner bench) {
			b = inner
			b.enqueue(job.Spec{})
			b.sleep(2 * job.Beat)
			b.empty()
		})
		if lost := strings.Contains(log.String(), "lost"); lost == done {
			t.Errorf("done: %v; the log: %s", done, log.String())
		}
	}
}

func TestDrainingHandlersPauseAndTheirJobsAreGivenBack(t *testing.T) {
	run(t, job.Config{Grace: time.Minute}, func(ctx context.Context, _ job.Job) error {
		<-job.Draining(ctx)
		time.Sleep(3 * time.Second) // finishes its present work
		if ctx.Err() != nil {
			t.Error("cancelled within the grace time")
		}
		return job.ErrDrained
	}, func(b bench) {
		b.enqueue(job.Spec{})
		b.sleep(time.Second)
		before := time.Now()
		b.stop()
		<-b.ended
		if j := b.only(); j.State != job.Ready || j.Attempts+j.Interruptions+j.Stalls != 0 ||
			time.Since(before) != 3*time.Second {
			t.Fatalf("after %v: %+v", time.Since(before), j)
		}
	})
}

func TestHandlersAreCancelledAfterTheGraceTime(t *testing.T) {
	var cause error
	run(t, job.Config{Grace: 30 * time.Second}, func(ctx context.Context, _ job.Job) error {
		<-ctx.Done()
		cause = context.Cause(ctx)
		return errors.New("any error")
	}, func(b bench) {
		b.enqueue(job.Spec{})
		b.sleep(time.Second)
		before := time.Now()
		b.stop()
		<-b.ended
		if !errors.Is(cause, job.ErrDrained) || time.Since(before) != 30*time.Second {
			t.Fatalf("cause %v after %v", cause, time.Since(before))
		}
		if j := b.only(); j.State != job.Ready || j.Attempts+j.Interruptions+j.Stalls != 0 {
			t.Fatalf("%+v", j)
		}
	})
}

func TestJobThatTakesItsWorkerDownIsDeadInTheEnd(t *testing.T) {
	var spent error
	ran := false
	synctest.Test(t, func(t *testing.T) {
		b := bench{T: t, store: storetest.SQLite(t)}
		b.enqueue(job.Spec{})
		for range job.MaxInterruptions {
			if _, err := b.store.Queue().Claim(t.Context(), job.Claims{Kinds: []string{"k"}, Most: 1}); err != nil {
				t.Fatal(err)
			}
			if _, err := b.store.Queue().VoidLeases(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		stop, ended := b.start(job.Config{Spent: func(_ context.Context, _ job.Job, err error) error {
			spent = err
			return nil
		}},
			func(context.Context, job.Job) error { ran = true; return nil })
		if j := b.only(); j.State != job.Dead || ran || spent == nil || !strings.Contains(j.LastError, "interrupted") {
			t.Fatalf("ran %v, spent %v, %+v", ran, spent, j)
		}
		stop()
		<-ended
	})
}

func TestOutcomeIsRecordedWhenTheDatabaseIsBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := bench{T: t, store: storetest.SQLite(t)}
		db := &flaky{Database: store.Jobs(b.store)}
		q := job.NewQueue(db)
		b.enqueue(job.Spec{})
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			job.NewRunner(q, job.Config{Handlers: map[string]job.Handler{"k": func(context.Context, job.Job) error {
				db.away.Store(true)
				return nil
			}}}).Run(ctx)
		}()
		b.sleep(4 * time.Second)
		if j := b.only(); j.State != job.Running {
			t.Fatalf("%+v", j)
		}
		db.away.Store(false)
		b.sleep(5 * time.Second)
		b.empty()
		stop()
		<-ended
	})
}

// flaky is a database that is unavailable at times.
type flaky struct {
	job.Database
	away atomic.Bool
}

func (f *flaky) UpdateJobs(ctx context.Context, g func(job.Tx) error) error {
	if f.away.Load() {
		return fault.New(fault.Unavailable, fault.CodeUnavailable, "away")
	}
	return f.Database.UpdateJobs(ctx, g)
}
