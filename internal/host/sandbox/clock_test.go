//go:build linux

package sandbox

import (
	"context"
	"errors"
	"os/exec"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestOwnTimeIsWorkAndSleepAndNoWaitForAProcessor(t *testing.T) {
	const s = time.Second
	for name, c := range map[string]struct {
		used usage // within ten seconds
		want time.Duration
	}{
		"works":                              {usage{ran: 10 * s, waited: 0, known: true}, 10 * s},
		"sleeps":                             {usage{ran: 0, waited: 0, known: true}, 10 * s},
		"waits for a processor":              {usage{ran: 0, waited: 10 * s, known: true}, 0},
		"works a tenth":                      {usage{ran: 1 * s, waited: 9 * s, known: true}, 1 * s},
		"works, waits and sleeps":            {usage{ran: 2 * s, waited: 3 * s, known: true}, 7 * s},
		"four threads work":                  {usage{ran: 40 * s, waited: 0, known: true}, 10 * s},
		"four threads wait more than passes": {usage{ran: 2 * s, waited: 38 * s, known: true}, 2 * s},
		"is still waiting":                   {usage{waits: true, known: true}, 0},
		"works and waits now":                {usage{ran: 3 * s, waits: true, known: true}, 3 * s},
		"a thread ended":                     {usage{ran: -5 * s, waited: -5 * s, known: true}, 10 * s},
		"not known":                          {usage{}, 10 * s},
	} {
		began := time.Unix(1e9, 0)
		m := meter{at: began, last: usage{known: true}}
		m.look(began.Add(10*s), c.used)
		if m.own != c.want || m.wall != 10*s {
			t.Errorf("%s: %v of its own, want %v", name, m.own, c.want)
		}
	}
}

// starve starts a busy program that gets almost no processor time, because another one uses all of it.
func starve(t *testing.T) (pid int) {
	t.Helper()
	var allowed, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &allowed); err != nil {
		t.Fatal(err)
	}
	for i := 0; one.Count() == 0; i++ {
		if allowed.IsSet(i) {
			one.Set(i)
		}
	}
	const idle = 5 // SCHED_IDLE
	for _, policy := range []uint32{0, idle} {
		cmd := exec.CommandContext(t.Context(), "sh", "-c", "while :; do :; done")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
		pid = cmd.Process.Pid
		if err := unix.SchedSetaffinity(pid, &one); err != nil {
			t.Fatal(err)
		}
		if err := unix.SchedSetAttr(pid, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: policy}, 0); err != nil {
			t.Fatal(err)
		}
	}
	return pid
}

func TestAChildThatWaitsForAProcessorIsNotLate(t *testing.T) {
	pid := starve(t)
	if !usageOf(pid).known {
		t.Skip("this kernel does not tell what processes wait")
	}
	late := errors.New("late")
	const limit = 500 * time.Millisecond
	ctx, cancel := WithTime(t.Context(), pid, limit, late)
	defer cancel()
	start := usageOf(pid)
	ticks := time.NewTicker(10 * time.Millisecond)
	defer ticks.Stop()
	for range ticks.C {
		u := usageOf(pid)
		if u.waited-start.waited > 4*limit {
			break // far beyond the limit in wall-clock time
		}
		if u.ran-start.ran > limit/2 {
			t.Skip("the machine has processors for all")
		}
	}
	if err := context.Cause(ctx); err != nil {
		t.Errorf("ended with %v", err)
	}
}

func TestAChildThatWorksOrSleepsTooLongIsLate(t *testing.T) {
	late := errors.New("late")
	for _, script := range []string{"while :; do :; done", "read x"} {
		cmd := Command(t.Context(), "sh", "-c", script)
		in, _ := cmd.StdinPipe()
		if err := Start(cmd, Limits{}); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := WithTime(t.Context(), cmd.Process.Pid, 100*time.Millisecond, late)
		<-ctx.Done()
		if err := context.Cause(ctx); err != late {
			t.Errorf("%s: %v", script, err)
		}
		cancel()
		in.Close()
		cmd.Cancel()
		Wait(cmd)
	}
}

func TestAChildThatAnswersInTimeIsLeftAlone(t *testing.T) {
	called := make(chan struct{})
	cmd := Command(t.Context(), "true")
	if err := Start(cmd, Limits{}); err != nil {
		t.Fatal(err)
	}
	stop := Watch(cmd.Process.Pid, time.Hour, func() { close(called) })
	if err := Wait(cmd); err != nil {
		t.Fatal(err)
	}
	stop()
	select {
	case <-called:
		t.Error("it was late")
	default:
	}
}
