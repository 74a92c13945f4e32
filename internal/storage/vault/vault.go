// Package vault stores the streams of recordings in a blob store, each under its own key, so that the stored bytes
// cannot be read without the row that holds the key, and are unreadable for ever once the key is deleted.
//
// It does not store the keys (package store does, with the rest of the row) and does not interpret streams. Deleting,
// listing and copying need no keys: use the blob store directly.
package vault

import (
	"context"
	"io"

	"parley/internal/storage/blob"
	"parley/internal/words/cipher"
	"parley/internal/words/media"
)

// Vault stores encrypted streams in a blob store.
type Vault struct{ Blobs blob.Store }

// Put encrypts content under a new key, stores it under a blob key, and returns the key and the size of the content.
// The stored blob is larger, by 32 bytes per 65536. Errors are those of blob.Store; an error of content comes back
// wrapped.
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

// Memory returns the memory that the store needs for a Put after reading so many bytes, in addition to buffers of
// constant size.
func (v Vault) Memory(read int64) int64 {
	if m, ok := v.Blobs.(interface{ Memory(read int64) int64 }); ok {
		return m.Memory(read)
	}
	return 0
}

// Open returns length bytes from offset of a stream, which may be unencrypted; length -1 means to the end. The range is
// clamped to the end. The caller closes it. Errors are those of blob.Store; reading fails with a fault of kind Internal
// if the stored bytes are corrupt.
func (v Vault) Open(ctx context.Context, s media.Stream, offset, length int64) (io.ReadCloser, error) {
	return s.Key.Open(func(offset, length int64) (io.ReadCloser, error) {
		return v.Blobs.Open(ctx, s.Blob, offset, length)
	}, s.Size, offset, length)
}
