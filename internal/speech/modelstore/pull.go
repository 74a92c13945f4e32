package modelstore

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"parley/internal/host/durable"
)

// Progress is the progress of an installation.
type Progress struct {
	Doing       string // "downloading", "checking" or "unpacking"
	Done, Total int64  // bytes; Total is 0 if unknown
}

// PullOptions say how to install a model.
type PullOptions struct {
	From             string // file, folder, or base URL of the archive; empty: the entry's own URL
	AcceptUnverified bool   // allow entries without a checksum
	Progress         func(Progress)
}

// Pull installs a model. It downloads the archive, resuming an interrupted download, verifies it, unpacks the needed
// files, and replaces the model's folder atomically. It does nothing if the same download is already installed. The
// first model of a kind becomes its default. Errors are ErrUnverified, ErrBusy, ErrSum, network and disk errors, and
// those of ctx.
func (s *Store) Pull(ctx context.Context, e Entry, o PullOptions) (Installed, error) {
	if err := e.check(); err != nil {
		return Installed{}, fmt.Errorf("%s: %w", e.Name, err)
	}
	if e.SHA256 == "" && !o.AcceptUnverified {
		return Installed{}, fmt.Errorf("%s: %w", e.Name, ErrUnverified)
	}
	held, err := s.lock(e.Name)
	if err != nil {
		return Installed{}, err
	}
	defer held.Close()
	if err := s.recover(e.Name); err != nil {
		return Installed{}, err
	}
	if i, err := s.Open(e.Name); err == nil && i.Checked && i.SHA256 == e.SHA256 {
		return i, s.first(i)
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	i, err := s.install(ctx, e, o)
	if err != nil {
		return Installed{}, fmt.Errorf("%s: %w", e.Name, err)
	}
	return i, errors.Join(s.first(i), s.partFor(e.Name).remove())
}

// install fetches, verifies and unpacks a model.
func (s *Store) install(ctx context.Context, e Entry, o PullOptions) (Installed, error) {
	source, local, err := locate(e, o.From)
	if err != nil {
		return Installed{}, err
	}
	if err := s.room(e, local); err != nil {
		return Installed{}, err
	}
	var archive *os.File
	var sum string
	if local {
		archive, sum, err = s.check(ctx, source, e, o)
	} else {
		archive, sum, err = s.fetch(ctx, source, e, o)
	}
	if err != nil {
		return Installed{}, err
	}
	defer archive.Close()
	m := Manifest{Format: format, Description: e.Description, Source: source, SHA256: sum, Checked: e.SHA256 != ""}
	return s.place(ctx, e, m, archive, o)
}

// locate returns the location of the archive.
func locate(e Entry, from string) (source string, local bool, err error) {
	if from == "" {
		return e.URL, false, nil
	}
	if u, err := url.Parse(from); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		if !strings.HasSuffix(u.Path, "/"+e.Archive()) {
			u = u.JoinPath(e.Archive())
		}
		return u.String(), false, nil
	}
	if info, err := os.Stat(from); err == nil && info.IsDir() {
		from = filepath.Join(from, e.Archive())
	}
	if info, err := os.Stat(from); err != nil || !info.Mode().IsRegular() {
		return "", true, fmt.Errorf("file not found: %s", from)
	}
	return from, true, nil
}

// room checks in advance that there is space for the download and the unpacked files, which are about as large.
func (s *Store) room(e Entry, local bool) error {
	free := s.Free
	if free == nil {
		free = freeBytes
	}
	have, err := free(s.Dir)
	if err != nil {
		return err
	}
	need := 2*e.Size - s.partFor(e.Name).size()
	if local {
		need = e.Size
	}
	if need > 0 && have < uint64(need) {
		return fmt.Errorf("the disk of %s has %d MB free; %d MB are needed", s.Dir, have>>20, need>>20)
	}
	return nil
}

func freeBytes(folder string) (uint64, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(folder, &st); err != nil {
		return 0, err
	}
	return st.Bavail * uint64(st.Bsize), nil
}

// fetch downloads the archive. If the checksum shows that a resumed download does not fit its beginning, fetch
// downloads the whole file once more.
func (s *Store) fetch(ctx context.Context, address string, e Entry, o PullOptions) (*os.File, string, error) {
	p := s.partFor(e.Name)
	d := &download{client: cmp.Or(s.Client, newClient()), url: address, part: p, resume: e.SHA256 != "",
		progress: func(done, total int64) { o.Progress(Progress{"downloading", done, total}) }}
	if e.SHA256 != "" {
		d.size = e.Size
	}
	for {
		continued := p.size() > 0
		if err := d.run(ctx); err != nil {
			return nil, "", err
		}
		archive, sum, err := s.check(ctx, p.path, e, o)
		if !errors.Is(err, ErrSum) {
			return archive, sum, err
		}
		if err := errors.Join(err, p.remove()); !continued {
			return nil, "", err
		}
	}
}

// check opens an archive and verifies its checksum. Unpacking reads from the same open file.
func (s *Store) check(ctx context.Context, name string, e Entry, o PullOptions) (*os.File, string, error) {
	archive, err := os.Open(name)
	if err != nil {
		return nil, "", err
	}
	sum, err := sumOf(ctx, archive, o)
	if err == nil && e.SHA256 != "" && sum != e.SHA256 {
		err = fmt.Errorf("%w: %s has the SHA-256 %s; the catalogue has %s", ErrSum, e.Archive(), sum, e.SHA256)
	}
	if err != nil {
		archive.Close()
		return nil, "", err
	}
	return archive, sum, nil
}

func sumOf(ctx context.Context, archive *os.File, o PullOptions) (string, error) {
	info, err := archive.Stat()
	if err != nil {
		return "", err
	}
	h, done := sha256.New(), int64(0)
	_, err = io.Copy(h, &counter{ctx, archive, func(n int64) {
		done += n
		o.Progress(Progress{"checking", done, info.Size()})
	}})
	if err == nil {
		_, err = archive.Seek(0, io.SeekStart)
	}
	return hex.EncodeToString(h.Sum(nil)), err
}

// place unpacks into a temporary folder beside the model's, and swaps the two.
func (s *Store) place(ctx context.Context, e Entry, m Manifest, archive *os.File, o PullOptions) (Installed, error) {
	fresh := s.beside("new", e.Name)
	if err := os.Mkdir(fresh, 0o700); err != nil {
		return Installed{}, full(err)
	}
	defer os.RemoveAll(fresh)
	info, err := archive.Stat()
	if err != nil {
		return Installed{}, err
	}
	root, err := os.OpenRoot(fresh)
	if err != nil {
		return Installed{}, err
	}
	defer root.Close()
	done := int64(0)
	err = unpack(ctx, root, e.Archive(), archive, e.Files, func(n int64) {
		done += n
		o.Progress(Progress{"unpacking", done, info.Size()})
	})
	if err != nil {
		return Installed{}, err
	}
	data, err := json.MarshalIndent(m, "", "  ")
	if err == nil {
		err = writeFile(filepath.Join(fresh, manifestName), append(data, '\n'))
	}
	if err == nil {
		err = s.swap(e.Name)
	}
	if err != nil {
		return Installed{}, full(err)
	}
	return s.Open(e.Name)
}

func (s *Store) beside(what, name string) string { return filepath.Join(s.Dir, "."+what+"-"+name) }

// swap replaces the old folder with the new one.
func (s *Store) swap(name string) error {
	dir, old := filepath.Join(s.Dir, name), s.beside("old", name)
	if err := os.Rename(dir, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(s.beside("new", name), dir); err != nil {
		return errors.Join(err, os.Rename(old, dir))
	}
	return errors.Join(durable.Folder(s.Dir), os.RemoveAll(old))
}

// recover cleans up after a crash: it restores an old model whose replacement was not put in place.
func (s *Store) recover(name string) error {
	dir, old := filepath.Join(s.Dir, name), s.beside("old", name)
	if exists(old) && !exists(dir) {
		if err := os.Rename(old, dir); err != nil {
			return err
		}
	}
	return errors.Join(os.RemoveAll(old), os.RemoveAll(s.beside("new", name)))
}

// first makes a model the default of its kind if there is none.
func (s *Store) first(i Installed) error {
	if _, ok := s.Default(i.Kind); ok {
		return nil
	}
	return s.record(func(defaults map[Kind]string) { defaults[i.Kind] = i.Name })
}
