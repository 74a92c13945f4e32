package columnar

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/google/uuid"
	"golang.org/x/sys/unix"

	"parley/internal/host/durable"
	"parley/internal/index/segment"
)

const extension = ".segment"

// storeSegment writes a segment to a new file of a folder, durably, and returns it memory-mapped.
func storeSegment(dir string, data []byte) (s *segment.Segment, path string, err error) {
	path = filepath.Join(dir, uuid.NewString()+extension)
	temporary := path + ".new"
	err = writeSynced(temporary, data)
	if err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil {
		os.Remove(temporary)
	} else {
		err = durable.Folder(dir)
	}
	if err != nil {
		return nil, "", fmt.Errorf("analytic index: %w", err)
	}
	s, err = mapSegment(path)
	return s, path, err
}

func writeSynced(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Sync()
}

// mapSegment memory-maps a segment file, which may be removed while it is in use. The mapping is released when the
// segment becomes unreachable.
func mapSegment(path string) (*segment.Segment, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("analytic index: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("analytic index: %w", err)
	}
	if info.Size() == 0 {
		return nil, segment.ErrDamaged
	}
	data, err := unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("analytic index: map %s: %w", filepath.Base(path), err)
	}
	s, err := segment.Open(data)
	if err != nil {
		unix.Munmap(data)
		return nil, err
	}
	runtime.AddCleanup(s, func(data []byte) { unix.Munmap(data) }, data)
	return s, nil
}

// segmentFiles lists the segments of a folder, and removes incomplete files left by a crash.
func segmentFiles(dir string) (paths []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("analytic index: %w", err)
	}
	for _, e := range entries {
		switch name := e.Name(); {
		case strings.HasSuffix(name, extension):
			paths = append(paths, filepath.Join(dir, name))
		case strings.HasSuffix(name, ".new"):
			os.Remove(filepath.Join(dir, name))
		}
	}
	return paths, nil
}
