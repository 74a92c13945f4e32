package s3

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/minio/minio-go/v7"

	"parley/internal/storage/blob"
)

// partSize is the size of the parts of an upload; what fits into one goes in a single request.
const partSize = 8 << 20

// Put implements blob.Store.
func (s *Store) Put(ctx context.Context, key string, r io.Reader) (int64, error) {
	if err := blob.CheckKey(key); err != nil {
		return 0, err
	}
	in := &source{Reader: r}
	head, all, err := firstPart(in)
	if err != nil {
		return 0, fmt.Errorf("store blob: read: %w", err)
	}
	size, from := int64(len(head)), io.Reader(bytes.NewReader(head))
	if !all {
		size, from = -1, io.MultiReader(from, in)
	}
	o, err := s.client.Client.PutObject(ctx, s.bucket, s.prefix+key, from, size, minio.PutObjectOptions{
		PartSize:             partSize,
		SendContentMd5:       true, // the server checks what it got; every one can, unlike newer checksums
		DisableContentSha256: true, // so the body need not be signed in chunks, which some servers do not read
	})
	if in.failed != nil {
		return 0, fmt.Errorf("store blob: read: %w", in.failed)
	}
	if err != nil {
		return 0, failed(ctx, "store a blob", err)
	}
	return o.Size, nil
}

// Memory is how much memory a Put needs of which so many bytes have been read: a part is held until it is sent.
func (s *Store) Memory(read int64) int64 { return min(4*read, partSize) }

// firstPart reads up to partSize bytes, and reports whether that was all. The buffer grows with what comes.
func firstPart(in io.Reader) (head []byte, all bool, err error) {
	head = make([]byte, 0, 64<<10)
	for len(head) < partSize {
		if len(head) == cap(head) {
			head = append(make([]byte, 0, min(4*cap(head), partSize)), head...)
		}
		n, err := in.Read(head[len(head):cap(head)])
		head = head[:len(head)+n]
		if err == io.EOF {
			return head, true, nil
		}
		if err != nil {
			return nil, false, err
		}
	}
	return head, false, nil
}

// source remembers why a reader failed, and hides an io.ErrUnexpectedEOF, as a cut connection gives, which the
// client would take for the end of the last part: half a recording would be stored as a whole one.
type source struct {
	io.Reader
	failed error
}

// Read implements io.Reader.
func (s *source) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err != nil && err != io.EOF {
		s.failed = err
		err = fmt.Errorf("read what is to be stored: %w", err)
	}
	return n, err
}
