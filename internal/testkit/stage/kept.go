package stage

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"parley/internal/host/filelock"
)

// sources decide what a full server has.
//
//go:embed definition.go foreign.go item.go long.go month.go talk.go talk.txt voice.go
var sources embed.FS

// keepFor is how long a filled folder that nobody uses stays in the cache.
const keepFor = 3 * 7 * 24 * time.Hour

// week is the start of this week: filled folders are a week old at most, so that "the last month" has calls.
func week() time.Time {
	day := time.Now().UTC().Truncate(24 * time.Hour)
	return day.AddDate(0, 0, -int(day.Weekday()))
}

// cached returns a folder of the user's cache that fill has filled; it is filled once for each version of the stored
// formats and of the parts. Several processes wait for the one that fills it.
func cached(
	ctx context.Context, name string, fill func(ctx context.Context, dir string) error, parts ...string,
) (string, error) {
	all, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	all = filepath.Join(all, "parley-stage")
	if err := os.MkdirAll(all, 0o700); err != nil {
		return "", err
	}
	version, err := version(parts)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(all, name+"-"+version)
	lock, err := filelock.Wait(ctx, filepath.Join(all, name+".lock"))
	if err != nil {
		return "", err
	}
	defer lock.Close()
	if _, err := os.Stat(dir); err == nil {
		now := time.Now()
		return dir, os.Chtimes(dir, now, now)
	}
	discard(all, name)
	making, err := os.MkdirTemp(all, "making-"+name+"-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(making)
	if err := fill(ctx, making); err != nil {
		return "", fmt.Errorf("fill %s: %w", name, err)
	}
	return dir, os.Rename(making, dir)
}

// discard removes folders that nobody has used for long, and unfinished ones.
func discard(all, name string) {
	entries, err := os.ReadDir(all)
	if err != nil {
		return
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !e.IsDir() {
			continue
		}
		old := strings.HasPrefix(e.Name(), name+"-") && time.Since(info.ModTime()) > keepFor
		if old || strings.HasPrefix(e.Name(), "making-"+name+"-") {
			os.RemoveAll(filepath.Join(all, e.Name()))
		}
	}
}

// version is a hash of all that decides what is stored.
func version(parts []string) (string, error) {
	sum := sha256.New()
	formats, err := storedFormats()
	if err != nil {
		return "", err
	}
	sum.Write(formats)
	for _, p := range parts {
		io.WriteString(sum, p)
	}
	return hex.EncodeToString(sum.Sum(nil)[:8]), nil
}

// content is the content of the sources.
func content() string {
	var all strings.Builder
	entries, err := sources.ReadDir(".")
	for _, e := range entries {
		var text []byte
		if text, err = sources.ReadFile(e.Name()); err == nil {
			all.Write(text)
		}
	}
	if err != nil {
		panic(err) // they are embedded
	}
	return all.String()
}

// storedFormats returns the hashes of all stored formats: testdata/stored.sha256 of the module.
func storedFormats() ([]byte, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, found := os.Stat(filepath.Join(dir, "go.mod")); found == nil {
			return os.ReadFile(filepath.Join(dir, "testdata", "stored.sha256"))
		}
		if dir == filepath.Dir(dir) {
			err = errors.New("run this within the source tree")
		}
		dir = filepath.Dir(dir)
	}
	return nil, err
}

// duplicate makes a data directory like another one, which no server uses. Blobs never change, so they are links.
func duplicate(from, to string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, inside)
		if entry.IsDir() {
			return os.MkdirAll(target, 0o700)
		}
		if strings.HasPrefix(inside, "blobs"+string(filepath.Separator)) && os.Link(path, target) == nil {
			return nil
		}
		return copyFile(path, target)
	})
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
