// Package vault keeps the streams of recordings in a blob store, each under a key of its own, so that what lies in the
// store is unreadable without the row that has the key, and for ever once that is gone.
//
// It does not keep the keys (package store does, with the rest of the row), and knows nothing of what is done with the
// streams. Deleting, listing and copying need no keys: that is done on the blob store itself.
package vault

import (
	"context"
	"io"

	"parley/internal/storage/blob"
	"parley/internal/words/cipher"
	"parley/internal/words/media"
)

// Vault is a blob store as streams are kept in it.
type Vault struct{ Blobs blob.Store }

// Put stores content under a blob key, under a new key of its own, and returns that key and the bytes of the content.
// The stored blob is larger, by 32 bytes in 65536. Errors are those of blob.Store; one of content comes back wrapped.
func (v Vault) Put(ctx context.Context, blobKey string, content io.Reader) (key cipher.Key, size int64, err error) {
	key = cipher.NewKey()
	covered, err := key.Encrypt(content)
	if err != nil {
		return "", 0, err
	}
	stored, err := v.Blobs.Put(ctx, blobKey, covered)
	if err != nil {
		return "", 0, err
	}
	size, err = key.Plain(stored)
	return key, size, err
}

// Memory is how much memory the store needs for a Put of which so many bytes have been read, beside buffers that do not
// grow.
func (v Vault) Memory(read int64) int64 {
	if m, ok := v.Blobs.(interface{ Memory(read int64) int64 }); ok {
		return m.Memory(read)
	}
	return 0
}

// Open returns length bytes from offset of a stream, which may be one without a key; length -1 means to the end. What
// lies beyond the end is left out. The caller closes it. Errors are those of blob.Store; reading fails with a fault of
// kind Internal when the bytes are not those that were stored.
func (v Vault) Open(ctx context.Context, s media.Stream, offset, length int64) (io.ReadCloser, error) {
	return s.Key.Open(func(offset, length int64) (io.ReadCloser, error) {
		return v.Blobs.Open(ctx, s.Blob, offset, length)
	}, s.Size, offset, length)
}
