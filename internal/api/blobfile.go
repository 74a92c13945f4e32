package api

import (
	"context"
	"errors"
	"io"

	"parley/internal/blob"
)

// blobFile reads a blob as a file with seeking, which is what http.ServeContent wants for ranges. Bytes
// are fetched from the store as they are read, from the place last sought.
type blobFile struct {
	ctx    context.Context
	blobs  blob.Store
	key    string
	size   int64
	at     int64
	stream io.ReadCloser // open at at, nil until the first read after a seek
}

func (f *blobFile) Read(p []byte) (int, error) {
	if f.at >= f.size {
		return 0, io.EOF
	}
	if f.stream == nil {
		stream, err := f.blobs.Open(f.ctx, f.key, f.at, -1)
		if err != nil {
			return 0, err
		}
		f.stream = stream
	}
	n, err := f.stream.Read(p)
	f.at += int64(n)
	return n, err
}

func (f *blobFile) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += f.at
	case io.SeekEnd:
		offset += f.size
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

// Close ends a read under way; the file can still be sought and read again.
func (f *blobFile) Close() error {
	if f.stream == nil {
		return nil
	}
	stream := f.stream
	f.stream = nil
	return stream.Close()
}
