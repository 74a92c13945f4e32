package backup

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/sync/errgroup"

	"parley/internal/storage/blob"
	"parley/internal/storage/store"
	"parley/internal/words/fault"
)

// Target is where a backup is unpacked. If Read fails, its content is unusable.
type Target struct {
	Database string // absolute path of the database file, which must not exist
	Blobs    blob.Store
	Temp     string // folder for temporary files
}

// Read unpacks a backup and verifies it: the order of entries, every checksum, the counts of the manifest, and that
// this program knows the version of the database. Errors are faults: Invalid for a file that is damaged or not a
// backup, Conflict for a backup made before the first version or by a newer program, otherwise those of the target.
func Read(ctx context.Context, r io.Reader, t Target) (Manifest, error) {
	unpacked, err := zstd.NewReader(contextReader{ctx, r}, zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderMaxWindow(16<<20))
	if err != nil {
		return Manifest{}, damaged("%w", err)
	}
	defer unpacked.Close()
	return unpack(ctx, unpacked, t)
}

// unpack reads the decompressed archive.
func unpack(ctx context.Context, r io.Reader, t Target) (Manifest, error) {
	list, err := newSums(t.Temp)
	if err != nil {
		return Manifest{}, err
	}
	defer list.close()
	x := &extraction{ctx: ctx, in: r, tar: tar.NewReader(r), target: t, sums: list}
	x.puts, x.putting = errgroup.WithContext(ctx)
	x.puts.SetLimit(putsAtOnce)
	err = x.run()
	if stored := x.puts.Wait(); stored != nil {
		err = stored
	}
	if err == nil {
		err = x.check()
	}
	return x.manifest, err
}

// Several small blobs are stored concurrently, so that they share the waits for the disk.
const (
	putsAtOnce = 16
	small      = 1 << 20
)

// extraction is a backup being read.
type extraction struct {
	ctx      context.Context
	in       io.Reader
	tar      *tar.Reader
	target   Target
	sums     *sums
	puts     *errgroup.Group
	putting  context.Context // canceled when a put fails
	seen     Manifest        // counts of the entries read
	manifest Manifest        // manifest in the archive
}

func (x *extraction) run() error {
	if err := x.format(); err != nil {
		return err
	}
	if err := x.database(); err != nil {
		return err
	}
	h, err := x.next()
	for ; err == nil && strings.HasPrefix(h.Name, blobFolder); h, err = x.next() {
		if err := x.recording(h); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	return x.end(h)
}

// next returns the header of the next entry, which must be a regular file.
func (x *extraction) next() (*tar.Header, error) {
	h, err := x.tar.Next()
	switch {
	case err == io.EOF:
		return nil, damaged("unexpected end")
	case err != nil:
		return nil, x.unreadable(err)
	case h.Typeflag != tar.TypeReg:
		return nil, damaged("entry %q is not a plain file", h.Name)
	}
	return h, nil
}

// expect returns the header of the next entry, which must have the given name.
func (x *extraction) expect(name string) (*tar.Header, error) {
	h, err := x.next()
	if err == nil && h.Name != name {
		return nil, damaged("found entry %q, expected %q", h.Name, name)
	}
	return h, err
}

// unreadable is the error for bytes of the archive that cannot be read.
func (x *extraction) unreadable(err error) error {
	if x.putting.Err() != nil {
		return context.Cause(x.putting)
	}
	if fault.Is(err, fault.Invalid) {
		return err // already reported
	}
	return damaged("%w", err)
}

func (x *extraction) format() error {
	if _, err := x.expect(formatEntry); err != nil {
		return err
	}
	body := x.open()
	text, err := io.ReadAll(io.LimitReader(body, int64(len(format))+1))
	if err != nil {
		return err
	}
	if string(text) != format {
		return fault.New(fault.Conflict, fault.CodeConflict,
			"unknown backup format %.40q; use the program that made the backup, or a "+
				"newer one", text)
	}
	return x.sums.add(body.hash.Sum(nil), formatEntry)
}

func (x *extraction) database() error {
	h, err := x.expect(databaseEntry)
	if err != nil {
		return err
	}
	x.seen.Database = h.Size
	f, err := os.OpenFile(x.target.Database, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return unavailable("make the database file", err)
	}
	body := x.open()
	_, err = io.Copy(f, body)
	if err = errors.Join(err, f.Sync(), f.Close()); body.err != nil {
		return body.err
	}
	if err != nil {
		return unavailable("write the database file", err)
	}
	return x.sums.add(body.hash.Sum(nil), databaseEntry)
}

// recording stores a blob; a small one concurrently with reading the next ones.
func (x *extraction) recording(h *tar.Header) error {
	key := strings.TrimPrefix(h.Name, blobFolder)
	if err := blob.CheckKey(key); err != nil {
		return damaged("%w", err)
	}
	x.seen.Blobs++
	x.seen.Bytes += h.Size
	body := x.open()
	if h.Size > small {
		if _, err := x.target.Blobs.Put(x.putting, key, body); err != nil {
			return err
		}
		return x.sums.add(body.hash.Sum(nil), h.Name)
	}
	content := make([]byte, h.Size)
	if _, err := io.ReadFull(body, content); err != nil {
		return x.unreadable(err)
	}
	x.puts.Go(func() error {
		_, err := x.target.Blobs.Put(x.putting, key, bytes.NewReader(content))
		return err
	})
	return x.sums.add(body.hash.Sum(nil), h.Name)
}

// end compares checksums and manifest with what was read.
func (x *extraction) end(h *tar.Header) error {
	if h.Name != sumsEntry {
		return damaged("unknown entry %q", h.Name)
	}
	body := x.open()
	if err := x.sums.compare(body); err != nil {
		return err
	}
	if _, err := x.expect(manifestEntry); err != nil {
		return err
	}
	text, err := io.ReadAll(io.LimitReader(x.open(), mostManifest))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &x.manifest); err != nil {
		return damaged("manifest: %w", err)
	}
	m, seen := x.manifest, x.seen
	if m.Database != seen.Database || m.Blobs != seen.Blobs || m.Bytes != seen.Bytes || m.Sums != x.sums.total() {
		return damaged("the content does not match the manifest")
	}
	if _, err := x.tar.Next(); err != io.EOF {
		return damaged("there is data after the manifest")
	}
	if _, err := io.Copy(io.Discard, x.in); err != nil { // the checksum of the compressed data comes last
		return x.unreadable(err)
	}
	return nil
}

// check opens the unpacked database: this program must be able to use it, and its number of streams must equal the number of
// blobs in the manifest, missing ones included.
func (x *extraction) check() error {
	db, err := store.Open(x.ctx, store.Config{URL: "sqlite://" + x.target.Database, Connections: 1})
	if err != nil {
		return damaged("database: %w", err)
	}
	defer db.Close()
	schema, err := db.Schema(x.ctx)
	if fault.Is(err, fault.Conflict) {
		return err
	}
	if err != nil {
		return damaged("database: %w", err)
	}
	if err := schema.Usable(); err != nil {
		return fault.New(fault.Conflict, fault.CodeConflict, "the backup was made by a newer program (%s): %w",
			x.manifest.Program, err)
	}
	return db.View(x.ctx, func(tx *store.Tx) error {
		streams, _, err := tx.StreamTotals()
		if err != nil {
			return damaged("database: %w", err)
		}
		if streams != x.manifest.Blobs+x.manifest.Missing {
			return damaged("the database lists %d recordings, the manifest %d", streams,
				x.manifest.Blobs+x.manifest.Missing)
		}
		return nil
	})
}

// body is the content of an entry. It distinguishes errors of the archive from those of the reader's destination.
type body struct {
	x    *extraction
	hash hash.Hash
	err  error // an error of the archive
}

func (x *extraction) open() *body { return &body{x: x, hash: sha256.New()} }

// Read reads and hashes.
func (b *body) Read(p []byte) (int, error) {
	n, err := contextReader{b.x.putting, b.x.tar}.Read(p)
	b.hash.Write(p[:n])
	if err != nil && err != io.EOF {
		b.err = b.x.unreadable(err)
		return n, b.err
	}
	return n, err
}
