package cache_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"parley/internal/storage/blob/cache"
	"parley/internal/storage/blob/disk"
)

func ExampleCache_Get() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	store, err := disk.Open(disk.Config{Dir: dir})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()
	store.Put(context.Background(), "segment/1", strings.NewReader("hello"))

	c, err := cache.Open(cache.Config{Dir: filepath.Join(dir, "cache"), Size: 1 << 20, Blobs: store})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	for range 2 {
		file, err := c.Get(context.Background(), "segment/1", 5, sha256.Sum256([]byte("hello")))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s\n", file.Data())
		runtime.KeepAlive(file)
	}
	s := c.Stats()
	fmt.Println(s.Files, s.Bytes, s.Hits, s.Misses)
	// Output:
	// hello
	// hello
	// 1 5 1 1
}
