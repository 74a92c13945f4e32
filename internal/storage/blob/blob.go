// Package blob defines the interface to byte storage: originals, streams and artifacts under keys.
//
// It does not interpret the bytes. Implementations: disk and s3, both tested with the suite in blobtest.
package blob

import (
	"context"
	"io"
	"time"
)

// Info describes a stored blob.
type Info struct {
	Key      string
	Size     int64
	Modified time.Time
}

// Store stores blobs under keys that CheckKey accepts. Errors are faults: NotFound for a missing key, Invalid for a bad
// key or range, Unavailable for everything that may be temporary (disk full, server down). Errors of the reader passed
// to Put, of the function passed to List, and of the context come back wrapped.
type Store interface {
	// Put stores all of r under key and returns its size. When it returns without error, the blob is durable; after an
	// error, nothing new is visible under the key. Put replaces an existing blob atomically: readers see the old bytes
	// or the new ones.
	Put(ctx context.Context, key string, r io.Reader) (int64, error)
	// Open returns length bytes from offset; length -1 means to the end. The range is clamped to the end of the blob,
	// so the result may be shorter, or empty. The caller closes it.
	Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error)
	// Stat describes one blob.
	Stat(ctx context.Context, key string) (Info, error)
	// Delete removes a blob; a missing blob is not an error.
	Delete(ctx context.Context, key string) error
	// List calls f for each blob whose key starts with prefix, in key order, until f fails.
	List(ctx context.Context, prefix string, f func(Info) error) error
}
