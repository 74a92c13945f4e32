package modelstore

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// part is an incomplete download, with its origin in a file beside it.
type part struct{ path string }

// origin identifies the source of a part. Without it, the beginning of one file could be joined with the end of
// another.
type origin struct {
	URL      string `json:"url"`
	ETag     string `json:"etag,omitempty"`
	Modified string `json:"modified,omitempty"`
}

// partFor returns the part of a model's download.
func (s *Store) partFor(name string) part { return part{filepath.Join(s.Dir, ".part-"+name)} }

func (p part) note() string { return p.path + ".json" }

func (p part) size() int64 {
	info, err := os.Stat(p.path)
	if err != nil {
		return 0
	}
	return info.Size()
}

func (p part) origin() origin {
	var o origin
	if data, err := os.ReadFile(p.note()); err != nil || json.Unmarshal(data, &o) != nil {
		return origin{}
	}
	return o
}

func (p part) setOrigin(o origin) error {
	data, err := json.Marshal(o)
	if err != nil {
		return err
	}
	return writeFile(p.note(), data)
}

func (p part) remove() error {
	var errs []error
	for _, name := range []string{p.path, p.note()} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// validator returns the value for If-Range: a strong entity tag, else a date (RFC 9110, 13.1.5).
func (o origin) validator() string {
	if o.ETag != "" && o.ETag[0] == '"' {
		return o.ETag
	}
	return o.Modified
}
