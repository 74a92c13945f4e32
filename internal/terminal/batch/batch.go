// Package batch is what goes to a server of files and folders: which of them are recordings, what is known of each, and
// which were sent before.
//
// Metadata of a recording comes from several places, the more special before the more general: a JSON file of the same
// name beside it, its row in a CSV file, the pattern of its name, the metadata that all share. The package sends
// nothing.
package batch

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"parley/internal/speech/audio"
)

// Recording is a file that is to be sent.
type Recording struct {
	Path     string
	Metadata []byte // JSON; nil for none
}

// Skipped is a file that is not sent, and why.
type Skipped struct {
	Path  string
	Why   string
	Named bool // by the caller; else it was found in a folder
}

// Find lists the recordings among paths: files, and folders with everything below them except hidden files and folders.
// What is no recording is told by the first bytes; sidecars and the files in except are passed over in silence.
func Find(paths []string, except ...string) (found []Recording, skipped []Skipped, err error) {
	seen := map[string]bool{}
	for _, path := range except {
		seen[absolute(path)] = true
	}
	var rest []Skipped
	for _, root := range paths {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if path != root && strings.HasPrefix(entry.Name(), ".") {
				if entry.IsDir() {
					skipped = append(skipped, Skipped{Path: path, Why: "a hidden folder"})
					return fs.SkipDir
				}
				return nil
			}
			if entry.IsDir() || seen[absolute(path)] {
				return nil
			}
			seen[absolute(path)] = true
			why, err := notMedia(path, path == root)
			switch {
			case err != nil:
				return err
			case why == "":
				found = append(found, Recording{Path: path})
			default:
				rest = append(rest, Skipped{path, why, path == root})
			}
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
	}
	sidecars := map[string]bool{}
	for _, r := range found {
		sidecars[sidecarOf(r.Path)] = true
	}
	for _, s := range rest {
		if s.Named || !sidecars[s.Path] {
			skipped = append(skipped, s)
		}
	}
	return found, skipped, nil
}

func absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return filepath.Clean(path)
}

// notMedia says why a file is no recording, "" for one that is. Bytes that nobody recognises are left to the server
// where the caller has named the file, or its name ends as recordings do.
func notMedia(path string, named bool) (why string, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) && !named {
		return "a link to a file that does not exist", nil
	}
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "not a file", nil
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	head := make([]byte, audio.HeadSize)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && err != io.EOF {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	head = head[:n]
	switch kind, _, _ := strings.Cut(http.DetectContentType(head), ";"); {
	case n == 0:
		return "the file is empty", nil
	case audio.ContentType(head, path) != audio.Unknown && kind != "text/plain":
		return "", nil
	case kind == audio.Unknown && (named || audio.IsExtension(filepath.Ext(path))):
		return "", nil
	case kind == audio.Unknown:
		return "not a recording: bytes of an unknown format", nil
	default:
		return "not a recording: " + kind, nil
	}
}
