package pocketsphinx

import (
	"context"
	"errors"
	"io"

	"parley/internal/asr/line"
)

// MemoryLimit is what a child process may use: the decoder takes 95 MB, long chunks and vocabularies more.
const MemoryLimit = 768 << 20

// Main is the child process: it serves the line protocol on in and out until in ends. Where the engine
// cannot work, it tells the parent why and returns the same error.
func Main(ctx context.Context, in io.Reader, out io.Writer, c Config) error {
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
