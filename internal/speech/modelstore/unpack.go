package modelstore

import (
	"archive/tar"
	"compress/bzip2"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"regexp"
	"strings"
)

// Limits of archives.
const (
	mostUnpacked = 8 << 30  // total bytes of the files that are kept
	mostRead     = 32 << 30 // total bytes of all files
	mostEntries  = 100_000
	mostDocument = 1 << 20 // bytes of a licence or read-me file; longer ones are skipped
)

var (
	archives  = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]*\.(tar\.bz2|onnx)$`)
	documents = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|readme|model_card)[^/]*$`)
)

// validArchive reports whether unpack supports the archive format of a file name.
func validArchive(name string) bool { return archives.MatchString(name) }

// unpacker extracts the files that a model needs, and its licence. It skips everything else, including links, and
// never writes outside the folder, whatever names the archive contains.
type unpacker struct {
	ctx  context.Context
	root *os.Root
	want map[string]bool // paths below the archive's top folder
	left int64           // bytes that may still be written
	seen int             // entries
}

// unpack extracts the archive called name into the empty folder root.
func unpack(
	ctx context.Context, root *os.Root, name string, archive *os.File, files map[string]string, read func(n int64),
) error {
	u := &unpacker{ctx: ctx, root: root, want: map[string]bool{}, left: mostUnpacked}
	for _, file := range files {
		u.want[file] = true
	}
	counted := &counter{ctx, archive, read}
	var err error
	if strings.HasSuffix(name, ".tar.bz2") {
		err = u.tar(bzip2.NewReader(counted))
	} else {
		err = u.write(name, counted)
	}
	if err != nil {
		return fmt.Errorf("unpack %s: %w", name, err)
	}
	return u.complete(files)
}

func (u *unpacker) tar(r io.Reader) error {
	for t := tar.NewReader(io.LimitReader(r, mostRead)); ; {
		h, err := t.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := u.entry(h.Name, h.Typeflag == tar.TypeReg, h.Size, t); err != nil {
			return err
		}
	}
}

// entry extracts one entry of the archive if it is wanted.
func (u *unpacker) entry(name string, regular bool, size int64, r io.Reader) error {
	if u.seen++; u.seen > mostEntries {
		return fmt.Errorf("the archive has more than %d entries", mostEntries)
	}
	file := u.wanted(name)
	document := file != "" && !u.want[file]
	switch {
	case file == "" || document && (!regular || size > mostDocument || u.has(file)):
		return u.ctx.Err()
	case !regular:
		return fmt.Errorf("%s is a link or folder, not a file", file)
	}
	return u.write(file, r)
}

func (u *unpacker) has(file string) bool {
	_, err := u.root.Lstat(file)
	return err == nil
}

// wanted returns the path to which an entry is extracted: its own path, or the path below the archive's top folder;
// empty to skip it.
func (u *unpacker) wanted(name string) string {
	name = strings.TrimPrefix(name, "./")
	_, below, _ := strings.Cut(name, "/")
	for _, candidate := range []string{below, name} {
		if candidate != "" && (u.want[candidate] || documents.MatchString(candidate)) {
			return candidate
		}
	}
	return ""
}

func (u *unpacker) write(file string, r io.Reader) error {
	if err := u.root.MkdirAll(path.Dir(file), 0o700); err != nil {
		return err
	}
	f, err := u.root.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	n, err := io.Copy(f, io.LimitReader(r, u.left+1))
	if u.left -= n; u.left < 0 {
		err = fmt.Errorf("the unpacked archive is larger than the limit of %d GB", mostUnpacked>>30)
	}
	return full(errors.Join(err, f.Close()))
}

// complete verifies that every file exists and is not empty, and syncs the files to disk.
func (u *unpacker) complete(files map[string]string) error {
	for _, file := range files {
		f, err := u.root.Open(file)
		if err != nil {
			return fmt.Errorf("the file %s is missing in the archive", file)
		}
		info, err := f.Stat()
		if err == nil && info.Size() == 0 {
			err = fmt.Errorf("the file %s in the archive is empty", file)
		}
		if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
			return full(err)
		}
	}
	return nil
}

// counter reports how much was read, and fails once its context is cancelled.
type counter struct {
	ctx  context.Context
	r    io.Reader
	read func(n int64)
}

// Read implements io.Reader.
func (c *counter) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.r.Read(p)
	c.read(int64(n))
	return n, err
}
