package backup

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
)

// sums is the list of checksums of an archive, kept in a temporary file: there may be millions.
type sums struct {
	file *os.File
	w    *bufio.Writer
	all  hash.Hash // hash of the list itself
	size int64
}

func newSums(dir string) (*sums, error) {
	f, err := os.CreateTemp(dir, "sums-*")
	if err != nil {
		return nil, unavailable("temporary file for checksums", err)
	}
	return &sums{file: f, w: bufio.NewWriterSize(f, 64<<10), all: sha256.New()}, nil
}

// add appends an entry's line.
func (s *sums) add(sum []byte, name string) error {
	line := fmt.Sprintf("%x  %s\n", sum, name)
	io.WriteString(s.all, line)
	s.size += int64(len(line))
	if _, err := s.w.WriteString(line); err != nil {
		return unavailable("write checksums", err)
	}
	return nil
}

// total returns the checksum of the list, hex.
func (s *sums) total() string { return hex.EncodeToString(s.all.Sum(nil)) }

// list returns the lines from the beginning.
func (s *sums) list() (io.Reader, error) {
	if err := s.w.Flush(); err != nil {
		return nil, unavailable("write checksums", err)
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return nil, unavailable("read checksums", err)
	}
	return s.file, nil
}

// compare compares the list with another one, and names the first entry that differs.
func (s *sums) compare(other io.Reader) error {
	own, err := s.list()
	if err != nil {
		return err
	}
	mine, theirs := bufio.NewReader(own), bufio.NewReaderSize(other, 64<<10)
	for {
		line, err := mine.ReadSlice('\n')
		if err != nil && err != io.EOF {
			return unavailable("read checksums", err)
		}
		want, wrong := theirs.ReadSlice('\n')
		if wrong != nil && wrong != io.EOF && !errors.Is(wrong, bufio.ErrBufferFull) {
			return wrong
		}
		if !bytes.Equal(line, want) {
			return damaged("the checksum of %q does not match", nameOf(line))
		}
		if err == io.EOF {
			return nil
		}
	}
}

// nameOf returns the name in a line.
func nameOf(line []byte) string {
	_, name, _ := bytes.Cut(bytes.TrimSpace(line), []byte("  "))
	if len(name) == 0 {
		return sumsEntry
	}
	return string(name)
}

func (s *sums) close() {
	s.file.Close()
	os.Remove(s.file.Name())
}
