package cache

import (
	"context"
	"crypto/sha256"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"parley/internal/words/fault"
)

// gatedStore is numbered with a gate, for use in a bubble of synctest.
func gatedStore() *store {
	s := numbered()
	s.opens, s.gate = make(chan string, 100), make(chan struct{})
	return s
}

// outcome is what a Get returned.
type outcome struct {
	file *File
	err  error
}

func getAsync(ctx context.Context, c *Cache, key string) <-chan outcome {
	ch := make(chan outcome, 1)
	go func() {
		f, err := c.Get(ctx, key, 100, sha256.Sum256([]byte(strings.Repeat(key, 100))))
		ch <- outcome{f, err}
	}()
	return ch
}

func TestConcurrentGetsShareOneDownload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := gatedStore()
		c := open(t, Config{Blobs: s})
		var all []<-chan outcome
		for range 10 {
			all = append(all, getAsync(t.Context(), c, "a"))
		}
		synctest.Wait()
		s.gate <- struct{}{}
		var first *File
		for _, ch := range all {
			o := <-ch
			if o.err != nil || first != nil && o.file != first {
				t.Errorf("%p, want %p (%v)", o.file, first, o.err)
			}
			first = o.file
		}
		if got := c.Stats(); len(s.opens) != 1 || got.Misses != 10 || got.Fetched != 100 {
			t.Errorf("%d downloads, %+v", len(s.opens), got)
		}
	})
}

func TestAGetWhoseContextEndsLeavesTheDownloadToOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := gatedStore()
		c := open(t, Config{Blobs: s})
		ctx, cancel := context.WithCancelCause(t.Context())
		cause := errors.New("the question was withdrawn")
		first, second := getAsync(ctx, c, "a"), getAsync(t.Context(), c, "a")
		synctest.Wait()
		cancel(cause)
		if o := <-first; !errors.Is(o.err, cause) {
			t.Error(o.err)
		}
		s.gate <- struct{}{}
		if o := <-second; o.err != nil || len(s.opens) != 1 {
			t.Errorf("%d downloads, %v", len(s.opens), o.err)
		}
		if _, err := c.Get(ctx, "a", 100, [32]byte{}); !errors.Is(err, cause) {
			t.Error(err)
		}
	})
}

func TestADownloadEndsWhenNobodyWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := gatedStore()
		c := open(t, Config{Blobs: s})
		ctx, cancel := context.WithCancel(t.Context())
		first, second := getAsync(ctx, c, "a"), getAsync(ctx, c, "a")
		synctest.Wait()
		cancel()
		<-first
		<-second
		c.running.Wait() // nobody opens the gate
		wantNames(t, c, "")
		third := getAsync(t.Context(), c, "a")
		s.gate <- struct{}{}
		if o := <-third; o.err != nil || len(s.opens) != 2 {
			t.Errorf("%d downloads, %v", len(s.opens), o.err)
		}
	})
}

func TestAGetDoesNotJoinADownloadThatWasCanceled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := gatedStore()
		s.slow = true
		c := open(t, Config{Blobs: s})
		ctx, cancel := context.WithCancel(t.Context())
		first := getAsync(ctx, c, "a")
		synctest.Wait()
		cancel()
		<-first // its download still waits for the gate
		second := getAsync(t.Context(), c, "a")
		synctest.Wait()
		s.gate <- struct{}{}
		s.gate <- struct{}{}
		if o := <-second; o.err != nil || len(s.opens) != 2 {
			t.Errorf("%d downloads, %v", len(s.opens), o.err)
		}
		c.running.Wait()
		wantNames(t, c, "a.blob")
	})
}

func TestDownloadsRunConcurrentlyUpToALimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := gatedStore()
		c := open(t, Config{Blobs: s, Downloads: 2})
		running := []<-chan outcome{getAsync(t.Context(), c, "a"), getAsync(t.Context(), c, "b")}
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		impatient, patient := getAsync(ctx, c, "c"), getAsync(t.Context(), c, "d")
		synctest.Wait()
		if len(s.opens) != 2 {
			t.Errorf("%d concurrent downloads", len(s.opens))
		}
		cancel()
		if o := <-impatient; !errors.Is(o.err, context.Canceled) {
			t.Error(o.err)
		}
		for range 3 {
			s.gate <- struct{}{}
		}
		for _, ch := range append(running, patient) {
			if o := <-ch; o.err != nil {
				t.Error(o.err)
			}
		}
		wantNames(t, c, "a.blob b.blob d.blob")
	})
}

func TestFilesAreReadWhileAllDownloadsHang(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := restarted(t, "a", "b")
		s := gatedStore()
		c := open(t, Config{Dir: dir, Blobs: s, Downloads: 1})
		hanging := getAsync(t.Context(), c, "c")
		synctest.Wait()
		get(t, c, "a")
		get(t, c, "b")
		s.gate <- struct{}{}
		if o := <-hanging; o.err != nil {
			t.Error(o.err)
		}
	})
}

func TestCloseEndsDownloads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, Config{Blobs: gatedStore()})
		waiting := getAsync(t.Context(), c, "a")
		synctest.Wait()
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if o := <-waiting; !fault.Is(o.err, fault.Unavailable) {
			t.Error(o.err)
		}
		if o := <-getAsync(t.Context(), c, "a"); !fault.Is(o.err, fault.Unavailable) {
			t.Error(o.err)
		}
		wantNames(t, c, "")
	})
}

func TestForgetDuringADownloadKeepsNoFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := gatedStore()
		c := open(t, Config{Blobs: s})
		first := getAsync(t.Context(), c, "a")
		synctest.Wait()
		c.Forget("a")
		second := getAsync(t.Context(), c, "a")
		synctest.Wait()
		if len(s.opens) != 2 {
			t.Error("a Get after Forget joined the download that began before it")
		}
		c.Forget("a")
		s.gate <- struct{}{}
		s.gate <- struct{}{}
		old := []outcome{<-first, <-second}
		wantNames(t, c, "")
		third := getAsync(t.Context(), c, "a")
		s.gate <- struct{}{}
		o := <-third
		if old[0].err != nil || old[1].err != nil || o.err != nil || o.file == old[0].file || o.file == old[1].file {
			t.Errorf("%v, %v", old, o)
		}
		wantNames(t, c, "a.blob")
	})
}
