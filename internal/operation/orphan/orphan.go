// Package orphan finds the remains of crashes and lost storage: blobs that no row names, and rows whose blob is gone.
// It can repair them while the server runs.
//
// An upload first stores its bytes, and commits the row that names them at most pipeline.Settle later. So if no row
// names a blob that is older than a grace period longer than that, its writer has died: no row will ever name it. A row
// is committed only after its blob is durable, so if its blob cannot be found, the storage has lost it. Nothing else is
// changed.
//
// The package does not read the content of blobs, and does not delete what pending deletions will delete anyway
// (package pipeline).
package orphan

import (
	"context"
	"hash/maphash"
	"slices"
	"strings"
	"time"

	"parley/internal/flow/pipeline"
	"parley/internal/index/callindex"
	"parley/internal/storage/blob"
	"parley/internal/storage/store"
	"parley/internal/words/fault"
	"parley/internal/words/list"
	"parley/internal/words/media"
)

// Grace periods during which blobs without rows are left alone.
const (
	Grace = 24 * time.Hour
	Least = 2 * pipeline.Settle
)

// page is how many blobs or rows are examined in one transaction.
const page = 1000

// Scan compares a blob store with the rows of a database. It needs 8 bytes of memory per blob, plus its findings.
type Scan struct {
	Store *store.Store
	Blobs blob.Store
	Grace time.Duration // for blobs without rows; not below Least
}

// Findings is the result of a scan.
type Findings struct {
	Stored  int               // blobs of recordings
	Streams int               // rows of streams
	Blobs   []blob.Info       // without a row, older than the grace period
	Young   int               // without a row, younger: possibly uploads in progress
	Foreign int               // under keys of another format; left alone
	Rows    []store.StreamRow // whose blob is gone
}

// Bytes is the total size of the blobs that no row names.
func (f *Findings) Bytes() (sum int64) {
	for _, b := range f.Blobs {
		sum += b.Size
	}
	return sum
}

// Many reports whether more than a tenth of all blobs or rows would be removed. Then the database and the storage
// probably do not belong together, and a repair would destroy what seems to be missing.
func (f *Findings) Many() bool { return 10*len(f.Blobs) > f.Stored || 10*len(f.Rows) > f.Streams }

// Find examines all blobs and all rows, and changes nothing. It returns Invalid if the grace period is too short.
func (s *Scan) Find(ctx context.Context) (*Findings, error) {
	if err := s.checkGrace(); err != nil {
		return nil, err
	}
	found := &Findings{}
	there, err := s.blobs(ctx, found)
	if err != nil {
		return nil, err
	}
	return found, s.rows(ctx, found, there)
}

func (s *Scan) checkGrace() error {
	if s.Grace < Least {
		return fault.New(fault.Invalid, fault.CodeParameter,
			"a grace period of %s is too short for uploads in progress; give at least %s", s.Grace, Least)
	}
	return nil
}

// presence reports whether a key was listed, using 8 bytes per key. With ten million blobs, one key in 10¹² is a false
// positive.
type presence struct {
	seed   maphash.Seed
	hashes []uint64
}

func (p *presence) has(key string) bool {
	_, is := slices.BinarySearch(p.hashes, maphash.String(p.seed, key))
	return is
}

// blobs records the blobs that no row names, and returns the set of listed keys.
func (s *Scan) blobs(ctx context.Context, found *Findings) (*presence, error) {
	there := &presence{seed: maphash.MakeSeed()}
	oldest := time.Now().Add(-s.Grace)
	err := s.pages(ctx, func(batch []blob.Info) error {
		found.Stored += len(batch)
		return s.sort(ctx, found, batch, oldest)
	}, func(b blob.Info) {
		there.hashes = append(there.hashes, maphash.String(there.seed, b.Key))
		if !isOurs(b.Key) {
			found.Foreign++
		}
	})
	slices.Sort(there.hashes)
	return there, err
}

// pages calls f for the blobs of recordings, a page at a time, and the others for each blob of the store.
func (s *Scan) pages(ctx context.Context, f func([]blob.Info) error, each ...func(blob.Info)) error {
	var batch []blob.Info
	err := s.Blobs.List(ctx, "", func(b blob.Info) error {
		for _, look := range each {
			look(b)
		}
		if !isOurs(b.Key) {
			return nil
		}
		if batch = append(batch, b); len(batch) < page {
			return nil
		}
		err := f(batch)
		batch = batch[:0]
		return err
	})
	if err != nil {
		return err
	}
	return f(batch)
}

// isOurs reports whether a key has the format of a stream's or a segment's key.
func isOurs(key string) bool {
	family, _, nested := strings.Cut(key, "/")
	return nested && (slices.Contains(media.Families, family) || family == callindex.Family)
}

// sort records those of some listed blobs that no row will ever name.
func (s *Scan) sort(ctx context.Context, found *Findings, batch []blob.Info, oldest time.Time) error {
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

// unnamed returns those of some blobs that no row names and no pending deletion is about to delete.
func (s *Scan) unnamed(ctx context.Context, batch []blob.Info) (unnamed []blob.Info, err error) {
	keys := list.Map(batch, func(b blob.Info) string { return b.Key })
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
	// read after the rows: a row that was deleted meanwhile has become such a job, or its blob is gone
	going, err := pipeline.Purging(ctx, s.Store)
	return slices.DeleteFunc(unnamed, func(b blob.Info) bool { return going[b.Key] }), err
}

// rows records the rows whose blob was not listed and still does not exist.
func (s *Scan) rows(ctx context.Context, found *Findings, there *presence) error {
	var last store.StreamRow
	for {
		rows, err := store.Read(ctx, s.Store, func(tx *store.Tx) ([]store.StreamRow, error) {
			return tx.StreamsAfter(last.Media, last.Name, page)
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
	named, err := store.Read(ctx, s.Store, func(tx *store.Tx) (map[string]bool, error) {
		return tx.NamedBlobs([]string{row.Blob})
	})
	return named[row.Blob], err
}
