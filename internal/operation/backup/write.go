package backup

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"parley/internal/storage/blob"
	"parley/internal/storage/store"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// Source is what is backed up, possibly while a server uses it.
type Source struct {
	Store   *store.Store // must be SQLite
	Blobs   blob.Store
	Temp    string // folder with room for a copy of the database
	Program string // program version for the manifest
}

// Progress is called with the bytes done and the total, before compression.
type Progress func(done, total int64)

// Write writes a backup to w: a consistent snapshot of the database, then the blobs that it refers to. The manifest
// lists blobs that were deleted meanwhile. Errors are faults: Unsupported for a PostgreSQL database, Conflict when a
// blob changes while it is copied, otherwise those of the stores; errors of w are wrapped.
func Write(ctx context.Context, w io.Writer, s Source, progress Progress) (Manifest, error) {
	dir, err := os.MkdirTemp(s.Temp, ".parley-backup-*")
	if err != nil {
		return Manifest{}, unavailable("temporary folder for the backup", err)
	}
	defer os.RemoveAll(dir)
	snapshot := filepath.Join(dir, databaseEntry)
	if err := s.Store.Backup(ctx, snapshot); err != nil {
		return Manifest{}, err
	}
	list, err := newSums(dir)
	if err != nil {
		return Manifest{}, err
	}
	defer list.close()
	packed, err := zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(1<<20))
	if err != nil {
		return Manifest{}, err
	}
	a := &archive{
		ctx: ctx, tar: tar.NewWriter(packed), sums: list, progress: progress, blobs: s.Blobs,
		buffer:   make([]byte, 256<<10),
		manifest: Manifest{Program: s.Program, Created: time.Now().UTC().Truncate(time.Second)},
	}
	err = a.write(snapshot)
	if closed := packed.Close(); err == nil {
		err = closed
	}
	return a.manifest, err
}

// archive is a backup being written.
type archive struct {
	ctx         context.Context
	tar         *tar.Writer
	sums        *sums
	blobs       blob.Store
	buffer      []byte
	manifest    Manifest
	progress    Progress
	done, total int64
}

func (a *archive) write(snapshot string) error {
	if err := a.entry(formatEntry, int64(len(format)), strings.NewReader(format)); err != nil {
		return err
	}
	if err := a.database(snapshot); err != nil {
		return err
	}
	if err := a.recordings(snapshot); err != nil {
		return err
	}
	return a.end()
}

func (a *archive) database(snapshot string) error {
	f, err := os.Open(snapshot)
	if err != nil {
		return unavailable("read the copy of the database", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return unavailable("read the copy of the database", err)
	}
	a.manifest.Database = info.Size()
	return a.entry(databaseEntry, info.Size(), f)
}

// recordings writes the blobs that the database snapshot refers to.
func (a *archive) recordings(snapshot string) error {
	copied, err := store.Open(a.ctx, store.Config{URL: "sqlite://" + snapshot, Connections: 1})
	if err != nil {
		return err
	}
	defer copied.Close()
	return copied.View(a.ctx, func(tx *store.Tx) error {
		_, bytes, err := tx.StreamTotals()
		if err != nil {
			return err
		}
		a.total = a.done + bytes
		return tx.EachStream(a.recording)
	})
}

func (a *archive) recording(s media.Stream) error {
	info, err := a.blobs.Stat(a.ctx, s.Blob)
	var body io.ReadCloser
	if err == nil {
		body, err = a.blobs.Open(a.ctx, s.Blob, 0, -1)
	}
	if fault.Is(err, fault.NotFound) {
		a.manifest.miss(s.Blob)
		a.done += s.Size
		return nil
	}
	if err != nil {
		return err
	}
	defer body.Close()
	a.manifest.Blobs++
	a.manifest.Bytes += info.Size
	return a.entry(blobFolder+s.Blob, info.Size, body)
}

// entry writes one file of known size.
func (a *archive) entry(name string, size int64, r io.Reader) error {
	if err := a.tar.WriteHeader(a.header(name, size)); err != nil {
		return fmt.Errorf("write the backup: %w", err)
	}
	h := sha256.New()
	n, err := io.CopyBuffer(io.MultiWriter(a.tar, h, progressWriter{a}), contextReader{a.ctx, r}, a.buffer)
	if errors.Is(err, tar.ErrWriteTooLong) || err == nil && n < size {
		return fault.New(fault.Conflict, fault.CodeConflict, "%s changed while it was copied; run the backup again",
			name)
	}
	if err != nil {
		return fmt.Errorf("write the backup: %w", err)
	}
	return a.sums.add(h.Sum(nil), name)
}

func (a *archive) header(name string, size int64) *tar.Header {
	return &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o600, ModTime: a.manifest.Created,
		Format: tar.FormatPAX}
}

// end writes the checksums and the manifest.
func (a *archive) end() error {
	lines, err := a.sums.list()
	if err != nil {
		return err
	}
	if err := a.last(sumsEntry, a.sums.size, lines); err != nil {
		return err
	}
	a.manifest.Sums = a.sums.total()
	text, err := json.MarshalIndent(a.manifest, "", "  ")
	if err != nil {
		return err
	}
	if err := a.last(manifestEntry, int64(len(text)), bytes.NewReader(text)); err != nil {
		return err
	}
	if err := a.tar.Close(); err != nil {
		return fmt.Errorf("write the backup: %w", err)
	}
	return nil
}

// last writes an entry that is not in the list of checksums.
func (a *archive) last(name string, size int64, r io.Reader) error {
	err := a.tar.WriteHeader(a.header(name, size))
	if err == nil {
		_, err = io.Copy(a.tar, r)
	}
	if err != nil {
		return fmt.Errorf("write the backup: %w", err)
	}
	return nil
}

// progressWriter counts the bytes written.
type progressWriter struct{ a *archive }

// Write implements io.Writer.
func (p progressWriter) Write(b []byte) (int, error) {
	p.a.done += int64(len(b))
	p.a.progress(p.a.done, max(p.a.total, p.a.done))
	return len(b), nil
}
