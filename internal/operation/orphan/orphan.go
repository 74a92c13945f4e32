// Package orphan finds what crashes and lost storage leave behind: blobs that no row names, and rows whose blob is
// gone. It mends what it found, while the server runs.
//
// An upload stores its bytes first and commits the row that names them at most pipeline.Settle later. So a blob that
// is older than a grace of more than that, and that no row names, has lost its writer: no row will ever name it. A row
// whose blob cannot be found was committed after its blob was durable: the storage has lost it. Nothing else is
// touched.
//
// The package does not look into blobs, and does not delete what deletions under way will delete anyway (package
// pipeline).
package orphan

import (
	"context"
	"hash/maphash"
	"slices"
	"strings"
	"time"

	"parley/internal/flow/pipeline"
	"parley/internal/storage/blob"
	"parley/internal/storage/store"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// Times for which blobs without rows are left alone.
const (
	Grace = 24 * time.Hour
	Least = 2 * pipeline.Settle
)

// page is how many blobs or rows are looked at in one transaction.
const page = 1000

// Scan compares a blob store with the rows of a database. It holds 8 bytes a blob in memory, and what it finds.
type Scan struct {
	Store *store.Store
	Blobs blob.Store
	Grace time.Duration // for blobs without rows; not below Least
}

// Found is what a scan has found.
type Found struct {
	Stored  int               // blobs of recordings that there are
	Streams int               // rows that there are
	Blobs   []blob.Info       // that no row names, older than the grace
	Young   int               // that no row names, younger: uploads under way, perhaps
	Foreign int               // under other keys than ours; left alone
	Rows    []store.StreamRow // whose blob is gone
}

// Bytes is the size of all blobs that no row names.
func (f *Found) Bytes() (sum int64) {
	for _, b := range f.Blobs {
		sum += b.Size
	}
	return sum
}

// Many reports whether more than a tenth of all blobs or rows would go. Then the database and the storage
// probably do not belong together, and mending would destroy what is missed.
func (f *Found) Many() bool { return 10*len(f.Blobs) > f.Stored || 10*len(f.Rows) > f.Streams }

// Find looks at all blobs and all rows, and changes nothing. Invalid when the grace is too short.
func (s *Scan) Find(ctx context.Context) (*Found, error) {
	if s.Grace < Least {
		return nil, fault.New(fault.Invalid, fault.CodeParameter,
			"a grace of %s: uploads under way take up to %s; give at least that", s.Grace, Least)
	}
	found := &Found{}
	there, err := s.blobs(ctx, found)
	if err != nil {
		return nil, err
	}
	return found, s.rows(ctx, found, there)
}

// presence tells whether a key was listed, from 8 bytes of each: wrongly yes for one key in 10¹² at ten million blobs.
type presence struct {
	seed   maphash.Seed
	hashes []uint64
}

func (p *presence) has(key string) bool {
	_, is := slices.BinarySearch(p.hashes, maphash.String(p.seed, key))
	return is
}

// blobs notes those that no row names, and returns which there are.
func (s *Scan) blobs(ctx context.Context, found *Found) (*presence, error) {
	there := &presence{seed: maphash.MakeSeed()}
	oldest := time.Now().Add(-s.Grace)
	var batch []blob.Info
	err := s.Blobs.List(ctx, "", func(b blob.Info) error {
		there.hashes = append(there.hashes, maphash.String(there.seed, b.Key))
		if !ours(b.Key) {
			found.Foreign++
			return nil
		}
		found.Stored++
		if batch = append(batch, b); len(batch) < page {
			return nil
		}
		err := s.judge(ctx, found, batch, oldest)
		batch = batch[:0]
		return err
	})
	if err == nil {
		err = s.judge(ctx, found, batch, oldest)
	}
	slices.Sort(there.hashes)
	return there, err
}

// ours reports whether a key is that of a stream.
func ours(key string) bool {
	family, _, nested := strings.Cut(key, "/")
	return nested && slices.Contains(media.StreamNames, family)
}

// judge notes those of some listed blobs that nobody will ever name.
func (s *Scan) judge(ctx context.Context, found *Found, batch []blob.Info, oldest time.Time) error {
	unnamed, err := s.unnamed(ctx, batch)
	for _, b := range unnamed {
		if b.Modified.After(oldest) {
			found.Young++
		} else {
			found.Blobs = append(found.Blobs, b)
		}
	}
	return err
}

// unnamed returns those of some blobs that no row names and no deletion under way is about to delete.
func (s *Scan) unnamed(ctx context.Context, batch []blob.Info) (unnamed []blob.Info, err error) {
	keys := make([]string, len(batch))
	for i, b := range batch {
		keys[i] = b.Key
	}
	var named map[string]bool
	err = s.Store.View(ctx, func(tx *store.Tx) error {
		named, err = tx.NamedBlobs(keys)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, b := range batch {
		if !named[b.Key] {
			unnamed = append(unnamed, b)
		}
	}
	if len(unnamed) == 0 {
		return nil, nil
	}
	// after the rows: what is no row any more is such a job by now, or gone
	going, err := pipeline.Purging(ctx, s.Store)
	return slices.DeleteFunc(unnamed, func(b blob.Info) bool { return going[b.Key] }), err
}

// rows notes those whose blob was not listed and is not there now either.
func (s *Scan) rows(ctx context.Context, found *Found, there *presence) error {
	var last store.StreamRow
	for {
		var rows []store.StreamRow
		err := s.Store.View(ctx, func(tx *store.Tx) (err error) {
			rows, err = tx.StreamsAfter(last.Media, last.Name, page)
			return err
		})
		if err != nil {
			return err
		}
		for _, row := range rows {
			lost, err := s.lost(ctx, row, there)
			if err != nil {
				return err
			}
			if lost {
				found.Rows = append(found.Rows, row)
			}
			found.Streams++
			last = row
		}
		if len(rows) < page {
			return nil
		}
	}
}

// lost reports whether the blob of a row is gone while the row still names it.
func (s *Scan) lost(ctx context.Context, row store.StreamRow, there *presence) (bool, error) {
	if there.has(row.Blob) {
		return false, nil
	}
	if _, err := s.Blobs.Stat(ctx, row.Blob); !fault.Is(err, fault.NotFound) {
		return false, err
	}
	var named map[string]bool
	err := s.Store.View(ctx, func(tx *store.Tx) (err error) {
		named, err = tx.NamedBlobs([]string{row.Blob})
		return err
	})
	return named[row.Blob], err
}
