package eval

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Recording is an audio file with a reference next to it.
type Recording struct {
	Path  string
	Set   string      // the folder below the given one, or the file's name without extension
	Text  []string    // reference words; nil if Timed has them
	Timed []TimedWord // reference words of all channels, with times
	Call  bool        // one channel per speaker
}

var audioFiles = []string{".wav", ".flac", ".mp3", ".m4a", ".ogg", ".opus", ".webm", ".mp4", ".aac", ".aiff"}

// Find lists the recordings below a folder that have a reference: NAME.txt with the words, optionally with
// NAME.align.json (PocketSphinx's alignment), or for a call NAME.voicebase.json (a VoiceBase V2 result).
func Find(dir string) ([]Recording, error) {
	var found []Recording
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !slices.Contains(audioFiles, strings.ToLower(filepath.Ext(path))) {
			return err
		}
		r := Recording{Path: path, Set: set(dir, path)}
		if err := r.read(strings.TrimSuffix(path, filepath.Ext(path))); err != nil {
			return fmt.Errorf("reference of %s: %w", path, err)
		}
		if r.Text != nil || r.Timed != nil {
			found = append(found, r)
		}
		return nil
	})
	return found, err
}

func set(dir, path string) string {
	below, _ := filepath.Rel(dir, path)
	if folder, _, inFolder := strings.Cut(below, string(filepath.Separator)); inFolder {
		return folder
	}
	return strings.TrimSuffix(below, filepath.Ext(below))
}

// read reads the references that exist.
func (r *Recording) read(base string) error {
	if text, err := os.ReadFile(base + ".txt"); err == nil {
		r.Text = strings.Fields(string(text))
	}
	if data, err := os.ReadFile(base + ".align.json"); err == nil {
		return r.readAlignment(data)
	}
	if data, err := os.ReadFile(base + ".voicebase.json"); err == nil {
		r.Call = true
		return r.readVoiceBase(data)
	}
	return nil
}

func (r *Recording) readAlignment(data []byte) error {
	var a struct {
		Words []struct {
			Begin float64 `json:"b"`
			Text  string  `json:"t"`
		} `json:"w"`
	}
	err := json.Unmarshal(data, &a)
	for _, w := range a.Words {
		if text, _, _ := strings.Cut(w.Text, "("); !strings.HasPrefix(text, "<") {
			r.Timed = append(r.Timed, TimedWord{text, time.Duration(w.Begin * float64(time.Second))})
		}
	}
	return err
}

func (r *Recording) readVoiceBase(data []byte) error {
	var v struct {
		Media struct {
			Transcripts struct {
				Latest struct {
					Words []struct {
						Start int64  `json:"s"`
						Text  string `json:"w"`
						Mark  string `json:"m"`
					}
				}
			}
		}
	}
	err := json.Unmarshal(data, &v)
	for _, w := range v.Media.Transcripts.Latest.Words {
		if w.Mark == "" {
			r.Timed = append(r.Timed, TimedWord{w.Text, time.Duration(w.Start) * time.Millisecond})
		}
	}
	return err
}
