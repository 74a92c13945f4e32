package cache

import (
	"errors"
	"os"
	"runtime"

	"parley/internal/host/mapped"
)

// File is a blob that is available locally, usually as a memory-mapped file. All callers of a blob share one File.
type File struct {
	data   []byte
	mapped *mapped.File // that the data are of; nil: they are in memory
}

// Data returns the bytes of the blob, which must not be changed. They are valid only while the File is reachable: a
// caller that uses them later than the File calls runtime.KeepAlive with it.
func (f *File) Data() []byte { return f.data }

var errDiffers = errors.New("the file does not have the expected size and sum")

// newFile returns a File that is removed from c.shared when it becomes unreachable.
func (c *Cache) newFile(w want, data []byte) *File {
	f := &File{data: data}
	runtime.AddCleanup(f, c.unshare, w)
	return f
}

func (c *Cache) unshare(w want) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shared[w].Value() == nil { // otherwise a newer File took the place
		delete(c.shared, w)
	}
}

// openFile memory-maps a file, which may be removed while it is in use. It reads the file instead if it cannot be
// mapped, for example because the process has too many mappings.
func (c *Cache) openFile(f *os.File, w want) (*File, error) {
	m, err := mapped.Open(f, w.size)
	if errors.Is(err, mapped.ErrSize) {
		return nil, errDiffers
	}
	if err != nil {
		data := make([]byte, w.size)
		_, err = f.ReadAt(data, 0)
		return c.newFile(w, data), err
	}
	file := c.newFile(w, m.Data())
	file.mapped = m
	return file, nil
}
