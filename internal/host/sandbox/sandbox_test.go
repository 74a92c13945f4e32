//go:build linux

package sandbox

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestChildIsKilledWithItsGroupWhenTheContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cmd := Command(ctx, "sh", "-c", "sleep 1000 & echo $!; wait")
	out, _ := cmd.StdoutPipe()
	if err := Start(cmd, Limits{Access: Access{Start: []string{"sleep"}}}); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	grandchild, _ := strconv.Atoi(strings.TrimSpace(line))
	cancel()
	if err := cmd.Wait(); err == nil {
		t.Fatal("a killed child reported success")
	}
	waitGone(t, grandchild)
}

func TestChildDiesWithItsParent(t *testing.T) {
	if os.Getenv("CHILD_TEST_PARENT") == "1" {
		cmd := Command(context.Background(), "sleep", "1000")
		if err := Start(cmd, Limits{}); err != nil {
			os.Exit(3)
		}
		os.Stdout.WriteString(strconv.Itoa(cmd.Process.Pid) + "\n")
		select {}
	}
	parent := exec.Command(os.Args[0], "-test.run=^TestChildDiesWithItsParent$")
	parent.Env = append(os.Environ(), "CHILD_TEST_PARENT=1")
	out, _ := parent.StdoutPipe()
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatalf("parent printed %q", line)
	}
	parent.Process.Kill()
	parent.Wait()
	waitGone(t, pid)
}

func TestMemoryLimitBindsTheChild(t *testing.T) {
	cmd := Command(context.Background(), "sh", "-c", "read x; exec head -c 400M /dev/zero | tail -c 400M >/dev/null")
	in, _ := cmd.StdinPipe()
	if err := Start(cmd, Limits{Memory: 64 << 20, Access: Access{Start: []string{"head", "tail"}}}); err != nil {
		t.Fatal(err)
	}
	in.Write([]byte("go\n"))
	if err := cmd.Wait(); err == nil {
		t.Fatal("a child over its memory limit succeeded")
	}
}

// waitGone waits with a pidfd until a process has ended.
func waitGone(t *testing.T, pid int) {
	t.Helper()
	fd, err := unix.PidfdOpen(pid, 0)
	if err == syscall.ESRCH {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int((10 * time.Second).Milliseconds()))
	if n != 1 {
		t.Fatalf("process %d still lives (%v)", pid, err)
	}
}

func TestChildLeavesNothingBehindWhenItEnds(t *testing.T) {
	cmd := Command(context.Background(), "sh", "-c", "sleep 1000 >/dev/null 2>&1 & echo $!")
	out, _ := cmd.StdoutPipe()
	if err := Start(cmd, Limits{Access: Access{Start: []string{"sleep"}}}); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	grandchild, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatalf("child printed %q", line)
	}
	if err := Wait(cmd); err != nil {
		t.Fatal(err)
	}
	waitGone(t, grandchild)
}

func TestChildDoesNotSeeSecretsOfTheServer(t *testing.T) {
	t.Setenv("AWS_SECRET_ACCESS_KEY", "hunter2")
	t.Setenv("TZ", "UTC")
	out, err := Command(context.Background(), "env").Output()
	if err != nil {
		t.Fatal(err)
	}
	if s := string(out); strings.Contains(s, "hunter2") || !strings.Contains(s, "TZ=UTC") ||
		!strings.Contains(s, "PATH=") {
		t.Fatalf("environment of the child:\n%s", s)
	}
}

func TestLimitsAreThoseOfTheChild(t *testing.T) {
	before, err := unix.Getpriority(unix.PRIO_PROCESS, 0)
	if err != nil {
		t.Fatal(err)
	}
	cmd := Command(context.Background(), "sh", "-c",
		"read x; ulimit -S -t; ulimit -H -t; ulimit -d; ulimit -f; ulimit -c; nice")
	in, _ := cmd.StdinPipe()
	var out strings.Builder
	cmd.Stdout = &out
	if err := Start(cmd, Limits{Memory: 64 << 20, CPU: 1500 * time.Millisecond, FileSize: 1 << 20, Nice: 3,
		Access: Access{Start: []string{"nice"}}}); err != nil {
		t.Fatal(err)
	}
	in.Write([]byte("go\n"))
	if err := Wait(cmd); err != nil {
		t.Fatal(err)
	}
	want := []string{"2", "7", "65536", "2048", "0", strconv.Itoa(min(20-before+3, 19))}
	if got := strings.Fields(out.String()); !slices.Equal(got, want) {
		t.Fatalf("limits %v, want %v", got, want)
	}
}

func TestProcessorTimeIsLimited(t *testing.T) {
	err := Run(Command(context.Background(), "sh", "-c", "while :; do :; done"), Limits{CPU: time.Second})
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGXCPU {
		t.Fatalf("an endless child ended with %v", err)
	}
}

func TestKillingAnEndedGroupIsNoFailure(t *testing.T) {
	cmd := Command(context.Background(), "true")
	if err := Run(cmd, Limits{}); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Cancel(); !errors.Is(err, os.ErrProcessDone) {
		t.Fatalf("killing an ended group: %v", err)
	}
}

func TestUnknownProgramIsAnError(t *testing.T) {
	if err := Run(Command(context.Background(), "no-such-program-here"), Limits{}); !errors.Is(err, exec.ErrNotFound) {
		t.Fatalf("got %v", err)
	}
}
