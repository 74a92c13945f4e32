// Package s3 stores blobs in a bucket of Amazon S3 or of a compatible server.
//
// An object becomes visible only when it is complete: it is stored with one request or, beyond 8 MiB, with a multipart
// upload, which is aborted if it fails. (Uploads started by a process that died stay invisible but are billed:
// AbortUploads ends them.) A Put holds at most two parts of 8 MiB in memory, whatever
// the blob's size, and sends at most 10,000 parts (78 GiB).
//
// The package does not create buckets and does not use versions, tags or server-side encryption settings: configure
// those on the bucket.
package s3

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/minio/minio-go/v7"

	"parley/internal/storage/blob"
	"parley/internal/words/fault"
)

// Store is a blob.Store in a bucket.
type Store struct {
	client minio.Core
	bucket string
	prefix string // "" or ending in a slash
}

// Check returns a fault of kind Unavailable if the bucket cannot be reached.
func (s *Store) Check(ctx context.Context) error {
	there, err := s.client.BucketExists(ctx, s.bucket)
	if err != nil {
		return failed(ctx, "reach the bucket "+s.bucket, err)
	}
	if !there {
		return fault.New(fault.Unavailable, fault.CodeUnavailable,
			"bucket %s not found; create it, or correct its name in the address of the blob store", s.bucket)
	}
	return nil
}

// Open implements blob.Store. The connection is held until the reader is closed.
func (s *Store) Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	if err := errors.Join(blob.CheckKey(key), blob.CheckRange(offset, length)); err != nil {
		return nil, err
	}
	if length == 0 {
		return s.nothing(ctx, key)
	}
	var options minio.GetObjectOptions
	if header := byteRange(offset, length); header != "" {
		options.Set("Range", header)
	}
	r, _, _, err := s.client.GetObject(ctx, s.bucket, s.prefix+key, options)
	if minio.ToErrorResponse(err).Code == minio.InvalidRange {
		return s.nothing(ctx, key)
	}
	if err != nil {
		return nil, failed(ctx, "read blob "+key, err)
	}
	return &body{ReadCloser: r, ctx: ctx, key: key}, nil
}

// byteRange returns a Range header value (RFC 9110, section 14.2); empty for the whole object.
func byteRange(offset, length int64) string {
	switch {
	case length > 0:
		return fmt.Sprintf("bytes=%d-%d", offset, offset+length-1)
	case offset > 0:
		return fmt.Sprintf("bytes=%d-", offset)
	}
	return ""
}

// nothing returns an empty reader if the blob exists.
func (s *Store) nothing(ctx context.Context, key string) (io.ReadCloser, error) {
	if _, err := s.Stat(ctx, key); err != nil {
		return nil, err
	}
	return http.NoBody, nil
}

// body is a response body whose errors are converted to faults.
type body struct {
	io.ReadCloser
	ctx context.Context
	key string
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		err = failed(b.ctx, "read blob "+b.key, err)
	}
	return n, err
}

// Stat implements blob.Store.
func (s *Store) Stat(ctx context.Context, key string) (blob.Info, error) {
	if err := blob.CheckKey(key); err != nil {
		return blob.Info{}, err
	}
	o, err := s.client.StatObject(ctx, s.bucket, s.prefix+key, minio.StatObjectOptions{})
	if err != nil {
		return blob.Info{}, failed(ctx, "describe blob "+key, err)
	}
	return blob.Info{Key: key, Size: o.Size, Modified: o.LastModified}, nil
}

// Delete implements blob.Store.
func (s *Store) Delete(ctx context.Context, key string) error {
	if err := blob.CheckKey(key); err != nil {
		return err
	}
	err := s.client.RemoveObject(ctx, s.bucket, s.prefix+key, minio.RemoveObjectOptions{})
	if err = failed(ctx, "delete blob "+key, err); fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}

// List implements blob.Store. Keys come in pages of 1,000.
func (s *Store) List(ctx context.Context, prefix string, f func(blob.Info) error) error {
	options := minio.ListObjectsOptions{Prefix: s.prefix + prefix, Recursive: true}
	for o := range s.client.ListObjectsIter(ctx, s.bucket, options) {
		if o.Err != nil {
			return failed(ctx, "list blobs", o.Err)
		}
		if err := f(blob.Info{Key: o.Key[len(s.prefix):], Size: o.Size, Modified: o.LastModified}); err != nil {
			return err
		}
	}
	return failed(ctx, "list blobs", context.Cause(ctx))
}

// AbortUploads aborts multipart uploads that began before a time and were not completed, and returns their number.
func (s *Store) AbortUploads(ctx context.Context, before time.Time) (n int, err error) {
	for key, id := "", ""; ; {
		list, err := s.client.ListMultipartUploads(ctx, s.bucket, s.prefix, key, id, "", 1000)
		if err != nil {
			return n, failed(ctx, "list unfinished uploads", err)
		}
		for _, u := range list.Uploads {
			if !u.Initiated.Before(before) {
				continue
			}
			if err := s.client.AbortMultipartUpload(ctx, s.bucket, u.Key, u.UploadID); err != nil {
				return n, failed(ctx, "abort an unfinished upload", err)
			}
			n++
		}
		if !list.IsTruncated {
			return n, nil
		}
		key, id = list.NextKeyMarker, list.NextUploadIDMarker
	}
}

// failed converts the error of a request to a fault: the context's error is returned unchanged, a missing object is
// NotFound, and all other errors may be temporary: network, service, credentials, a bucket that does not exist yet.
func failed(ctx context.Context, what string, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", what, context.Cause(ctx))
	case minio.ToErrorResponse(err).Code == minio.NoSuchKey:
		return fault.New(fault.NotFound, fault.CodeNotFound, "cannot %s: not found", what)
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err // without the address
	}
	if o, ok := errors.AsType[*net.OpError](err); ok {
		err = o.Err // without addresses of this side
	}
	return fault.New(fault.Unavailable, fault.CodeUnavailable, "cannot %s: %w", what, err)
}
