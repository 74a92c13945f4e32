package modelstore

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// part is a download that is not complete, with a note of where it came from beside it.
type part struct{ path string }

// origin is that note: without it the beginning of one file might be continued with the end of another.
type origin struct {
	URL      string `json:"url"`
	ETag     string `json:"etag,omitempty"`
	Modified string `json:"modified,omitempty"`
}

// partFor is the download of a model.
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

// validator returns what If-Range may carry: a strong entity tag, else a date (RFC 9110, 13.1.5).
func (o origin) validator() string {
	if o.ETag != "" && o.ETag[0] == '"' {
		return o.ETag
	}
	return o.Modified
}
