package segment

import (
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"parley/internal/words/cipher"
)

// blockBytes is the number of plain bytes in a block, which is a package of package cipher.
const blockBytes = cipher.PackageBytes

// Blocks holds decrypted blocks of encrypted segments in memory, the most recently used ones. It is shared by all
// segments of a process, and safe for concurrent use.
type Blocks struct {
	shards  []shard
	sources atomic.Uint64
}

// shard is a part of the blocks with a lock of its own.
type shard struct {
	mu     sync.Mutex
	recent *simplelru.LRU[blockKey, *block]
}

type blockKey struct {
	source uint64
	n      int
}

// block is a block that is decrypted when it is first read.
type block struct {
	once sync.Once
	data []byte
	err  error
}

const mostShards = 16

// NewBlocks returns a store for at most so many decrypted bytes, but at least one block of 64 KiB. A block that a
// caller of Range still uses is not counted after its eviction. Blocks of a source that is no longer in use stay until
// others take their place.
func NewBlocks(bytes int64) *Blocks {
	blocks := max(int(bytes/blockBytes), 1)
	b := &Blocks{shards: make([]shard, min(mostShards, blocks))}
	for i := range b.shards {
		n := blocks / len(b.shards)
		if i < blocks%len(b.shards) {
			n++
		}
		recent, err := simplelru.NewLRU[blockKey, *block](n, nil)
		if err != nil {
			panic(err) // not reached: n is at least 1
		}
		b.shards[i].recent = recent
	}
	return b
}

// Encrypted returns a source of the bytes that are stored under a key: size encrypted bytes, by cipher.Key.Encrypt, in
// blocks that are decrypted when they are needed. No other bytes may be stored under the key. Each block is verified,
// and so is the end. The error is ErrDamaged if the size is impossible.
func (b *Blocks) Encrypted(key cipher.Key, stored io.ReaderAt, size int64) (Source, error) {
	plain, err := key.Plain(size)
	if err != nil || int64(int(plain)) != plain {
		return nil, fmt.Errorf("%w: %d encrypted bytes", ErrDamaged, size)
	}
	return &encrypted{b, b.sources.Add(1), key, stored, int(plain)}, nil
}

// encrypted is a source of encrypted bytes.
type encrypted struct {
	blocks *Blocks
	id     uint64
	key    cipher.Key
	stored io.ReaderAt
	size   int
}

func (e *encrypted) Size() int { return e.size }

// Range returns a part of a block without copying it, or a copy of the parts of several blocks.
func (e *encrypted) Range(at, n int) ([]byte, error) {
	if at < 0 || n < 0 || at > e.size-n {
		return nil, outside(at, n, e.size)
	}
	if n == 0 {
		return nil, nil
	}
	first, last := at/blockBytes, (at+n-1)/blockBytes
	if first == last {
		data, err := e.block(first)
		if err != nil {
			return nil, err
		}
		from := at - first*blockBytes
		return data[from : from+n : from+n], nil
	}
	whole := make([]byte, 0, n)
	for i := first; i <= last; i++ {
		data, err := e.block(i)
		if err != nil {
			return nil, err
		}
		from := max(at-i*blockBytes, 0)
		to := min(at+n-i*blockBytes, blockBytes)
		whole = append(whole, data[from:to]...)
	}
	return whole, nil
}

// block returns a decrypted block.
func (e *encrypted) block(n int) ([]byte, error) {
	key := blockKey{e.id, n}
	shard := &e.blocks.shards[(e.id*31+uint64(n))%uint64(len(e.blocks.shards))]
	b := shard.get(key)
	b.once.Do(func() { b.data, b.err = e.decrypt(n) })
	if b.err != nil {
		shard.drop(key, b) // the next one tries again
	}
	return b.data, b.err
}

func (e *encrypted) decrypt(n int) ([]byte, error) {
	data, err := e.key.Package(e.stored, int64(e.size), n)
	runtime.KeepAlive(e) // stored may be in a mapped file that is released with e
	switch {
	case cipher.Damaged(err):
		return nil, fmt.Errorf("%w: block %d: %w", ErrDamaged, n, err)
	case err != nil:
		return nil, fmt.Errorf("analytic segment: block %d: %w", n, err)
	}
	return data, nil
}

// get returns a block, which may be new.
func (s *shard) get(key blockKey) *block {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, there := s.recent.Get(key)
	if !there {
		b = &block{}
		s.recent.Add(key, b)
	}
	return b
}

// drop removes a block, unless there is a newer one.
func (s *shard) drop(key blockKey, b *block) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if present, _ := s.recent.Peek(key); present == b {
		s.recent.Remove(key)
	}
}
