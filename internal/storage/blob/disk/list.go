//go:build unix

package disk

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parley/internal/storage/blob"
)

// page is the number of keys that List sorts in memory.
const page = 50_000

// List implements blob.Store. Keys are unordered on disk, so List reads the folders once per 50,000 keys and holds that
// many in memory; a prefix with two complete names needs only one folder. Blobs stored or deleted during the call may
// be listed or not.
func (s *Store) List(ctx context.Context, prefix string, f func(blob.Info) error) error {
	if _, err := os.Stat(s.dir); err != nil {
		return unavailable("list blobs", err)
	}
	for last, more := "", true; more; {
		keys, err := s.pageAfter(ctx, prefix, last)
		if err != nil {
			return err
		}
		for _, key := range keys {
			if err := s.visit(ctx, key, f); err != nil {
				return err
			}
			last = key
		}
		more = len(keys) == s.page
	}
	return nil
}

func (s *Store) visit(ctx context.Context, key string, f func(blob.Info) error) error {
	if err := context.Cause(ctx); err != nil {
		return fmt.Errorf("list blobs: %w", err)
	}
	info, err := os.Stat(s.place(key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return unavailable("list blobs", err)
	}
	return f(blob.Info{Key: key, Size: info.Size(), Modified: info.ModTime()})
}

// pageAfter returns the first keys after last that begin with prefix, sorted.
func (s *Store) pageAfter(ctx context.Context, prefix, last string) ([]string, error) {
	first, end := 0, shards
	if _, complete := family(prefix); complete {
		first = shardOf(prefix)
		end = first + 1
	}
	lowest := keys{most: s.page}
	for shard := first; shard < end; shard++ {
		if err := context.Cause(ctx); err != nil {
			return nil, fmt.Errorf("list blobs: %w", err)
		}
		if err := s.collect(shard, prefix, last, &lowest); err != nil {
			return nil, err
		}
	}
	slices.Sort(lowest.names)
	return lowest.names, nil
}

// collect adds a shard's keys to the lowest keys found so far.
func (s *Store) collect(shard int, prefix, last string, lowest *keys) error {
	d, err := os.Open(filepath.Join(s.dir, shardName(shard)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return unavailable("list blobs", err)
	}
	defer d.Close()
	for {
		names, err := d.Readdirnames(1000)
		for _, name := range names {
			if key := keyName(name); key > last && strings.HasPrefix(key, prefix) {
				lowest.add(key)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return unavailable("list blobs", err)
		}
	}
}

// keys is a heap with the greatest key on top, which is dropped when a lower one arrives.
type keys struct {
	names []string
	most  int
}

func (k *keys) add(key string) {
	if len(k.names) < k.most {
		heap.Push(k, key)
	} else if key < k.names[0] {
		k.names[0] = key
		heap.Fix(k, 0)
	}
}

// Len, Less, Swap, Push and Pop implement heap.Interface.
func (k *keys) Len() int           { return len(k.names) }
func (k *keys) Less(i, j int) bool { return k.names[i] > k.names[j] }
func (k *keys) Swap(i, j int)      { k.names[i], k.names[j] = k.names[j], k.names[i] }
func (k *keys) Push(x any)         { k.names = append(k.names, x.(string)) }
func (k *keys) Pop() any {
	last := k.names[len(k.names)-1]
	k.names = k.names[:len(k.names)-1]
	return last
}
