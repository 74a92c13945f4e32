package pocketsphinx

import (
	"context"
	"errors"
	"io"
	"runtime/debug"

	"parley/internal/host/sandbox"
	"parley/internal/speech/asr/line"
)

// MemoryLimit is what a child process may set aside: more is a mistake. The decoder takes 95 MB, long chunks and
// vocabularies more, and Go sets 300 MB aside at its start. heapGoal keeps what lattices leave behind from coming near
// it.
const (
	MemoryLimit = 2 << 30
	heapGoal    = 512 << 20
)

// Access is what a child process may reach: espeak-ng says how new words of vocabularies are pronounced, which go to
// the decoder by way of files.
var Access = sandbox.Access{Start: []string{"espeak-ng"}, Scratch: true}

// Main is the child process: it serves the line protocol on in and out until in ends. Where the engine
// cannot work, it tells the parent why and returns the same error.
func Main(ctx context.Context, in io.Reader, out io.Writer, c Config) error {
	debug.SetMemoryLimit(heapGoal)
	recognizer, err := New(c)
	if err != nil {
		return errors.Join(err, line.Refuse(out, err))
	}
	defer recognizer.Close()
	info, err := Check(c)
	if err != nil {
		return errors.Join(err, line.Refuse(out, err))
	}
	return line.Serve(ctx, in, out, info, recognizer)
}
