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

// Errand is one run of a program that reads its input, writes its output and exits.
type Errand struct {
	Command []string // the program and its arguments
	Limits  Limits
	Time    time.Duration // limit of its own time; see Watch
	Most    int           // maximum bytes of output, which is truncated there
}

// mostSaid bounds the standard error output that is examined, in bytes.
const mostSaid = 500

// Run starts the program, passes it what write writes (nil: nothing), and reads its output after it exits, even if it
// fails. The error is that of ctx if ctx has ended; else it contains the exit status, what is wrong with the output,
// and the first line of standard error.
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
		return errors.New("the program exceeded its time limit")
	}
	return err
}

// run ends the program with late when its time limit expires.
func (e Errand) run(
	ctx context.Context, late context.CancelFunc, write func(io.Writer) error, read func([]byte) error,
) error {
	cmd := Command(ctx, e.Command[0], e.Command[1:]...)
	answer, said := &limitedBuffer{most: e.Most}, &limitedBuffer{most: mostSaid}
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
		return fmt.Errorf("%w; standard error: %q", err, line)
	}
	return nil
}

// first returns the most informative error: the exit status and the output error, else the write error.
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

// limitedBuffer keeps the beginning of what is written to it. It has no ReadFrom method, unlike bytes.Buffer, which
// would read everything that io.Copy offers.
type limitedBuffer struct {
	kept []byte
	most int
}

// Write accepts everything and keeps what fits.
func (b *limitedBuffer) Write(p []byte) (int, error) {
	b.kept = append(b.kept, p[:min(len(p), b.most-len(b.kept))]...)
	return len(p), nil
}
