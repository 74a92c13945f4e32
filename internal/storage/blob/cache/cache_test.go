package cache

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"parley/internal/storage/blob"
	"parley/internal/words/fault"
)

// store is a blob.Store of which only Open is called.
type store struct {
	blob.Store
	blobs map[string]string
	opens chan string   // unless nil, receives the key of each Open
	gate  chan struct{} // unless nil, reading the second half of a blob waits for an element
	slow  bool          // reading does not end with the context
}

func (s *store) Open(ctx context.Context, key string, _, length int64) (io.ReadCloser, error) {
	if s.opens != nil {
		s.opens <- key
	}
	data, ok := s.blobs[key]
	if !ok {
		return nil, fault.New(fault.NotFound, fault.CodeNotFound, "no blob %s", key)
	}
	data = data[:min(int64(len(data)), length)]
	if s.gate == nil {
		return io.NopCloser(strings.NewReader(data)), nil
	}
	if s.slow {
		ctx = context.WithoutCancel(ctx)
	}
	first, second := data[:len(data)/2], data[len(data)/2:]
	return io.NopCloser(io.MultiReader(strings.NewReader(first), gated{ctx, s.gate}, strings.NewReader(second))), nil
}

// gated is an empty reader whose end waits for an element.
type gated struct {
	ctx  context.Context
	gate chan struct{}
}

func (g gated) Read([]byte) (int, error) {
	select {
	case <-g.gate:
		return 0, io.EOF
	case <-g.ctx.Done():
		return 0, context.Cause(g.ctx)
	}
}

// numbered is a store with the blobs a, b, c, d and e of 100 bytes each.
func numbered() *store {
	s := &store{blobs: map[string]string{}}
	for _, key := range []string{"a", "b", "c", "d", "e"} {
		s.blobs[key] = strings.Repeat(key, 100)
	}
	return s
}

func open(t *testing.T, c Config) *Cache {
	t.Helper()
	if c.Dir == "" {
		c.Dir = filepath.Join(t.TempDir(), "cache")
	}
	if c.Size == 0 {
		c.Size = 1 << 20
	}
	x, err := Open(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}

// get asks for what the blobs of numbered have.
func get(t *testing.T, c *Cache, key string) *File {
	t.Helper()
	return getData(t, c, key, strings.Repeat(key, 100))
}

func getData(t *testing.T, c *Cache, key, data string) *File {
	t.Helper()
	f, err := c.Get(t.Context(), key, int64(len(data)), sha256.Sum256([]byte(data)))
	if err != nil {
		t.Fatalf("%s: %v", key, err)
	}
	if text(f) != data {
		t.Fatalf("%s: other bytes", key)
	}
	return f
}

// text copies the bytes of a file, which could be unmapped during the copy otherwise.
func text(f *File) string {
	defer runtime.KeepAlive(f)
	return string(f.Data())
}

// names lists the folder of a cache, without its lock.
func names(t *testing.T, c *Cache) string {
	t.Helper()
	files, err := os.ReadDir(c.Dir)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, f := range files {
		if f.Name() != "lock" {
			found = append(found, strings.TrimLeft(f.Name(), "0123456789"))
		}
	}
	return strings.Join(found, " ")
}

func wantNames(t *testing.T, c *Cache, want string) {
	t.Helper()
	if got := names(t, c); got != want {
		t.Errorf("files %q, want %q", got, want)
	}
}

// unshare makes the next Gets open files again, as they do when nobody references the open ones.
func unshare(c *Cache) {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.shared)
}

func TestABlobIsFetchedOnce(t *testing.T) {
	s := numbered()
	s.blobs["x/y"], s.blobs["empty"] = "slash", ""
	c := open(t, Config{Blobs: s})
	for range 3 {
		get(t, c, "a")
		getData(t, c, "x/y", "slash")
		getData(t, c, "empty", "")
		unshare(c)
	}
	want := Stats{Files: 3, Bytes: 105, Hits: 6, Misses: 3, Fetched: 105}
	if got := c.Stats(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	wantNames(t, c, "a.blob empty.blob x=y.blob")
}

func TestABlobThatDoesNotMatchIsNeverGivenOut(t *testing.T) {
	for name, stored := range map[string]string{"other": "abcX", "shorter": "abc", "longer": "abcde", "empty": ""} {
		t.Run(name, func(t *testing.T) {
			c := open(t, Config{Blobs: &store{blobs: map[string]string{"k": stored}}})
			f, err := c.Get(t.Context(), "k", 4, sha256.Sum256([]byte("abcd")))
			if f != nil || !errors.Is(err, ErrCorrupt) || !fault.Is(err, fault.Internal) {
				t.Errorf("%v, %v", f, err)
			}
			wantNames(t, c, "")
		})
	}
}

func TestAMissingBlobIsNotACorruptOne(t *testing.T) {
	c := open(t, Config{Blobs: &store{}})
	if _, err := c.Get(t.Context(), "k", 4, [32]byte{}); !fault.Is(err, fault.NotFound) || errors.Is(err, ErrCorrupt) {
		t.Error(err)
	}
	wantNames(t, c, "")
}

func TestBadKeysAndSizesAreInvalid(t *testing.T) {
	c := open(t, Config{Blobs: numbered()})
	for key, size := range map[string]int64{"../a": 1, "a": -1} {
		if _, err := c.Get(t.Context(), key, size, [32]byte{}); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s, %d bytes: %v", key, size, err)
		}
	}
}

func TestAReplacedBlobReplacesItsFile(t *testing.T) {
	s := numbered()
	c := open(t, Config{Blobs: s})
	old := get(t, c, "a")
	s.blobs["a"] = "new"
	getData(t, c, "a", "new")
	if text(old) != strings.Repeat("a", 100) {
		t.Error("the earlier file changed")
	}
	if got := c.Stats(); got.Files != 1 || got.Bytes != 3 {
		t.Errorf("%+v", got)
	}
}

func TestAFailedFetchOfAnotherVersionLeavesTheFile(t *testing.T) {
	c := open(t, Config{Blobs: numbered()})
	get(t, c, "a")
	if _, err := c.Get(t.Context(), "a", 3, sha256.Sum256([]byte("old"))); !errors.Is(err, ErrCorrupt) {
		t.Error(err)
	}
	wantNames(t, c, "a.blob")
}

func TestForgetRemovesTheFileAtOnce(t *testing.T) {
	c := open(t, Config{Blobs: numbered()})
	f := get(t, c, "a")
	get(t, c, "b")
	c.Forget("a")
	c.Forget("unknown")
	wantNames(t, c, "b.blob")
	if text(f) != strings.Repeat("a", 100) {
		t.Error("the open file changed")
	}
	if get(t, c, "a") == f {
		t.Error("the forgotten file was given out again")
	}
}

func TestTwoProcessesUseTwoFolders(t *testing.T) {
	first := open(t, Config{Blobs: numbered()})
	second := open(t, Config{Blobs: numbered(), Dir: first.Dir})
	if second.Dir != first.Dir+"-2" {
		t.Error(second.Dir)
	}
	first.Close()
	if third := open(t, Config{Blobs: numbered(), Dir: first.Dir}); third.Dir != first.Dir {
		t.Error(third.Dir)
	}
}

func TestOpenFilesAreShared(t *testing.T) {
	c := open(t, Config{Blobs: numbered(), Size: 100})
	f := get(t, c, "a")
	if get(t, c, "a") != f {
		t.Error("a second mapping of the same file")
	}
	get(t, c, "b") // removes the file of a
	if get(t, c, "a") != f {
		t.Error("a removed file that is open was fetched again")
	}
}

func TestUnreferencedFilesAreUnmapped(t *testing.T) {
	c := open(t, Config{Blobs: numbered()})
	f := get(t, c, "a")
	if isMapped(t, c) == 0 {
		t.Skip("cannot see mappings on this system")
	}
	runtime.KeepAlive(f)
	for open := 1; open > 0 || isMapped(t, c) > 0; runtime.Gosched() { // the time limit of the test ends it
		runtime.GC()
		c.mu.Lock()
		open = len(c.shared)
		c.mu.Unlock()
	}
	get(t, c, "a")
}

// mapped returns the number of mappings of files in the folder; 0 if the system does not list them.
func isMapped(t *testing.T, c *Cache) int {
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Skip("cannot see mappings on this system")
	}
	return strings.Count(string(maps), c.Dir)
}
