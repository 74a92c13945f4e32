package cache

import (
	"context"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
)

func TestConcurrentUseKeepsFolderAndFiguresInAgreement(t *testing.T) {
	c := open(t, Config{Blobs: numbered(), Size: 250, Downloads: 2})
	var users sync.WaitGroup
	for range 8 {
		users.Go(func() {
			for range 200 {
				useOnce(t, c, string("abcde"[rand.IntN(5)]))
			}
		})
	}
	users.Wait()
	c.running.Wait() // downloads that nobody waits for any more
	files := strings.Fields(names(t, c))
	if got := c.Stats(); got.Files != len(files) || got.Bytes != int64(100*len(files)) || got.Bytes > 250 {
		t.Errorf("%+v, but these files: %v", got, files)
	}
	for _, f := range files {
		if data, err := os.ReadFile(c.path(f[:1])); err != nil || string(data) != strings.Repeat(f[:1], 100) {
			t.Errorf("%s: %q, %v", f, data, err)
		}
	}
}

// useOnce does one of the things that callers do with a blob.
func useOnce(t *testing.T, c *Cache, key string) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	switch rand.IntN(6) {
	case 0:
		c.Forget(key)
	case 1:
		unshare(c)
	case 2:
		o := getAsync(ctx, c, key)
		cancel()
		<-o
	default:
		if o := <-getAsync(ctx, c, key); o.err != nil || text(o.file) != strings.Repeat(key, 100) {
			t.Errorf("%s: %v", key, o.err)
		}
	}
}
