package store_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"

	"parley/internal/host/sandbox"
	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/testkit/pgtest"
	"parley/internal/testkit/storetest"
	"parley/internal/words/account"
)

const workerVariable = "PARLEY_TEST_WORKER_DATABASE"

// TestWorkerProcess is not a test but the program that TestKilledWorkersDoEverythingOnce kills.
func TestWorkerProcess(t *testing.T) {
	url := os.Getenv(workerVariable)
	if url == "" {
		t.Skip("runs as a child of TestKilledWorkersDoEverythingOnce only")
	}
	s := storetest.Open(t, url)
	job.NewRunner(s.Queue(), job.Config{
		Worker: fmt.Sprint(os.Getpid()), Workers: 4, Poll: 50 * time.Millisecond,
		Handlers: map[string]job.Handler{"k": func(ctx context.Context, j job.Job) error { return work(ctx, s, j) }},
	}).Run(context.Background())
}

// work has an effect that each job must have exactly once: it adds a microsecond of usage to the account named like its
// subject.
func work(ctx context.Context, s *store.Store, j job.Job) error {
	fmt.Println("begin", j.Subject)
	err := s.Update(ctx, func(tx *store.Tx) error {
		if err := tx.FenceJob(j); err != nil {
			return err
		}
		return tx.SetSetting("progress/"+j.Subject, nil)
	})
	if err != nil {
		return err
	}
	fmt.Println("middle", j.Subject)
	err = s.Update(ctx, func(tx *store.Tx) error {
		if err := tx.AddUsage(account.ID(j.Subject), time.Unix(0, 0),
			store.Usage{Recognized: time.Microsecond}); err != nil {
			return err
		}
		return tx.CompleteJob(j)
	})
	fmt.Println("end", j.Subject)
	return err
}

// crew is the worker processes on one database and the lines that they print.
type crew struct {
	*testing.T
	url     string
	lines   chan line
	workers map[int]*exec.Cmd
}

type line struct {
	pid  int
	text string
}

func (c *crew) hire() {
	c.Helper()
	cmd := sandbox.Command(context.Background(), os.Args[0], "-test.run=^TestWorkerProcess$")
	cmd.Env = append(cmd.Env, workerVariable+"="+c.url)
	out, err := cmd.StdoutPipe()
	must(c, err)
	must(c, sandbox.Start(cmd, sandbox.Limits{Access: sandbox.Access{Trusted: true}}))
	pid := cmd.Process.Pid
	c.workers[pid] = cmd
	go func() {
		for words := bufio.NewScanner(out); words.Scan(); {
			c.lines <- line{pid, words.Text()}
		}
	}()
}

func (c *crew) kill(pid int) {
	cmd := c.workers[pid]
	delete(c.workers, pid)
	cmd.Process.Kill()
	cmd.Wait()
}

// Workers are killed at random times, and leases of living workers expire early; in the end every job has had its
// effect exactly once.
func TestKilledWorkersDoEverythingOnce(t *testing.T) {
	const batch = 25
	kills := 12
	if os.Getenv("PARLEY_SOAK") != "" {
		kills = 300
	}
	for name, url := range map[string]string{"sqlite": storetest.SQLiteURL(t), "postgres": pgtest.URL(t)} {
		t.Run(name, func(t *testing.T) { killWorkers(t, url, batch, kills) })
	}
}

// killWorkers adds a batch of jobs before each kill, which happens at one of the lines that the workers will print.
func killWorkers(t *testing.T, url string, batch, kills int) {
	s := storetest.Open(t, url)
	c := &crew{T: t, url: url, lines: make(chan line, 1<<20), workers: map[int]*exec.Cmd{}}
	defer func() {
		for pid := range c.workers {
			c.kill(pid)
		}
	}()
	for range 3 {
		c.hire()
	}
	jobs := 0
	for range kills {
		addWork(t, s, jobs, batch)
		jobs += batch
		for range rand.IntN(2 * batch) {
			<-c.lines
		}
		l := <-c.lines
		for c.workers[l.pid] == nil { // a line of a worker killed earlier
			l = <-c.lines
		}
		c.kill(l.pid)
		must(t, s.ExpireLeases(t.Context()))
		c.hire()
	}
	for addWork(t, s, jobs, 1); !idle(t, s); { // one more job, so that there is something to wait for
		<-c.lines
	}
	exactlyOnce(t, s, jobs+1)
}

func addWork(t *testing.T, s *store.Store, from, n int) {
	t.Helper()
	specs := make([]job.Spec, n)
	for i := range specs {
		specs[i] = job.Spec{Kind: "k", Account: fmt.Sprint(i % 5), Subject: fmt.Sprint("job", from+i)}
	}
	enqueue(t, s, specs...)
}

func idle(t *testing.T, s *store.Store) bool {
	t.Helper()
	counts, err := s.Queue().Counts(t.Context(), "")
	must(t, err)
	return len(counts) == 0
}

func exactlyOnce(t *testing.T, s *store.Store, jobs int) {
	t.Helper()
	storetest.Update(t, s, func(tx *store.Tx) error {
		for i := range jobs {
			days, err := tx.Usage(account.ID(fmt.Sprint("job", i)), time.Unix(0, 0), time.Unix(86400, 0))
			if err != nil {
				return err
			}
			if len(days) != 1 || days[0].Recognized != time.Microsecond {
				t.Errorf("effects of job %d: %v", i, days)
			}
		}
		return nil
	})
}
