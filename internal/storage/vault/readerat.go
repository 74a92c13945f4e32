package vault

import (
	"context"
	"errors"
	"io"

	"parley/internal/words/media"
)

// ReaderAt returns a stream for reading at any position. It keeps the block that it last read, so that small reads near
// each other cost one request to the store. It is not safe for concurrent use.
func (v Vault) ReaderAt(ctx context.Context, s media.Stream) io.ReaderAt {
	return &readerAt{ctx: ctx, vault: v, stream: s, at: -1}
}

// blockSize is the number of bytes that are read at least: those of one encrypted package.
const blockSize = 64 << 10

type readerAt struct {
	ctx    context.Context
	vault  Vault
	stream media.Stream
	at     int64 // of block; -1: none
	block  []byte
}

// ReadAt implements io.ReaderAt.
func (r *readerAt) ReadAt(p []byte, off int64) (n int, err error) {
	if len(p) >= blockSize {
		return r.read(p, off)
	}
	for n < len(p) {
		if off >= r.stream.Size {
			return n, io.EOF
		}
		if err := r.load(off / blockSize * blockSize); err != nil {
			return n, err
		}
		m := copy(p[n:], r.block[min(off-r.at, int64(len(r.block))):])
		if m == 0 {
			return n, io.ErrUnexpectedEOF // the stored bytes are fewer than the row says
		}
		n, off = n+m, off+int64(m)
	}
	return n, nil
}

func (r *readerAt) load(at int64) error {
	if r.at == at {
		return nil
	}
	r.at = -1
	if r.block == nil {
		r.block = make([]byte, blockSize)
	}
	n, err := r.read(r.block[:blockSize], at)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	r.at, r.block = at, r.block[:n]
	return nil
}

// read is ReadAt without the block.
func (r *readerAt) read(p []byte, off int64) (int, error) {
	content, err := r.vault.Open(r.ctx, r.stream, off, int64(len(p)))
	if err != nil {
		return 0, err
	}
	defer content.Close()
	n, err := io.ReadFull(content, p)
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return n, err
}
