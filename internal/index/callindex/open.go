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
	"time"

	"github.com/google/uuid"

	"parley/internal/host/mapped"
	"parley/internal/index/segment"
	"parley/internal/storage/blob/cache"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/cipher"
	"parley/internal/words/fault"
)

// open opens a segment, of which decrypted parts are kept in blocks. Words that are in a file of their own are opened
// when they are needed. NotFound if a blob of it is gone, ErrDamaged if one is corrupt.
func (x *Index) open(ctx context.Context, row *store.Segment, blocks *segment.Blocks) (*segment.Segment, error) {
	if row.Values.Blob == "" {
		return x.openFile(ctx, &row.Words, blocks)
	}
	s, err := x.openFile(ctx, &row.Values, blocks)
	if err != nil {
		return nil, err
	}
	return s.WithWords(x.words(row, blocks)), nil
}

// opening limits the time in which a file is opened for several questions.
const opening = time.Minute

// words returns the words of a segment.
func (x *Index) words(row *store.Segment, blocks *segment.Blocks) *segment.Words {
	file := row.Words
	return segment.NewWords(func(ctx context.Context) (*segment.Segment, error) {
		ctx, cancel := context.WithTimeout(ctx, opening)
		defer cancel()
		return x.openFile(ctx, &file, blocks)
	})
}

// openWhole opens a segment with its words.
func (x *Index) openWhole(ctx context.Context, row *store.Segment, blocks *segment.Blocks) (*segment.Segment, error) {
	s, err := x.open(ctx, row, blocks)
	if err == nil {
		err = s.Load(ctx)
	}
	return s, err
}

func (x *Index) openFile(ctx context.Context, f *store.SegmentFile, blocks *segment.Blocks) (*segment.Segment, error) {
	if f.Key == "" {
		return mapFile(x.Path(f.Blob), f.Size)
	}
	file, err := x.Cache.Get(ctx, f.Blob, f.Key.Size(f.Size), f.Sum)
	if err != nil {
		return nil, err
	}
	source, err := blocks.Encrypted(f.Key, local{file}, f.Key.Size(f.Size))
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

// forget removes the copies of a segment on this server's disk.
func (x *Index) forget(row *store.Segment) {
	for _, f := range row.Files() {
		if f.Key != "" {
			x.Cache.Forget(f.Blob)
		}
	}
}

// mapFile opens the file of a segment that is not encrypted. It may be removed while it is in use.
func mapFile(path string, size int64) (*segment.Segment, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.NotFound, fault.CodeNotFound, "the segment %s is missing", filepath.Base(path))
	}
	if err != nil {
		return nil, fmt.Errorf("index of calls: %w", err)
	}
	defer f.Close()
	file, err := mapped.Open(f, size)
	switch {
	case errors.Is(err, mapped.ErrSize):
		return nil, segment.ErrDamaged
	case errors.Is(err, mapped.ErrMany):
		return nil, fault.New(fault.Unavailable, fault.CodeAnalyticIndex,
			"too many parts of the index of calls are in use; try again in a minute: %w", err)
	case err != nil:
		return nil, fmt.Errorf("index of calls: %w", err)
	}
	return segment.Open(segment.Mapped(file))
}

// Family is the first part of the keys of segments in the blob store.
const Family = "segment"

// put stores the files of a segment, and returns its row.
func (x *Index) put(ctx context.Context, a account.ID, files segment.Files) (row store.Segment, err error) {
	s, err := segment.Open(segment.Plain(files.Words))
	if err != nil {
		return row, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return row, err
	}
	row = store.Segment{ID: id.String(), Account: a, Calls: s.Len(), Oldest: s.ID(s.Len() - 1), Newest: s.ID(0)}
	if row.Words, err = x.putFile(ctx, files.Words); err == nil {
		row.Values, err = x.putFile(ctx, files.Values)
	}
	return row, err
}

// putFile stores a file of a segment.
func (x *Index) putFile(ctx context.Context, data []byte) (f store.SegmentFile, err error) {
	id, err := uuid.NewV7()
	if err != nil {
		return f, err
	}
	f = store.SegmentFile{Blob: Family + "/" + id.String(), Size: int64(len(data))}
	if x.encrypted() {
		f.Key = cipher.NewKey()
		covered, err := f.Key.Encrypt(bytes.NewReader(data))
		if err != nil {
			return f, err
		}
		if data, err = io.ReadAll(covered); err != nil {
			return f, err
		}
	}
	f.Sum = sha256.Sum256(data)
	_, err = x.Blobs.Put(ctx, f.Blob, bytes.NewReader(data))
	return f, err
}
