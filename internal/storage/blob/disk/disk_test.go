//go:build unix

package disk

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"parley/internal/storage/blob"
	"parley/internal/testkit/blobtest"
	"parley/internal/testkit/foldertest"
	"parley/internal/testkit/verify"
	"parley/internal/words/fault"
)

func open(t testing.TB, dir string) *Store {
	t.Helper()
	s, err := Open(Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestDiskKeepsTheContract(t *testing.T) {
	blobtest.Run(t, func(t *testing.T) blob.Store { return open(t, t.TempDir()) })
}

func TestDiskListsPageByPage(t *testing.T) {
	blobtest.Run(t, func(t *testing.T) blob.Store {
		s := open(t, t.TempDir())
		s.page = 3
		return s
	})
}

// createAs makes temporary files links to a device, so that the kernel fails operations on them.
func createAs(s *Store, device string) {
	var n atomic.Int64
	s.create = func() (*os.File, error) {
		name := filepath.Join(s.temp.Path(), fmt.Sprint(n.Add(1)))
		if err := os.Symlink(device, name); err != nil {
			return nil, err
		}
		return os.OpenFile(name, os.O_WRONLY, 0)
	}
}

func TestDiskKeepsNothingOfAFailedPut(t *testing.T) {
	for name, spoil := range map[string]func(*Store){
		"no space left on device":   func(s *Store) { createAs(s, "/dev/full") },
		"invalid argument":          func(s *Store) { createAs(s, "/dev/null") }, // which does not support sync
		"no such file or directory": func(s *Store) { os.RemoveAll(s.dir) },
		"too many open files": func(s *Store) {
			s.create = func() (*os.File, error) { return nil, syscall.EMFILE }
		},
		"are kept in reserve":          func(s *Store) { s.reserve = math.MaxUint64 },
		"cannot create a blob: no suc": func(s *Store) { os.RemoveAll(s.temp.Path()) },
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, t.TempDir())
			spoil(s)
			_, err := s.Put(t.Context(), "media/1/original", bytes.NewReader(make([]byte, 1<<20)))
			if !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), name) {
				t.Fatalf("got %v", err)
			}
			if strings.Contains(err.Error(), filepath.Dir(s.dir)) {
				t.Errorf("the message shows a path: %v", err)
			}
			if left := foldertest.Names(t, filepath.Dir(s.dir)); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
		})
	}
}

func TestDiskRefusesBeforeTheReserveIsTouched(t *testing.T) {
	s := open(t, t.TempDir())
	free, err := s.Free()
	if err != nil || free < 64<<20 {
		t.Fatalf("the test needs 64 MB of free space, there are %d MB, %v", free>>20, err)
	}
	s.reserve = free - 48<<20
	if _, err := s.Put(t.Context(), "small", strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}
	_, err = s.Put(t.Context(), "big", io.LimitReader(zeros{}, 1<<30))
	if !fault.Is(err, fault.Unavailable) {
		t.Fatalf("a blob that eats up the reserve: %v", err)
	}
	if left := foldertest.Names(t, filepath.Dir(s.dir)); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
}

// TestDiskSweepsWhatDeadProcessesLeft runs itself as a process that dies during a Put.
func TestDiskSweepsWhatDeadProcessesLeft(t *testing.T) {
	if dir := os.Getenv("DISK_TEST_DIR"); dir != "" {
		s := open(t, dir)
		s.Put(context.Background(), "half/done", io.MultiReader(strings.NewReader("half"), stuck{}))
	}
	dir := t.TempDir()
	dies := exec.Command(os.Args[0], "-test.run=^TestDiskSweepsWhatDeadProcessesLeft$")
	dies.Env = append(os.Environ(), "DISK_TEST_DIR="+dir)
	out, _ := dies.StdoutPipe()
	if err := dies.Start(); err != nil {
		t.Fatal(err)
	}
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "stuck\n" {
		t.Fatalf("the other process said %q", line)
	}
	lives := open(t, dir)
	if left := foldertest.Names(t, dir); len(left) != 1 {
		t.Fatalf("the unfinished blob of a living process: %v", left)
	}
	dies.Process.Kill()
	dies.Wait()
	if _, err := lives.Put(t.Context(), "kept", strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}
	open(t, dir)
	if left := foldertest.Names(t, dir); len(left) != 1 || filepath.Base(left[0]) != "kept" {
		t.Fatalf("left: %v", left)
	}
	if _, err := lives.Put(t.Context(), "still/alive", strings.NewReader("x")); err != nil {
		t.Fatalf("the sweep took the folder of a living process: %v", err)
	}
}

// stuck is a reader that signals the start of a read and then blocks.
type stuck struct{}

// Read never returns.
func (stuck) Read([]byte) (int, error) {
	fmt.Println("stuck")
	select {}
}

func TestShardsAreMadeForTheirFirstBlob(t *testing.T) {
	s := open(t, t.TempDir())
	shards := func() []os.DirEntry {
		made, err := os.ReadDir(s.dir)
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	if made := shards(); len(made) != 0 {
		t.Errorf("opening made %v", made)
	}
	other := open(t, filepath.Dir(s.dir))
	for i, store := range []*Store{s, other, s} {
		if _, err := store.Put(t.Context(), fmt.Sprintf("media/1/%d", i), strings.NewReader("x")); err != nil {
			t.Fatal(err)
		}
	}
	if made := shards(); len(made) != 1 {
		t.Errorf("one media item made %v", made)
	}
}

func TestManyProcessesMayOpenAtOnce(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 10 {
				s, err := Open(Config{Dir: dir})
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := s.Put(t.Context(), fmt.Sprintf("k/%d", i), strings.NewReader("x")); err != nil {
					t.Error(err)
				}
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if left := foldertest.Names(t, dir); len(left) != 8 {
		t.Errorf("left: %v", left)
	}
}

type zeros struct{}

// Read returns zeros without end.
func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestPutOfAGigabyteTakesLittleMemory(t *testing.T) {
	verify.Long(t)
	s := open(t, t.TempDir())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n, err := s.Put(t.Context(), "big", io.LimitReader(zeros{}, 1<<30))
	runtime.ReadMemStats(&after)
	if err != nil || n != 1<<30 {
		t.Fatal(n, err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 4<<20 {
		t.Errorf("allocated %d kB in all", used>>10)
	}
}

// BenchmarkPut stores blobs of 20 kB durably; BenchmarkSync shows the limit of the disk.
func BenchmarkPut(b *testing.B) {
	for _, parallel := range []int{1, 8, 32} {
		b.Run(fmt.Sprintf("parallel=%d", parallel), func(b *testing.B) {
			s := open(b, b.TempDir())
			content := make([]byte, 20_000)
			var n atomic.Int64
			b.SetParallelism(max(parallel/runtime.GOMAXPROCS(0), 1))
			b.ResetTimer()
			if parallel == 1 {
				for b.Loop() {
					putOne(b, s, n.Add(1), content)
				}
			} else {
				b.RunParallel(func(pb *testing.PB) {
					for pb.Next() {
						putOne(b, s, n.Add(1), content)
					}
				})
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "puts/s")
		})
	}
}

func putOne(b *testing.B, s *Store, n int64, content []byte) {
	if _, err := s.Put(b.Context(), fmt.Sprintf("media/%d/original", n), bytes.NewReader(content)); err != nil {
		b.Error(err)
	}
}

// BenchmarkSync appends 20 kB to one file and syncs it.
func BenchmarkSync(b *testing.B) {
	f, err := os.Create(filepath.Join(b.TempDir(), "f"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	content := make([]byte, 20_000)
	for b.Loop() {
		if _, err := f.Write(content); err != nil {
			b.Fatal(err)
		}
		if err := f.Sync(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "syncs/s")
}
