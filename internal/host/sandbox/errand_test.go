//go:build unix

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// says runs an errand for a shell script whose output must be "right".
func says(ctx context.Context, script string, limit time.Duration, write func(io.Writer) error) error {
	e := Errand{Command: []string{"sh", "-c", script}, Time: limit, Most: 6,
		Limits: Limits{Access: Access{Start: []string{"cat", "sleep"}}}}
	return e.Run(ctx, write, func(answer []byte) error {
		if string(answer) != "right\n" {
			return fmt.Errorf("answer %q", answer)
		}
		return nil
	})
}

func TestAnErrandTellsWhyItFailed(t *testing.T) {
	right := func(in io.Writer) error {
		_, err := io.WriteString(in, "right\n")
		return err
	}
	broken := func(io.Writer) error { return errors.New("no more sound") }
	for _, c := range []struct {
		script string
		write  func(io.Writer) error
		want   []string // none: no error
	}{
		{"cat", right, nil},
		{"cat; echo all that comes behind", right, nil},
		{"echo right", nil, nil},
		{"cat; echo not so >&2; echo at all >&2", nil, []string{`answer ""`, `standard error: "not so"`}},
		{"cat; echo no room >&2; exit 3", right, []string{"exit status 3", `standard error: "no room"`}},
		{"echo wrong; exit 3", nil, []string{"exit status 3", `answer "wrong\n"`}},
		{"cat; echo right", broken, []string{"no more sound"}},
	} {
		err := says(t.Context(), c.script, time.Hour, c.write)
		if (err == nil) != (c.want == nil) {
			t.Errorf("%s: %v", c.script, err)
		}
		for _, want := range c.want {
			if err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v does not tell %s", c.script, err, want)
			}
		}
	}
}

func TestAnErrandEndsWithItsTimeAndItsContext(t *testing.T) {
	if err := says(t.Context(), "exec sleep 1000", 20*time.Millisecond, nil); err == nil ||
		!strings.Contains(err.Error(), "time limit") {
		t.Errorf("late: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err := says(ctx, "cat; sleep 1000", time.Hour, func(io.Writer) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
