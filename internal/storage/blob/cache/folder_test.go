package cache

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// restarted returns the folder of a closed cache with some of the blobs of numbered, used in this order.
func restarted(t *testing.T, keys ...string) string {
	t.Helper()
	c := open(t, Config{Blobs: numbered()})
	for i, key := range keys {
		get(t, c, key)
		used := time.Now().Add(time.Duration(i-len(keys)) * time.Hour)
		if err := os.Chtimes(c.path(key), used, used); err != nil {
			t.Fatal(err)
		}
	}
	c.Close()
	return c.Dir
}

func TestFilesOfAnEarlierProcessAreUsed(t *testing.T) {
	c := open(t, Config{Dir: restarted(t, "a", "b"), Blobs: &store{}})
	get(t, c, "a")
	get(t, c, "b")
	want := Stats{Files: 2, Bytes: 200, Hits: 2}
	if got := c.Stats(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestAFileOfAnEarlierProcessThatDoesNotMatchIsFetchedAgain(t *testing.T) {
	for name, content := range map[string]string{"other": strings.Repeat("b", 100), "shorter": "aa", "empty": "",
		"longer": strings.Repeat("a", 101)} {
		t.Run(name, func(t *testing.T) {
			dir := restarted(t, "a")
			if err := os.WriteFile(filepath.Join(dir, "a.blob"), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			missing := open(t, Config{Dir: dir, Blobs: &store{}})
			if o := <-getAsync(t.Context(), missing, "a"); o.err == nil {
				t.Error("the damaged file was given out")
			}
			wantNames(t, missing, "")
			c := open(t, Config{Dir: restarted(t, "a"), Blobs: numbered()})
			if err := os.WriteFile(c.path("a"), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			get(t, c, "a")
			if got := c.Stats(); got.Misses != 1 || got.Files != 1 || got.Bytes != 100 {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestAFileThatWasRemovedIsFetchedAgain(t *testing.T) {
	c := open(t, Config{Dir: restarted(t, "a"), Blobs: numbered()})
	if err := os.Remove(c.path("a")); err != nil {
		t.Fatal(err)
	}
	get(t, c, "a")
	wantNames(t, c, "a.blob")
}

func TestAFileThatWasTruncatedIsFetchedAgain(t *testing.T) {
	c := open(t, Config{Blobs: numbered()})
	get(t, c, "a")
	unshare(c)
	if err := os.Truncate(c.path("a"), 50); err != nil {
		t.Fatal(err)
	}
	get(t, c, "a")
	if got := c.Stats(); got.Misses != 2 || got.Files != 1 {
		t.Errorf("%+v", got)
	}
}

func TestACanceledCheckKeepsTheFile(t *testing.T) {
	c := open(t, Config{Dir: restarted(t, "a"), Blobs: numbered()})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.local(ctx, want{key: "a", size: 100}); err == nil {
		t.Error("no error")
	}
	wantNames(t, c, "a.blob")
}

func TestTheFolderStaysWithinItsSize(t *testing.T) {
	c := open(t, Config{Blobs: numbered(), Size: 350})
	a := get(t, c, "a")
	get(t, c, "b")
	get(t, c, "c")
	get(t, c, "a")
	get(t, c, "d") // removes b, the least recently used one
	wantNames(t, c, "a.blob c.blob d.blob")
	unshare(c)
	get(t, c, "b")
	get(t, c, "e")
	wantNames(t, c, "b.blob d.blob e.blob")
	if text(a) != strings.Repeat("a", 100) {
		t.Error("a removed file that is open changed")
	}
	if got := c.Stats(); got.Files != 3 || got.Bytes != 300 {
		t.Errorf("%+v", got)
	}
}

func TestTheFolderIsReducedToItsSizeAfterARestart(t *testing.T) {
	c := open(t, Config{Dir: restarted(t, "c", "a", "d", "b"), Blobs: numbered(), Size: 200})
	wantNames(t, c, "b.blob d.blob")
	get(t, c, "d")
	get(t, c, "a")
	wantNames(t, c, "a.blob d.blob")
}

func TestABlobBiggerThanTheCacheIsGivenOutAndNotKept(t *testing.T) {
	s := numbered()
	s.blobs["big"] = strings.Repeat("x", 300)
	c := open(t, Config{Blobs: s, Size: 200})
	get(t, c, "a")
	f := getData(t, c, "big", s.blobs["big"])
	wantNames(t, c, "a.blob")
	if getData(t, c, "big", s.blobs["big"]) != f {
		t.Error("fetched again while it was open")
	}
}

func TestUseIsNotedAtMostOnceAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, Config{Blobs: numbered()})
		f := get(t, c, "a")
		noted := func(after time.Duration) time.Time {
			time.Sleep(after) // of the bubble's clock
			if get(t, c, "a") != f {
				t.Error("another file")
			}
			info, err := os.Stat(c.path("a"))
			if err != nil {
				t.Fatal(err)
			}
			return info.ModTime()
		}
		first := noted(time.Minute)
		if !first.Equal(time.Now()) {
			t.Errorf("after a minute: %v at %v", first, time.Now())
		}
		if got := noted(59 * time.Second); !got.Equal(first) {
			t.Errorf("within a minute: %v", got)
		}
		if got := noted(time.Second); !got.Equal(time.Now()) {
			t.Errorf("after another minute: %v", got)
		}
	})
}

func TestACrashLeavesNothingThatIsTakenForAFile(t *testing.T) {
	var dir string
	synctest.Test(t, func(t *testing.T) {
		s := gatedStore()
		c := open(t, Config{Blobs: s})
		download := getAsync(t.Context(), c, "a")
		synctest.Wait()
		wantNames(t, c, ".new")
		dir = c.Dir
		crash := t.TempDir() // the folder as a crash would leave it
		if err := os.CopyFS(crash, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		after := open(t, Config{Dir: crash, Blobs: &store{}})
		wantNames(t, after, "")
		if got := after.Stats(); got != (Stats{}) {
			t.Errorf("%+v", got)
		}
		s.gate <- struct{}{}
		<-download
		wantNames(t, c, "a.blob")
	})
}

func TestForeignFilesAreLeftAlone(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"notes", "a b.blob", "..blob"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.blob"), 0o700); err != nil {
		t.Fatal(err)
	}
	c := open(t, Config{Dir: dir, Blobs: numbered(), Size: 1})
	wantNames(t, c, "..blob a b.blob folder.blob notes")
	if got := c.Stats(); got != (Stats{}) {
		t.Errorf("%+v", got)
	}
}
