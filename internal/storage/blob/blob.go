// Package blob is the port to byte storage: originals, streams and artifacts under keys.
//
// It knows nothing of what the bytes mean. Implementations: disk and s3, both held to the suite in blobtest.
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

// Store keeps blobs under keys, as CheckKey has them. Errors are faults: NotFound for a missing key, Invalid for
// a bad key or range, Unavailable for everything that may pass (disk full, server away). An error of the reader
// given to Put, and one of the function given to List, comes back wrapped; so does the context's.
type Store interface {
	// Put stores all of r under key and returns its size. When it returns without error the blob is durable;
	// with an error nothing new is visible under the key. An existing blob is replaced at once: readers see
	// the old bytes or the new ones.
	Put(ctx context.Context, key string, r io.Reader) (int64, error)
	// Open returns length bytes from offset; length -1 means to the end. What lies beyond the end is left out,
	// so the result may be shorter, or empty. The caller closes it.
	Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error)
	// Stat describes one blob.
	Stat(ctx context.Context, key string) (Info, error)
	// Delete removes a blob; a missing one is no error.
	Delete(ctx context.Context, key string) error
	// List calls f for each blob whose key starts with prefix, in order of keys, until f fails.
	List(ctx context.Context, prefix string, f func(Info) error) error
}
