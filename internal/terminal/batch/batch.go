// Package batch selects the files to send to a server: which are recordings, what metadata they have, and which were
// sent before.
//
// Metadata of a recording comes from several sources, from the most to the least specific: a JSON file with the same
// name next to it, its row in a CSV file, the pattern of its name, and the metadata shared by all. The package sends
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

// Recording is a file to send.
type Recording struct {
	Path     string
	Metadata []byte // JSON; nil for none
}

// Skip is a file that is not sent, and the reason.
type Skip struct {
	Path  string
	Why   string
	Named bool // named by the caller; otherwise found in a folder
}

// Find lists the recordings among paths: files, and folders with everything below them except hidden files and folders.
// It detects files that are not recordings by their first bytes, and silently ignores sidecars and the files in except.
func Find(paths []string, except ...string) (found []Recording, skipped []Skip, err error) {
	seen := map[string]bool{}
	for _, path := range except {
		seen[absolute(path)] = true
	}
	var rest []Skip
	for _, root := range paths {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if path != root && strings.HasPrefix(entry.Name(), ".") {
				if entry.IsDir() {
					skipped = append(skipped, Skip{Path: path, Why: "hidden folder"})
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
				rest = append(rest, Skip{path, why, path == root})
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

// notMedia returns why a file is not a recording, "" if it is. A file of unknown content counts as a recording, for the
// server to decide, if the caller has named it or its extension is that of a recording.
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
	head, err := io.ReadAll(io.LimitReader(f, audio.HeadSize))
	if err != nil {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	switch kind, _, _ := strings.Cut(http.DetectContentType(head), ";"); {
	case len(head) == 0:
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
