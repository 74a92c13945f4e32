//go:build unix

package disk

import (
	"fmt"
	"hash/fnv"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"parley/internal/host/durable"
	"parley/internal/words/fault"
)

const shards = 256

func shardName(shard int) string { return fmt.Sprintf("%02x", shard) }

// family returns a key's first two names, which determine its shard, or all of a shorter key. For a prefix, complete
// reports whether all keys with this prefix share the family.
func family(key string) (_ string, complete bool) {
	names := strings.SplitN(key, "/", 3)
	if len(names) < 3 {
		return key, false
	}
	return names[0] + "/" + names[1], true
}

func shardOf(key string) int {
	name, _ := family(key)
	h := fnv.New32a()
	h.Write([]byte(name))
	return int(h.Sum32() % shards)
}

// makeShard creates the folder of a shard. Each process syncs it once, since a process that finds the folder cannot
// know whether its creator has synced it already. The folder of all shards must exist: if the blobs' disk has been
// unmounted, nothing is created in its place.
func (s *Store) makeShard(shard int) error {
	if s.made[shard].Load() {
		return nil
	}
	if err := durable.MakeFolder(filepath.Join(s.dir, shardName(shard))); err != nil {
		return err
	}
	s.made[shard].Store(true)
	return nil
}

// Free returns the bytes available on the store's file system.
func (s *Store) Free() (uint64, error) { return Free(s.dir) }

// Free returns the bytes available on the file system of a folder.
func Free(dir string) (uint64, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, unavailable("determine the free space", err)
	}
	return st.Bavail * uint64(st.Bsize), nil
}

// roomLeft fails if the free space has fallen to the reserve.
func (s *Store) roomLeft() error {
	if s.reserve == 0 {
		return nil
	}
	free, err := s.Free()
	if err != nil {
		return err
	}
	if free < s.reserve {
		return fault.New(fault.Unavailable, fault.CodeUnavailable,
			"the disk of the blob store is nearly full: %d MB are free, %d MB are kept in reserve", free>>20,
			s.reserve>>20)
	}
	return nil
}
