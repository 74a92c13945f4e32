package orphan

import (
	"context"
	"time"

	"parley/internal/storage/blob"
	"parley/internal/words/fault"
)

// Collection is the result of Collect.
type Collection struct {
	Stored  int // blobs of recordings
	Unnamed int // without a row, older than the grace period
	Uploads int // unfinished ones that were aborted
	Repairs
}

// aborter is a blob store in which a process that died can leave unfinished uploads.
type aborter interface {
	// AbortUploads aborts uploads that began before a time, and returns their number.
	AbortUploads(ctx context.Context, before time.Time) (int, error)
}

// Collect deletes the blobs that no row names, and aborts unfinished uploads that are older than the grace period. It
// counts first: if more than a quarter of all blobs have no row, the database and the storage probably do not belong
// together, and it returns Conflict and changes nothing. It needs the memory of one page.
func (s *Scan) Collect(ctx context.Context) (c Collection, err error) {
	if err := s.checkGrace(); err != nil {
		return c, err
	}
	oldest := time.Now().Add(-s.Grace)
	err = s.pages(ctx, func(batch []blob.Info) error {
		c.Stored += len(batch)
		unnamed, err := s.unnamed(ctx, old(batch, oldest))
		c.Unnamed += len(unnamed)
		return err
	})
	if err != nil {
		return c, err
	}
	if 4*c.Unnamed > c.Stored {
		return c, fault.New(fault.Conflict, fault.CodeConflict,
			"%d of %d stored files belong to no recording, which are too many to be deleted without a person; check that the "+
				"database and the storage belong together, then run: parley doctor --repair --many", c.Unnamed, c.Stored)
	}
	if c.Unnamed > 0 {
		err = s.pages(ctx, func(batch []blob.Info) error { return s.delete(ctx, old(batch, oldest), &c.Repairs) })
	}
	if store, ok := s.Blobs.(aborter); ok && err == nil {
		c.Uploads, err = store.AbortUploads(ctx, oldest)
	}
	return c, err
}

// old returns the blobs that are not younger than a time.
func old(batch []blob.Info, oldest time.Time) (all []blob.Info) {
	for _, b := range batch {
		if !b.Modified.After(oldest) {
			all = append(all, b)
		}
	}
	return all
}
