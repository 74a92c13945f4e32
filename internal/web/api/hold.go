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

// Sizes of the chunks in which a body is read into memory: the first chunk is large enough for most bodies.
const (
	firstPiece = 8 << 10
	piece      = 64 << 10
)

// freePace is how many bytes of a body held in memory may arrive at the pace of any upload. Each further part of this
// size has to arrive within Config.UploadTime, so that slow clients do not hold much memory for long.
const freePace = 1 << 20

// pieces reuses chunks, so that large bodies leave little garbage.
var pieces = sync.Pool{New: func() any { return new([piece]byte) }}

// hold returns the memory holding of the request that a context belongs to.
func hold(ctx context.Context) *holding { return visitOf(ctx).hold }

// readHeld reads a body or a part of one into memory that counts towards the request. It reads at most limit+1 bytes;
// the extra byte shows the caller that the body is too large. patience is Config.UploadTime.
func readHeld(h *holding, body io.Reader, limit int64, patience time.Duration) (content []byte, err error) {
	if err := h.read(true); err != nil {
		return nil, err
	}
	defer func() {
		if evicted := h.read(false); evicted != nil { // the cause of the read error
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

// readPieces reads the rest of a body after its first bytes, and joins everything.
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

// fill reads until p is full. At the end of the body it returns io.EOF with the bytes read so far; io.ErrUnexpectedEOF
// means that the body was cut off.
func fill(r io.Reader, p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		var got int
		got, err = r.Read(p[n:])
		n += got
	}
	if n == len(p) && err == io.EOF {
		err = nil // the next read returns it again
	}
	return n, err
}

// Memory needed to parse a document, measured: per byte, since the text is copied, and per value of its tree, which has
// at most mostValues values.
const (
	documentByte  = 2
	documentValue = 180
	mostValues    = 200_000
)

// documentMemory is an upper bound of the memory needed to parse a JSON document, in addition to its text.
func documentMemory(text []byte) int64 {
	values := 1
	for _, mark := range []string{",", ":", "[", "{"} {
		values += bytes.Count(text, []byte(mark))
	}
	return documentByte*int64(len(text)) + documentValue*int64(min(values, mostValues))
}

// need is an upper bound of the memory needed to parse the parts of a submission, in addition to the parts themselves.
func (sub submission) need() int64 {
	return documentMemory(sub.Configuration) + documentMemory(sub.Metadata) + importer.Memory(sub.Transcript)
}

// fileMemory is the memory that a file upload holds while it is stored: buffers for reading, encrypting and writing.
const fileMemory = 192 << 10

// fileNeeds returns a function that accounts for the memory that storing a file needs, given the number of bytes read.
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
