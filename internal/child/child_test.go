//go:build linux

package child

import (
	"bufio"
	"context"
	"os"
	"os/exec"
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
	if err := Start(cmd, Limits{}); err != nil {
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
	if err := Start(cmd, Limits{Memory: 64 << 20}); err != nil {
		t.Fatal(err)
	}
	in.Write([]byte("go\n"))
	if err := cmd.Wait(); err == nil {
		t.Fatal("a child over its memory limit succeeded")
	}
}

// waitGone waits until a process has ended, as its pidfd tells.
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
