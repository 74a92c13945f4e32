// Package mapped maps files into memory for reading. A system limits how many mappings a process may have (65,530 on
// Linux, vm.max_map_count), and Go itself needs some; this package stays far below that.
//
// It does not write files.
package mapped

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// File is a file in memory. It is safe for concurrent use. The mapping is released when the File becomes unreachable.
type File struct{ data []byte }

// Errors of Open.
var (
	ErrSize = errors.New("the file does not have the expected size")
	ErrMany = errors.New("too many files are mapped into memory")
)

// most is how many files may be mapped; from many on, the garbage collector is asked to release those that nobody uses.
const (
	most = 30_000
	many = most / 2
)

var present atomic.Int64

// Open maps a file of a known size, which may be removed while it is in use. ErrSize if it has another size: reading
// after the end of a file would end the process. ErrMany if too many are mapped.
func Open(f *os.File, size int64) (*File, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() != size {
		return nil, ErrSize
	}
	if size == 0 { // an empty file cannot be mapped
		return &File{data: []byte{}}, nil
	}
	switch n := present.Add(1); {
	case n > most:
		present.Add(-1)
		return nil, ErrMany
	case n > many && n%1000 == 0:
		runtime.GC()
	}
	data, err := unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		present.Add(-1)
		return nil, fmt.Errorf("map %s into memory: %w", f.Name(), err)
	}
	file := &File{data}
	runtime.AddCleanup(file, release, data)
	return file, nil
}

func release(data []byte) {
	unix.Munmap(data)
	present.Add(-1)
}

// Data returns the bytes of the file, which must not be changed. They are valid only while the File is reachable: a
// caller that uses them later than the File calls runtime.KeepAlive with it.
func (f *File) Data() []byte { return f.data }
