package callindex

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/google/uuid"
	"golang.org/x/sys/unix"

	"parley/internal/index/segment"
	"parley/internal/storage/blob/cache"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/cipher"
	"parley/internal/words/fault"
)

// open opens a segment, of which decrypted parts are kept in blocks. NotFound if its blob is gone, ErrDamaged if it is
// corrupt.
func (x *Index) open(ctx context.Context, row *store.Segment, blocks *segment.Blocks) (*segment.Segment, error) {
	if row.Key == "" {
		return mapped(x.Path(row.Blob), row.Size)
	}
	file, err := x.Cache.Get(ctx, row.Blob, row.Key.Size(row.Size), row.Sum)
	if err != nil {
		return nil, err
	}
	source, err := blocks.Encrypted(row.Key, local{file}, row.Key.Size(row.Size))
	if err != nil {
		return nil, err
	}
	return segment.Open(source)
}

// local reads a copy on the disk of this server.
type local struct{ *cache.File }

// ReadAt implements io.ReaderAt.
func (l local) ReadAt(p []byte, at int64) (n int, err error) {
	if data := l.Data(); at < int64(len(data)) {
		n = copy(p, data[at:])
	}
	runtime.KeepAlive(l.File) // the bytes are mapped
	if n < len(p) {
		err = io.EOF
	}
	return n, err
}

// forget removes the copy of a segment on this server's disk.
func (x *Index) forget(row *store.Segment) {
	if row.Key != "" {
		x.Cache.Forget(row.Blob)
	}
}

// mapped opens the file of a segment that is not encrypted. The mapping is released when the segment becomes
// unreachable; the file may be removed before.
func mapped(path string, size int64) (*segment.Segment, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.NotFound, fault.CodeNotFound, "the segment %s is missing", filepath.Base(path))
	}
	if err != nil {
		return nil, fmt.Errorf("index of calls: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("index of calls: %w", err)
	}
	if info.Size() != size || size == 0 {
		return nil, segment.ErrDamaged
	}
	data, err := unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("index of calls: map %s: %w", filepath.Base(path), err)
	}
	s, err := segment.Open(segment.Plain(data))
	if err != nil {
		unix.Munmap(data)
		return nil, err
	}
	runtime.AddCleanup(s, func(data []byte) { unix.Munmap(data) }, data)
	return s, nil
}

// Family is the first part of the keys of segments in the blob store.
const Family = "segment"

// put stores the bytes of a segment, and returns its row.
func (x *Index) put(ctx context.Context, a account.ID, data []byte) (row store.Segment, err error) {
	s, err := segment.Open(segment.Plain(data))
	if err != nil {
		return row, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return row, err
	}
	row = store.Segment{ID: id.String(), Account: a, Blob: Family + "/" + id.String(), Size: int64(len(data)),
		Calls: s.Len(), Oldest: s.ID(s.Len() - 1), Newest: s.ID(0)}
	if x.encrypted() {
		row.Key = cipher.NewKey()
		covered, err := row.Key.Encrypt(bytes.NewReader(data))
		if err != nil {
			return row, err
		}
		if data, err = io.ReadAll(covered); err != nil {
			return row, err
		}
	}
	row.Sum = sha256.Sum256(data)
	_, err = x.Blobs.Put(ctx, row.Blob, bytes.NewReader(data))
	return row, err
}
