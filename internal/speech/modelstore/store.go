package modelstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parley/internal/host/filelock"
)

// Store is the folder of models, by convention <data>/models. Several processes may use it at the same time.
type Store struct {
	Dir    string
	Client *http.Client                                  // nil: the default client
	Free   func(folder string) (bytes uint64, err error) // nil: ask the file system
}

const (
	manifestName = "model.json"
	defaultsName = "default.json"
	format       = 1 // version of manifests
)

// Manifest is the model.json in the folder of an installed model.
type Manifest struct {
	Format int `json:"format"`
	Description
	Source  string `json:"source,omitempty"` // where the download came from
	SHA256  string `json:"sha256,omitempty"` // of the download
	Checked bool   `json:"checked"`          // verified against the catalogue's checksum
}

// Installed is an installed model.
type Installed struct {
	Manifest
	Dir string // relative if the store's folder is
}

// File returns the path of the file with a role; empty if the model has none.
func (i Installed) File(role string) string {
	file, ok := i.Files[role]
	if !ok {
		return ""
	}
	return filepath.Join(i.Dir, filepath.FromSlash(file))
}

// Open returns an installed model. The error is ErrNotInstalled if the model is not installed, and names the missing
// files if it is incomplete.
func (s *Store) Open(name string) (Installed, error) {
	i := Installed{Dir: filepath.Join(s.Dir, name)}
	if !validName.MatchString(name) {
		return i, fmt.Errorf("%q: %w", name, ErrNotInstalled)
	}
	data, err := os.ReadFile(filepath.Join(i.Dir, manifestName))
	if errors.Is(err, fs.ErrNotExist) {
		return i, fmt.Errorf("%s: %w", name, ErrNotInstalled)
	}
	if err == nil {
		err = json.Unmarshal(data, &i.Manifest)
	}
	if err != nil {
		return i, fmt.Errorf("%s: cannot read %s: %w", name, manifestName, err)
	}
	return i, i.check(name)
}

// OpenFolder returns the installed model in a folder.
func OpenFolder(dir string) (Installed, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Installed{}, err
	}
	store := &Store{Dir: filepath.Dir(dir)}
	return store.Open(filepath.Base(dir))
}

// check verifies that the files match the manifest.
func (i Installed) check(name string) error {
	if i.Format != format {
		return fmt.Errorf("%s: %s has format %d; this program reads format %d", name, manifestName, i.Format, format)
	}
	if i.Name != name {
		return fmt.Errorf("%s: %s is for the model %q", name, manifestName, i.Name)
	}
	if err := i.Description.check(); err != nil {
		return fmt.Errorf("%s: %s: %w", name, manifestName, err)
	}
	for role := range i.Files {
		if info, err := os.Stat(i.File(role)); err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
			return fmt.Errorf("%s: the file %s is missing or empty; pull the model again", name, i.Files[role])
		}
	}
	return nil
}

// All returns the complete installed models, sorted by name.
func (s *Store) All() ([]Installed, error) {
	names, err := s.names()
	if err != nil {
		return nil, err
	}
	var all []Installed
	for _, name := range names {
		if i, err := s.Open(name); err == nil {
			all = append(all, i)
		}
	}
	return all, nil
}

// names lists the folders of models, sorted.
func (s *Store) names() ([]string, error) {
	entries, err := os.ReadDir(s.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() && validName.MatchString(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// Use makes an installed model the default of its kind.
func (s *Store) Use(name string) error {
	i, err := s.Open(name)
	if err != nil {
		return err
	}
	return s.record(func(defaults map[Kind]string) { defaults[i.Kind] = name })
}

// Default returns the default model of a kind. It returns false if none was chosen or the chosen one was removed.
func (s *Store) Default(kind Kind) (Installed, bool) {
	defaults, err := s.defaults()
	if err != nil || defaults[kind] == "" {
		return Installed{}, false
	}
	i, err := s.Open(defaults[kind])
	return i, err == nil && i.Kind == kind
}

func (s *Store) defaults() (map[Kind]string, error) {
	data, err := os.ReadFile(filepath.Join(s.Dir, defaultsName))
	if errors.Is(err, fs.ErrNotExist) {
		return map[Kind]string{}, nil
	}
	defaults := map[Kind]string{}
	if err == nil {
		err = json.Unmarshal(data, &defaults)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", filepath.Join(s.Dir, defaultsName), err)
	}
	return defaults, nil
}

// record updates the defaults under a lock between processes.
func (s *Store) record(change func(map[Kind]string)) error {
	path, err := s.lockFile(defaultsName)
	if err != nil {
		return err
	}
	held, err := filelock.Wait(context.Background(), path) // held only while a small file is written
	if err != nil {
		return err
	}
	defer held.Close()
	defaults, err := s.defaults()
	if err != nil {
		return err
	}
	change(defaults)
	data, err := json.MarshalIndent(defaults, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(s.Dir, defaultsName), append(data, '\n'))
}

// Remove deletes a model, its partial download, and its entry in the defaults.
func (s *Store) Remove(name string) error {
	if !validName.MatchString(name) {
		return fmt.Errorf("%q: %w", name, ErrNotInstalled)
	}
	held, err := s.lock(name)
	if err != nil {
		return err
	}
	defer held.Close()
	dir, part := filepath.Join(s.Dir, name), s.partFor(name)
	if !exists(dir) && !exists(part.path) {
		return fmt.Errorf("%s: %w", name, ErrNotInstalled)
	}
	err = s.record(func(defaults map[Kind]string) {
		for kind, n := range defaults {
			if n == name {
				delete(defaults, kind)
			}
		}
	})
	return errors.Join(err, s.recover(name), os.RemoveAll(dir), part.remove())
}

// lock locks a model; ErrBusy if it is already locked.
func (s *Store) lock(name string) (*filelock.Lock, error) {
	path, err := s.lockFile(name)
	if err != nil {
		return nil, err
	}
	held, err := filelock.Try(path)
	if errors.Is(err, filelock.ErrBusy) {
		err = fmt.Errorf("%s: %w", name, ErrBusy)
	}
	return held, err
}

func (s *Store) lockFile(name string) (string, error) {
	return filepath.Join(s.Dir, ".lock-"+name), os.MkdirAll(s.Dir, 0o700)
}

// writeFile writes a file atomically.
func writeFile(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// State is the state of a model in the store.
type State string

// The states.
const (
	Available State = "available" // can be pulled
	Partial   State = "partial"   // the download was interrupted and can be resumed
	Ready     State = "installed" //
	Broken    State = "broken"    // its files do not match the manifest
)

// Status is a model of the catalogue or of the folder.
type Status struct {
	Description
	State    State
	Size     int64 // bytes to download; 0 if unknown
	Have     int64 // bytes already downloaded, of a partial download
	Verified bool  // the catalogue has a checksum, or the installed model was verified with it
	Default  bool  // used for its kind unless something else is asked for
	Problem  string
}

// List returns the models of the catalogue, then installed models that are not in it.
func (s *Store) List(entries []Entry) ([]Status, error) {
	defaults, err := s.defaults()
	if err != nil {
		return nil, err
	}
	names, err := s.names()
	if err != nil {
		return nil, err
	}
	var all []Status
	for _, e := range entries {
		names = slices.DeleteFunc(names, func(n string) bool { return n == e.Name })
		all = append(all, s.status(e, defaults))
	}
	for _, name := range names {
		all = append(all, s.status(Entry{Description: Description{Name: name}}, defaults))
	}
	return all, nil
}

func (s *Store) status(e Entry, defaults map[Kind]string) Status {
	one := Status{Description: e.Description, State: Available, Size: e.Size, Verified: e.SHA256 != "",
		Have: s.partFor(e.Name).size()}
	if one.Have > 0 {
		one.State = Partial
	}
	switch i, err := s.Open(e.Name); {
	case err == nil:
		one.Description, one.State, one.Verified = i.Description, Ready, i.Checked
		one.Default = defaults[i.Kind] == e.Name
	case !errors.Is(err, ErrNotInstalled) || exists(i.Dir):
		one.State, one.Problem = Broken, strings.TrimPrefix(err.Error(), e.Name+": ")
	}
	return one
}
