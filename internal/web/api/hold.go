package api

import (
	"bytes"
	"context"
	"io"
	"os"
	"sync"
	"time"

	"parley/internal/speech/importer"
	"parley/internal/storage/vault"
)

// Sizes of the pieces in which a body is read into memory: the first one is enough for most.
const (
	firstPiece = 8 << 10
	piece      = 64 << 10
)

// freePace is how much of a body that is held in memory may arrive as slowly as any upload. Each further part of this
// size has to arrive within Config.UploadTime, so that slow clients do not hold much for long.
const freePace = 1 << 20

// pieces are used again, so that large bodies leave little for the garbage collector.
var pieces = sync.Pool{New: func() any { return new([piece]byte) }}

// hold returns the memory of the request that a context belongs to.
func hold(ctx context.Context) *holding { return visitOf(ctx).hold }

// readHeld reads a body or a part of one into memory, which counts for the request. It reads at most limit bytes and
// one more, by which the caller sees that the body is too large. patience is Config.UploadTime.
func readHeld(h *holding, body io.Reader, limit int64, patience time.Duration) (content []byte, err error) {
	if err := h.read(true); err != nil {
		return nil, err
	}
	defer func() {
		if evicted := h.read(false); evicted != nil { // which is why reading failed
			content, err = nil, evicted
		}
	}()
	body = io.LimitReader(body, limit+1)
	if err := h.take(firstPiece); err != nil {
		return nil, err
	}
	first := make([]byte, firstPiece)
	n, err := fill(body, first)
	if err == io.EOF {
		return first[:n], nil
	}
	if err != nil {
		return nil, err
	}
	defer h.give(firstPiece)
	return readPieces(h, body, first, patience)
}

// readPieces reads what follows the first bytes of a body, and puts all together.
func readPieces(h *holding, body io.Reader, first []byte, patience time.Duration) ([]byte, error) {
	var read []*[piece]byte
	defer func() {
		for _, p := range read {
			pieces.Put(p)
		}
		h.give(int64(len(read)) * piece)
	}()
	size, began := len(first), time.Now()
	for {
		if err := h.take(piece); err != nil {
			return nil, err
		}
		next := pieces.Get().(*[piece]byte)
		read = append(read, next)
		n, err := fill(body, next[:])
		size += n
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		switch {
		case size/freePace != (size-n)/freePace:
			began = time.Now()
		case size > freePace && time.Since(began) > patience:
			return nil, os.ErrDeadlineExceeded
		}
	}
	if err := h.take(int64(size)); err != nil {
		return nil, err
	}
	whole := append(make([]byte, 0, size), first...)
	for _, p := range read {
		whole = append(whole, p[:min(piece, size-len(whole))]...)
	}
	return whole, nil
}

// fill reads until p is full. At the end it returns io.EOF, with what there was before; io.ErrUnexpectedEOF is a body
// that was cut off.
func fill(r io.Reader, p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		var got int
		got, err = r.Read(p[n:])
		n += got
	}
	if n == len(p) && err == io.EOF {
		err = nil // comes again
	}
	return n, err
}

// Memory that reading a document takes, measured: for each byte, since it is copied, and for each value of its tree, of
// which no document has more than mostValues.
const (
	documentByte  = 2
	documentValue = 180
	mostValues    = 200_000
)

// documentMemory is how much memory a JSON document takes at most while it is read, beside its text.
func documentMemory(text []byte) int64 {
	values := 1
	for _, mark := range []string{",", ":", "[", "{"} {
		values += bytes.Count(text, []byte(mark))
	}
	return documentByte*int64(len(text)) + documentValue*int64(min(values, mostValues))
}

// need is how much memory it takes at most to read the parts of a submission, beside the parts themselves.
func (sub submission) need() int64 {
	return documentMemory(sub.Configuration) + documentMemory(sub.Metadata) + importer.Memory(sub.Transcript)
}

// fileMemory is what an upload of a file holds while it is stored: buffers for reading, encrypting and writing.
const fileMemory = 192 << 10

// fileNeeds returns the function that counts what storing a file takes, of which so many bytes have been read.
func fileNeeds(h *holding, to vault.Vault) func(read int64) error {
	counted := int64(0)
	return func(read int64) error {
		needed := fileMemory + to.Memory(read)
		if needed <= counted {
			return nil
		}
		err := h.take(needed - counted)
		counted = max(counted, needed)
		return err
	}
}
