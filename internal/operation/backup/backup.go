// Package backup writes a running server's database and recordings to one file, and restores them from it.
//
// The file is a tar archive compressed with zstd, which most systems can unpack (tar --zstd -xf). Its entries, in this
// order:
//
//	format         the words "parley backup 1"
//	parley.db      the database at one instant
//	blobs/KEY      each blob that this database refers to and that was still there
//	SHA256SUMS     the checksum of each entry above, as sha256sum -c takes it
//	manifest.json  counts, sizes, what was missing, and the checksum of SHA256SUMS
//
// Memory use does not depend on the sizes. The package supports only SQLite databases, and does not know where a server
// keeps its data: it reads and writes through the ports store and blob. It does not encrypt: the file contains
// everything in the data directory.
package backup

import (
	"context"
	"io"
	"time"

	"parley/internal/words/fault"
)

const format = "parley backup 1\n"

// Names of entries.
const (
	formatEntry   = "format"
	databaseEntry = "parley.db"
	blobFolder    = "blobs/"
	sumsEntry     = "SHA256SUMS"
	manifestEntry = "manifest.json"
)

// Manifest describes the content of a backup.
type Manifest struct {
	Program  string    `json:"program"` // version that wrote it
	Created  time.Time `json:"created"`
	Database int64     `json:"databaseBytes"`
	Blobs    int       `json:"blobs"`
	Bytes    int64     `json:"blobBytes"`
	// blobs that the database names but that were gone when they were to be copied
	Missing int      `json:"missing"`
	Lost    []string `json:"missingKeys,omitempty"` // the first of the missing keys
	Sums    string   `json:"sha256OfSums"`
}

// mostLost is how many keys of missing blobs a manifest lists; mostManifest is its size limit in bytes.
const (
	mostLost     = 1000
	mostManifest = 1 << 20
)

// miss records a missing blob.
func (m *Manifest) miss(key string) {
	m.Missing++
	if len(m.Lost) < mostLost {
		m.Lost = append(m.Lost, key)
	}
}

// damaged is the error for an archive that differs from what was written.
func damaged(form string, args ...any) error {
	return fault.New(fault.Invalid, fault.CodeParameter, "not a backup, or a corrupt one: "+form, args...)
}

func unavailable(what string, err error) error {
	return fault.New(fault.Unavailable, fault.CodeUnavailable, "%s: %w", what, err)
}

// contextReader ends a long copy when its context ends.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

// Read reads from r until the context ends.
func (c contextReader) Read(p []byte) (int, error) {
	if err := context.Cause(c.ctx); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
