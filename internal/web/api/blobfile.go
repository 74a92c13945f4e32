package api

import (
	"context"
	"errors"
	"io"

	"parley/internal/storage/vault"
	"parley/internal/words/media"
)

// blobFile adapts a stream to io.ReadSeeker, which http.ServeContent needs for range requests. It fetches bytes from
// the store as they are read, starting at the last seek position.
type blobFile struct {
	ctx    context.Context
	vault  vault.Vault
	stream media.Stream
	at     int64
	open   io.ReadCloser // positioned at at; nil until the first read after a seek
	failed error         // why reading failed; nil if it did not
}

func (f *blobFile) Read(p []byte) (int, error) {
	if f.at >= f.stream.Size {
		return 0, io.EOF
	}
	n, err := f.read(p)
	f.at += int64(n)
	if err != nil && err != io.EOF {
		f.failed = err
	}
	return n, err
}

func (f *blobFile) read(p []byte) (n int, err error) {
	if f.open == nil {
		if f.open, err = f.vault.Open(f.ctx, f.stream, f.at, -1); err != nil {
			f.open = nil
			return 0, err
		}
	}
	return f.open.Read(p)
}

func (f *blobFile) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += f.at
	case io.SeekEnd:
		offset += f.stream.Size
	}
	if offset < 0 {
		return 0, errors.New("seek before the start")
	}
	if offset != f.at {
		f.Close()
	}
	f.at = offset
	return offset, nil
}

// Close ends the current read; the file can still be read and sought afterwards.
func (f *blobFile) Close() error {
	if f.open == nil {
		return nil
	}
	open := f.open
	f.open = nil
	return open.Close()
}
