//go:build unix

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// Errand is one run of a program that reads its input, answers on its output and ends.
type Errand struct {
	Command []string // the program and its arguments
	Limits  Limits
	Time    time.Duration // of its own that it may take; see Watch
	Most    int           // bytes of its answer, which is cut there
}

// mostSaid is how much of what a program says of its troubles is looked at, in bytes.
const mostSaid = 500

// Run starts the program, gives it what write writes (nil: nothing), and reads its answer once it has ended, also when
// it has failed. The error is that of ctx if this has ended; else it tells how the program ended, what is wrong with
// the answer, and the first line that the program said on its standard error.
func (e Errand) Run(ctx context.Context, write func(io.Writer) error, read func(answer []byte) error) error {
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	err := e.run(limited, cancel, write, read)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil:
		return errors.New("it did not end in time")
	}
	return err
}

// run ends the program with late when it has had its time.
func (e Errand) run(
	ctx context.Context, late context.CancelFunc, write func(io.Writer) error, read func([]byte) error,
) error {
	cmd := Command(ctx, e.Command[0], e.Command[1:]...)
	answer, said := &bounded{most: e.Most}, &bounded{most: mostSaid}
	cmd.Stdout, cmd.Stderr = answer, said
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := Start(cmd, e.Limits); err != nil {
		return err
	}
	defer Watch(cmd.Process.Pid, e.Time, late)()
	var unwritten error
	if write != nil {
		unwritten = write(in)
	}
	in.Close()
	ended := Wait(cmd)
	if err := first(ended, read(answer.kept), unwritten); err != nil {
		line, _, _ := strings.Cut(strings.TrimSpace(string(said.kept)), "\n")
		return fmt.Errorf("%w; it said %q", err, line)
	}
	return nil
}

// first returns what tells most of a failure: how a program ended and what it answered, else what it did not take.
func first(ended, unread, unwritten error) error {
	switch {
	case ended != nil && unread != nil:
		return fmt.Errorf("%w, %w", ended, unread)
	case ended != nil:
		return ended
	case unread != nil:
		return unread
	}
	return unwritten
}

// bounded keeps the beginning of what is written to it. It is no bytes.Buffer, which would take all that io.Copy has
// for it.
type bounded struct {
	kept []byte
	most int
}

// Write takes everything and keeps what there is room for.
func (b *bounded) Write(p []byte) (int, error) {
	b.kept = append(b.kept, p[:min(len(p), b.most-len(b.kept))]...)
	return len(p), nil
}
