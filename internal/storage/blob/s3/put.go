package s3

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/minio/minio-go/v7"

	"parley/internal/storage/blob"
)

// partSize is the part size of a multipart upload in bytes; smaller blobs are sent in a single request.
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
		SendContentMd5:       true, // the server verifies the body; all servers support this, unlike newer checksums
		DisableContentSha256: true, // the body need not be signed in chunks, which some servers cannot read
	})
	if in.failed != nil {
		return 0, fmt.Errorf("store blob: read: %w", in.failed)
	}
	if err != nil {
		return 0, failed(ctx, "store a blob", err)
	}
	return o.Size, nil
}

// Memory returns the memory that a Put needs after reading so many bytes: a part is held until it is sent.
func (s *Store) Memory(read int64) int64 { return min(4*read, partSize) }

// firstPart reads up to partSize bytes and reports whether that was all. The buffer grows with the data.
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

// source records why a reader failed, and hides io.ErrUnexpectedEOF, which a cut connection returns: the S3 client
// would take it for the end of the last part, and store half a recording as a complete one.
type source struct {
	io.Reader
	failed error
}

// Read implements io.Reader.
func (s *source) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err != nil && err != io.EOF {
		s.failed = err
		err = fmt.Errorf("read the content to store: %w", err)
	}
	return n, err
}
