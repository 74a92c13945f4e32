package pocketsphinx

import (
	"context"
	"errors"
	"io"
	"runtime/debug"

	"parley/internal/host/sandbox"
	"parley/internal/speech/asr/line"
)

// MemoryLimit is the limit of a child process in bytes (RLIMIT_DATA); exceeding it indicates a fault. The decoder
// needs 95 MB, long chunks and vocabularies more, and Go reserves 300 MB at start. heapGoal keeps garbage from
// lattices well below the limit.
const (
	MemoryLimit = 2 << 30
	heapGoal    = 512 << 20
)

// Access is what a child process may use: espeak-ng for the pronunciation of new vocabulary words, and temporary
// files to pass these to the decoder.
var Access = sandbox.Access{Start: []string{"espeak-ng"}, Scratch: true}

// Main runs the child process: it serves the line protocol on in and out until in ends. If the engine cannot work,
// Main tells the parent why and returns the same error.
func Main(ctx context.Context, in io.Reader, out io.Writer, c Config) error {
	debug.SetMemoryLimit(heapGoal)
	recognizer, err := New(c)
	if err != nil {
		return errors.Join(err, line.Refuse(out, err))
	}
	defer recognizer.Close()
	return line.Serve(ctx, in, out, Describe(), recognizer)
}
