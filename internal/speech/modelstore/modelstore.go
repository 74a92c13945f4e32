// Package modelstore installs neural models for recognisers: a catalogue of available models, resumable and verified
// downloads, and a folder of installed models.
//
// The engines run the models and read the manifest of an installed one (see docs/models.md). Downloads are started by
// the operator in a terminal, from addresses in the catalogue or on the command line. Customers cannot influence
// them, so package netguard is not used.
package modelstore

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"parley/internal/words/list"
)

// Kind is the purpose of a model.
type Kind string

// The kinds.
const (
	Speech       Kind = "speech"       // speech to words
	VAD          Kind = "vad"          // where somebody speaks
	Segmentation Kind = "segmentation" // where speakers change
	Embedding    Kind = "embedding"    // who speaks
)

// Description is the metadata of a model, installed or not.
type Description struct {
	Name      string            `json:"name"`
	Title     string            `json:"title"`
	Kind      Kind              `json:"kind"`
	Engine    string            `json:"engine"` // engine that runs it, such as sherpa-onnx
	Family    string            `json:"family"` // model architecture, such as nemo_transducer
	Languages []string          `json:"languages,omitempty"`
	Licence   string            `json:"licence"`
	Home      string            `json:"home"`  // web page of its authors
	Files     map[string]string `json:"files"` // role → path in the model's folder
}

// Entry is a model that can be installed.
type Entry struct {
	Description
	URL    string `json:"url"`
	Size   int64  `json:"size"`             // bytes to download; approximate without SHA256, 0 if unknown
	SHA256 string `json:"sha256,omitempty"` // of the download, in hex; empty if unknown
}

// Archive is the file name of the download.
func (e Entry) Archive() string { return path.Base(e.URL) }

// Errors that callers distinguish.
var (
	ErrUnknown      = errors.New("unknown model")
	ErrNotInstalled = errors.New("the model is not installed")
	ErrBusy         = errors.New("another process is installing or removing it")
	ErrSum          = errors.New("wrong checksum or size")
	ErrUnverified   = errors.New("the catalogue has no checksum for this model, so the download cannot be verified")
)

//go:embed catalogue.json
var catalogue []byte

// Catalogue lists the models that can be installed.
func Catalogue() ([]Entry, error) { return parseCatalogue(catalogue) }

func parseCatalogue(data []byte) ([]Entry, error) {
	var entries []Entry
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&entries); err != nil {
		return nil, fmt.Errorf("catalogue of models: %w", err)
	}
	for _, e := range entries {
		if err := e.check(); err != nil {
			return nil, fmt.Errorf("catalogue of models: %s: %w", e.Name, err)
		}
	}
	return entries, nil
}

// Find returns the entry with a name; the error lists the available names.
func Find(entries []Entry, name string) (Entry, error) {
	i := slices.IndexFunc(entries, func(e Entry) bool { return e.Name == name })
	if i >= 0 {
		return entries[i], nil
	}
	names := list.Map(entries, func(e Entry) string { return e.Name })
	return Entry{}, fmt.Errorf("%s: %w; available: %s", name, ErrUnknown, strings.Join(names, ", "))
}

var (
	validName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)
	validSum  = regexp.MustCompile(`^[0-9a-f]{64}$`)
	kinds     = []Kind{Speech, VAD, Segmentation, Embedding}
)

// check rejects a description that cannot be installed or run.
func (d Description) check() error {
	if !validName.MatchString(d.Name) || strings.HasSuffix(d.Name, ".json") {
		return errors.New("invalid name; use lower-case letters, digits, dots and dashes")
	}
	if !slices.Contains(kinds, d.Kind) || d.Engine == "" || d.Family == "" || len(d.Files) == 0 || d.Kind == Speech &&
		len(d.Languages) == 0 {
		return errors.New("kind, engine, family, files or languages is missing or invalid")
	}
	for role, file := range d.Files {
		if role == "" || !filepath.IsLocal(file) || strings.Contains(file, `\`) || path.Clean(file) != file ||
			file == manifestName {
			return fmt.Errorf("files.%s: the path %q is not allowed; use a relative path inside the model folder", role,
				file)
		}
	}
	return nil
}

func (e Entry) check() error {
	if err := e.Description.check(); err != nil {
		return err
	}
	if e.SHA256 != "" && (!validSum.MatchString(e.SHA256) || e.Size <= 0) {
		return errors.New("sha256 is invalid, or size is missing")
	}
	if !strings.HasPrefix(e.URL, "https://") || !validArchive(e.Archive()) || e.Licence == "" {
		return errors.New("url or licence is missing or invalid")
	}
	return nil
}
