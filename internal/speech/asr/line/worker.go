package line

import (
	"bufio"
	"context"
	"encoding/binary"
	"os"
	"os/exec"
	"strings"

	"parley/internal/host/sandbox"
	"parley/internal/speech/asr"
	"parley/internal/words/fault"
	"parley/internal/words/vocabulary"
)

// longestAnswer is the maximum length of an answer line in bytes, so that a faulty engine cannot exhaust memory.
const longestAnswer = 8 << 20

// worker is one child with its pipes. It handles one request at a time.
type worker struct {
	pid    int
	info   asr.Info
	in     *os.File // the child's standard input
	out    *os.File // the child's standard output
	reader *bufio.Reader
	cancel context.CancelFunc
	exited chan struct{} // closed after the process has been reaped
	asked  int64

	vocabulary []vocabulary.Vocabulary // of the last request; repeating it is faster
}

// start starts a child and waits for its greeting. Errors are of kind Unavailable, unless ctx was cancelled.
func (p *Pool) start(ctx context.Context) (*worker, error) {
	w, complaint, err := p.spawn()
	if err != nil {
		return nil, unstarted("cannot start %s: %w", p.c.Command[0], err)
	}
	limited, cancel := sandbox.WithTime(ctx, w.pid, p.c.StartTime, errHangs)
	defer cancel()
	if err = w.greet(limited); err == nil {
		return w, nil
	}
	w.kill()
	<-w.exited
	switch {
	case p.ctx.Err() != nil:
		return nil, errClosed
	case ctx.Err() != nil, fault.Is(err, fault.Unavailable):
		return nil, err
	}
	return nil, unstarted("%s does not start: %w; its standard error begins with %q", p.c.Command[0], err, complaint)
}

// greet reads the engine's description.
func (w *worker) greet(ctx context.Context) error {
	var line []byte
	err := w.guard(ctx, func() (err error) {
		line, err = readLine(w.reader, longestAnswer)
		return err
	})
	if err == nil {
		w.info, err = parseHello(line)
	}
	return err
}

func unstarted(format string, args ...any) error {
	return fault.New(fault.Unavailable, fault.CodeEngineFailed, "recogniser: "+format, args...)
}

// spawn starts the process and the goroutine that reaps it.
func (p *Pool) spawn() (*worker, *complaint, error) {
	childIn, in, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	defer childIn.Close()
	out, childOut, err := os.Pipe()
	if err != nil {
		in.Close()
		return nil, nil, err
	}
	defer childOut.Close()
	ctx, cancel := context.WithCancel(p.ctx)
	w := &worker{in: in, out: out, reader: bufio.NewReaderSize(out, 1<<16), cancel: cancel, exited: make(chan struct{})}
	cmd := sandbox.Command(ctx, p.c.Command[0], p.c.Command[1:]...)
	said := &complaint{}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = childIn, childOut, said
	if err := p.launch(cmd, w); err != nil {
		w.kill()
		return nil, nil, err
	}
	return w, said, nil
}

// launch starts the process unless the pool is closed, and reaps it when it exits. The lock prevents Close from
// waiting for the children while one is being added.
func (p *Pool) launch(cmd *exec.Cmd, w *worker) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ctx.Err() != nil {
		return errClosed
	}
	if err := sandbox.Start(cmd, p.c.Limits); err != nil {
		return err
	}
	w.pid = cmd.Process.Pid
	p.children.Go(func() {
		sandbox.Wait(cmd) // status ignored: whoever reads its answer, maybe still in the pipe, sees the failure
		w.cancel()
		close(w.exited)
	})
	return nil
}

// kill kills the process and closes the pipes, which ends any read or write on them.
func (w *worker) kill() {
	w.cancel()
	w.in.Close()
	w.out.Close()
}

// guard runs an exchange with the child and kills the child if ctx is cancelled first.
func (w *worker) guard(ctx context.Context, exchange func() error) error {
	stop := context.AfterFunc(ctx, w.kill)
	err := exchange()
	if !stop() {
		return context.Cause(ctx)
	}
	return err
}

// recognize sends a request to the child. After an error that the child did not report itself, the child must not be
// used again.
func (w *worker) recognize(ctx context.Context, r asr.Request) (*asr.Recognition, error) {
	w.asked++
	var answered *asr.Recognition
	err := w.guard(ctx, func() error {
		if err := write(w.in, ask(w.asked, r)); err != nil {
			return err
		}
		if err := binary.Write(w.in, binary.LittleEndian, r.PCM.Samples); err != nil {
			return err
		}
		line, err := readLine(w.reader, longestAnswer)
		if err != nil {
			return noEnd(err)
		}
		answered, err = parseAnswer(line, w.asked, r.PCM.Duration())
		return err
	})
	if err != nil {
		return nil, err
	}
	return answered, nil
}

// alive reports whether the process is still running.
func (w *worker) alive() bool {
	select {
	case <-w.exited:
		return false
	default:
		return true
	}
}

// complaint stores the beginning of what a child writes to standard error before its greeting. Later output is
// discarded because it might contain speech of callers.
type complaint struct{ strings.Builder }

// Write stores at most a few lines.
func (c *complaint) Write(p []byte) (int, error) {
	c.Builder.Write(p[:min(len(p), max(500-c.Len(), 0))])
	return len(p), nil
}
