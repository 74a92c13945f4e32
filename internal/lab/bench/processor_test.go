package bench

import (
	"fmt"
	"os"
	"testing"
	"time"

	"parley/internal/host/sandbox"
)

func TestProcessorTimeOfChildrenIsCounted(t *testing.T) {
	cmd := sandbox.Command(t.Context(), "sh", "-c",
		"i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo done; read x")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	before, err := ChildrenTime()
	if err != nil {
		t.Fatal(err)
	}
	if err := sandbox.Start(cmd, sandbox.Limits{Access: sandbox.Access{Trusted: true}}); err != nil {
		t.Fatal(err)
	}
	fmt.Fscanln(out, new(string))
	after, err := ChildrenTime()
	if err != nil || after-before < 2*tick {
		t.Errorf("a busy child has used %v, %v", after-before, err)
	}
	in.Close()
	cmd.Wait()
}

func TestOnlyChildrenAreCounted(t *testing.T) {
	stat := []byte(fmt.Sprintf("77 (a) b) R %d 77 77 0 -1 4194304 1 0 0 0 150 25 9 9 30 10 1 0 5", os.Getpid()))
	if got, err := childTime(stat, os.Getpid()); got != 1750*time.Millisecond || err != nil {
		t.Errorf("a child: %v, %v", got, err)
	}
	if got, err := childTime(stat, 1); got != 0 || err != nil {
		t.Errorf("another's: %v, %v", got, err)
	}
	if _, err := childTime([]byte("77 (a"), 1); err == nil {
		t.Error("nonsense is read")
	}
}
