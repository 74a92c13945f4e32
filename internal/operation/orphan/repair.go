package orphan

import (
	"context"
	"slices"
	"time"

	"parley/internal/storage/blob"
	"parley/internal/storage/store"
	"parley/internal/words/fault"
)

// Repairs counts what was repaired.
type Repairs struct {
	Blobs int
	Bytes int64
	Rows  int
}

// Repair deletes the blobs that no row names, and removes the streams whose bytes are gone from their items, with a
// warning. It checks everything again first.
func (s *Scan) Repair(ctx context.Context, f *Findings) (done Repairs, err error) {
	for batch := range slices.Chunk(f.Blobs, page) {
		if err := s.delete(ctx, batch, &done); err != nil {
			return done, err
		}
	}
	for _, row := range f.Rows {
		if _, err := s.Blobs.Stat(ctx, row.Blob); !fault.Is(err, fault.NotFound) {
			if err != nil {
				return done, err
			}
			continue // the blob is back
		}
		dropped, err := s.drop(ctx, row)
		if err != nil {
			return done, err
		}
		if dropped {
			done.Rows++
		}
	}
	return done, nil
}

// delete deletes blobs that still exist, are unchanged, and still have no row.
func (s *Scan) delete(ctx context.Context, batch []blob.Info, done *Repairs) error {
	oldest := time.Now().Add(-s.Grace)
	unnamed, err := s.unnamed(ctx, batch)
	if err != nil {
		return err
	}
	for _, b := range unnamed {
		now, err := s.Blobs.Stat(ctx, b.Key)
		if fault.Is(err, fault.NotFound) || err == nil && now.Modified.After(oldest) {
			continue
		}
		if err == nil {
			err = s.Blobs.Delete(ctx, b.Key)
		}
		if err != nil {
			return err
		}
		done.Blobs++
		done.Bytes += b.Size
	}
	return nil
}

// drop removes a stream from its item, unless the row has changed.
func (s *Scan) drop(ctx context.Context, row store.StreamRow) (dropped bool, err error) {
	err = s.Store.Update(ctx, func(tx *store.Tx) error {
		dropped, err = tx.LoseStream(row)
		return err
	})
	return dropped, err
}
