package modelstore

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"

	"parley/internal/testkit/standin"
)

// file is one entry of a test archive.
type file struct {
	name, data string
	kind       byte // tar type; 0: regular
}

// tarbz2 builds an archive in the format of the catalogue.
func tarbz2(t testing.TB, files ...file) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		h := &tar.Header{Name: f.name, Typeflag: f.kind, Size: int64(len(f.data)), Mode: 0o777}
		if f.kind == tar.TypeSymlink || f.kind == tar.TypeLink {
			h.Linkname, h.Size, f.data = f.data, 0, ""
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, f.data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	packed := exec.Command("bzip2", "--stdout")
	packed.Stdin = &b
	data, err := packed.Output()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// weights returns incompressible data, so that the archive has the same size.
func weights(n int) string {
	b := make([]byte, n)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return string(b)
}

const size = 200_000

func archive(t testing.TB) []byte {
	return tarbz2(t, file{"tiny/", "", tar.TypeDir}, file{"tiny/model.onnx", weights(size), 0},
		file{"tiny/tokens.txt", "a 0\n", 0}, file{"tiny/LICENSE", "free", 0}, file{"tiny/test.wav", "RIFF", 0})
}

func entry(address string, data []byte) Entry {
	sum := sha256.Sum256(data)
	return Entry{
		Description: Description{
			Name: "tiny", Title: "Tiny", Kind: Speech, Engine: "sherpa-onnx", Family: "nemo_ctc",
			Languages: []string{"en-US"}, Licence: "MIT", Home: "https://example.com",
			Files: map[string]string{"model": "model.onnx", "tokens": "tokens.txt"},
		},
		URL: "https://" + strings.TrimPrefix(address, "http://") + "/tiny.tar.bz2", Size: int64(len(data)),
		SHA256: hex.EncodeToString(sum[:]),
	}
}

// shelf serves one file, with ranges and an entity tag, and simulates failures.
type shelf struct {
	mu      sync.Mutex
	data    []byte
	tag     string
	cut     int  // bytes after which each response is cut off; 0: never
	plain   bool // without ranges and entity tag
	ranges  []string
	release chan struct{} // if not nil, responses wait for it
}

func (s *shelf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	data, tag, cut, plain, release := s.data, s.tag, s.cut, s.plain, s.release
	s.ranges = append(s.ranges, r.Header.Get("Range"))
	s.mu.Unlock()
	if release != nil {
		<-release
	}
	if cut > 0 {
		w = &breaking{w, cut}
	}
	if plain {
		w.WriteHeader(http.StatusOK)
		w.Write(data)
		return
	}
	w.Header().Set("ETag", tag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}

func (s *shelf) set(change func(*shelf)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(s)
}

func (s *shelf) asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.ranges)
}

// breaking cuts the connection after a number of bytes.
type breaking struct {
	http.ResponseWriter
	left int
}

func (b *breaking) Write(p []byte) (int, error) {
	if len(p) <= b.left {
		b.left -= len(p)
		return b.ResponseWriter.Write(p)
	}
	b.ResponseWriter.Write(p[:b.left])
	b.ResponseWriter.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

// bench is a store, a shelf with an archive, and its catalogue entry, in fake time.
type bench struct {
	Store
	*shelf
	Entry
}

// try runs a test with a bench in a synctest bubble.
func try(t *testing.T, run func(t *testing.T, b *bench)) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		data := archive(t)
		s := &shelf{data: data, tag: `"v1"`}
		client := &http.Client{Transport: standin.Start(t, s)}
		b := &bench{Store{Dir: filepath.Join(dir, "models"), Client: client}, s, entry("models.example", data)}
		run(t, b)
	})
}

func (b *bench) pull(ctx context.Context) (Installed, error) {
	return b.Pull(ctx, b.Entry, PullOptions{From: "http://models.example/mirror"})
}

// installed checks that the model is complete and the folder contains nothing else.
func (b *bench) installed(t *testing.T) {
	t.Helper()
	i, err := b.Open("tiny")
	if err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(i.File("model")); err != nil || string(data) != weights(size) {
		t.Errorf("the model has %d bytes, %v", len(data), err)
	}
	var names []string
	filepath.WalkDir(b.Dir, func(name string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasPrefix(d.Name(), ".lock-") {
			names = append(names, strings.TrimPrefix(name, b.Dir+"/"))
		}
		return err
	})
	if want := []string{"default.json", "tiny/LICENSE", "tiny/model.json", "tiny/model.onnx",
		"tiny/tokens.txt"}; !reflect.DeepEqual(names, want) {
		t.Errorf("files %q, want %q", names, want)
	}
}

func TestPullInstallsWhatTheModelNeeds(t *testing.T) {
	try(t, func(t *testing.T, b *bench) {
		var doing []string
		i, err := b.Pull(t.Context(), b.Entry,
			PullOptions{From: "http://models.example/mirror/", Progress: func(p Progress) {
				if len(doing) == 0 || doing[len(doing)-1] != p.Doing {
					doing = append(doing, p.Doing)
				}
				if p.Done < 0 || p.Done > p.Total {
					t.Errorf("progress %+v", p)
				}
			}})
		if err != nil {
			t.Fatal(err)
		}
		b.installed(t)
		if !i.Checked || i.SHA256 != b.SHA256 || i.Source != "http://models.example/mirror/tiny.tar.bz2" ||
			i.Engine != "sherpa-onnx" {
			t.Errorf("manifest %+v", i.Manifest)
		}
		if want := []string{"downloading", "checking", "unpacking"}; !reflect.DeepEqual(doing, want) {
			t.Errorf("progress %q, want %q", doing, want)
		}
		if _, err := b.pull(t.Context()); err != nil || len(b.asked()) != 1 {
			t.Errorf("pulled again: %v, requests %q, want none for what is there", err, b.asked())
		}
	})
}

func TestAnInterruptedDownloadGoesOnWhereItStopped(t *testing.T) {
	try(t, func(t *testing.T, b *bench) {
		b.set(func(s *shelf) { s.cut = 60_000 })
		if _, err := b.pull(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.installed(t)
		if want := []string{"", "bytes=60000-", "bytes=120000-", "bytes=180000-"}; !reflect.DeepEqual(b.asked(), want) {
			t.Errorf("asked for %q, want %q", b.asked(), want)
		}
	})
}

func TestACancelledDownloadGoesOnInTheNextRun(t *testing.T) {
	try(t, func(t *testing.T, b *bench) {
		ctx, cancel := context.WithCancel(t.Context())
		b.set(func(s *shelf) { s.cut = 60_000 })
		time.AfterFunc(500*time.Millisecond, cancel) // during the first pause
		if _, err := b.pull(ctx); !errors.Is(err, context.Canceled) {
			t.Fatalf("error %v, want context.Canceled", err)
		}
		list, err := b.List([]Entry{b.Entry})
		if err != nil || list[0].State != Partial || list[0].Have != 60_000 {
			t.Errorf("listed %+v, %v, want 60000 bytes of it", list, err)
		}
		b.set(func(s *shelf) { s.cut, s.ranges = 0, nil })
		if _, err := b.pull(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.installed(t)
		if want := []string{"bytes=60000-"}; !reflect.DeepEqual(b.asked(), want) {
			t.Errorf("asked for %q, want %q", b.asked(), want)
		}
	})
}

func TestAFileThatChangedMeanwhileIsDownloadedAnew(t *testing.T) {
	try(t, func(t *testing.T, b *bench) {
		ctx, cancel := context.WithCancel(t.Context())
		good := b.data
		b.set(func(s *shelf) { s.cut, s.data = 60_000, bytes.Repeat([]byte("x"), len(good)) })
		time.AfterFunc(500*time.Millisecond, cancel)
		b.pull(ctx)
		b.set(func(s *shelf) { s.cut, s.data, s.tag = 0, good, `"v2"` })
		if _, err := b.pull(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.installed(t)
	})
}

func TestABeginningOfAnotherFileIsFoundOutByTheSum(t *testing.T) {
	try(t, func(t *testing.T, b *bench) {
		if err := os.MkdirAll(b.Dir, 0o700); err != nil {
			t.Fatal(err)
		}
		p := b.partFor("tiny")
		if err := errors.Join(os.WriteFile(p.path, make([]byte, 1000), 0o600),
			p.setOrigin(origin{URL: "http://models.example/mirror/tiny.tar.bz2", ETag: `"v1"`})); err != nil {
			t.Fatal(err)
		}
		if _, err := b.pull(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.installed(t)
		if want := []string{"bytes=1000-", ""}; !reflect.DeepEqual(b.asked(), want) {
			t.Errorf("asked for %q, want %q", b.asked(), want)
		}
	})
}

func TestAServerWithoutRangesIsAskedForTheWhole(t *testing.T) {
	try(t, func(t *testing.T, b *bench) {
		b.set(func(s *shelf) { s.plain, s.cut = true, 60_000 })
		time.AfterFunc(1500*time.Millisecond, func() { b.set(func(s *shelf) { s.cut = 0 }) })
		if _, err := b.pull(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.installed(t)
	})
}

func TestADownloadThatEndsEarlyIsNotTakenForWhole(t *testing.T) {
	try(t, func(t *testing.T, b *bench) {
		good := b.data
		b.set(func(s *shelf) { s.plain, s.data = true, good[:len(good)-10] })
		start := time.Now()
		_, err := b.pull(t.Context())
		if err == nil || !strings.Contains(err.Error(), "pull again") {
			t.Errorf("error %v", err)
		}
		if took := time.Since(start); took > time.Minute {
			t.Errorf("gave up after %v", took)
		}
		if _, err := b.Open("tiny"); !errors.Is(err, ErrNotInstalled) {
			t.Errorf("error %v, want not installed", err)
		}
	})
}

func TestACorruptDownloadIsNotInstalled(t *testing.T) {
	for name, spoil := range map[string]func([]byte) []byte{
		"a byte flipped": func(d []byte) []byte { d[len(d)/2] ^= 1; return d },
		"bytes added":    func(d []byte) []byte { return append(d, "junk"...) },
	} {
		t.Run(name, func(t *testing.T) {
			try(t, func(t *testing.T, b *bench) {
				b.set(func(s *shelf) { s.data = spoil(bytes.Clone(s.data)) })
				if _, err := b.pull(t.Context()); !errors.Is(err, ErrSum) {
					t.Errorf("error %v, want ErrSum", err)
				}
				list, err := b.List([]Entry{b.Entry})
				if err != nil || list[0].State != Available || len(b.asked()) != 1 {
					t.Errorf("listed %+v, %v after requests %q", list, err, b.asked())
				}
			})
		})
	}
}

func TestAMissingFileEndsTheDownloadAtOnce(t *testing.T) {
	dir := t.TempDir()
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	s := Store{Dir: dir}
	_, err := s.Pull(t.Context(), entry("h", []byte("x")), PullOptions{From: server.URL})
	if err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("error %v", err)
	}
}

func TestAServerThatFallsSilentIsLeft(t *testing.T) {
	try(t, func(t *testing.T, b *bench) {
		silent := standin.Start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(len(b.data)))
			w.Write([]byte("begin"))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}))
		b.Client = &http.Client{Transport: silent}
		start := time.Now()
		_, err := b.pull(t.Context())
		if took := time.Since(start); !errors.Is(err, errIdle) || took < fruitless*idle || took > (fruitless+1)*idle {
			t.Errorf("%v after %v", err, took)
		}
	})
}

func TestAFullDiskIsSaidAndMended(t *testing.T) {
	data := archive(t)
	shelf := &shelf{data: data, tag: `"v1"`}
	server := httptest.NewServer(shelf)
	defer server.Close()
	b := &bench{Store{Dir: filepath.Join(t.TempDir(), "models")}, shelf, entry("h", data)}
	pull := func() error {
		_, err := b.Pull(t.Context(), b.Entry, PullOptions{From: server.URL})
		return err
	}
	b.Free = func(string) (uint64, error) { return 1000, nil }
	if err := pull(); err == nil || !strings.Contains(err.Error(), "free") || len(b.asked()) != 0 {
		t.Errorf("error %v after requests %q, want a refusal before any", err, b.asked())
	}
	b.Free = nil
	restore := limitFiles(t, 100_000)
	err := pull()
	restore()
	if err == nil || !strings.Contains(err.Error(), "disk is full") {
		t.Errorf("error %v", err)
	}
	if have := b.partFor("tiny").size(); have != 100_000 {
		t.Errorf("%d bytes were kept, want 100000", have)
	}
	if err := pull(); err != nil {
		t.Fatal(err)
	}
	b.installed(t)
	if want := []string{"", "bytes=100000-"}; !reflect.DeepEqual(b.asked(), want) {
		t.Errorf("asked for %q, want %q", b.asked(), want)
	}
}

// limitFiles makes writes beyond a file size fail, like a full disk.
func limitFiles(t *testing.T, size uint64) (restore func()) {
	t.Helper()
	var old unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
	signal.Ignore(unix.SIGXFSZ)
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: size, Max: old.Max}); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &old); err != nil {
			t.Fatal(err)
		}
		signal.Reset(unix.SIGXFSZ)
	}
}

func TestTwoPullsOfAModelDoNotMeet(t *testing.T) {
	try(t, func(t *testing.T, b *bench) {
		release := make(chan struct{})
		b.set(func(s *shelf) { s.release = release })
		first := make(chan error)
		go func() { _, err := b.pull(t.Context()); first <- err }()
		synctest.Wait() // until it waits for the server
		if _, err := b.pull(t.Context()); !errors.Is(err, ErrBusy) {
			t.Errorf("second pull: %v, want ErrBusy", err)
		}
		if err := b.Remove("tiny"); !errors.Is(err, ErrBusy) {
			t.Errorf("remove: %v, want ErrBusy", err)
		}
		close(release)
		if err := <-first; err != nil {
			t.Fatal(err)
		}
		b.installed(t)
	})
}

func TestAnEntryWithoutChecksumNeedsConsent(t *testing.T) {
	try(t, func(t *testing.T, b *bench) {
		sum := b.SHA256
		b.SHA256 = ""
		if _, err := b.pull(t.Context()); !errors.Is(err, ErrUnverified) || len(b.asked()) != 0 {
			t.Errorf("error %v after requests %q, want ErrUnverified before any", err, b.asked())
		}
		i, err := b.Pull(t.Context(), b.Entry,
			PullOptions{From: "http://models.example/tiny.tar.bz2", AcceptUnverified: true})
		if err != nil {
			t.Fatal(err)
		}
		b.installed(t)
		if i.Checked || i.SHA256 != sum {
			t.Errorf("manifest %+v, want the sum %s, not checked", i.Manifest, sum)
		}
	})
}

func TestAWholeDownloadThatWasNotInstalledIsNotFetchedAgain(t *testing.T) {
	try(t, func(t *testing.T, b *bench) {
		b.SHA256 = "" // its size is then unknown too
		p := b.partFor("tiny")
		if err := os.MkdirAll(b.Dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.WriteFile(p.path, b.data, 0o600),
			p.setOrigin(origin{URL: "http://models.example/mirror/tiny.tar.bz2", ETag: `"v1"`})); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Pull(t.Context(), b.Entry,
			PullOptions{From: "http://models.example/mirror", AcceptUnverified: true}); err != nil {
			t.Fatal(err)
		}
		b.installed(t)
		if want := []string{fmt.Sprintf("bytes=%d-", len(b.data))}; !reflect.DeepEqual(b.asked(), want) {
			t.Errorf("asked for %q, want %q", b.asked(), want)
		}
	})
}

func TestPullTakesFilesAndFoldersWithoutANetwork(t *testing.T) {
	data := archive(t)
	folder := t.TempDir()
	name := filepath.Join(folder, "tiny.tar.bz2")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, from := range []string{folder, name} {
		b := &bench{Store{Dir: filepath.Join(t.TempDir(), "models")}, nil, entry("h", data)}
		if _, err := b.Pull(t.Context(), b.Entry, PullOptions{From: from}); err != nil {
			t.Fatal(err)
		}
		b.installed(t)
	}
	s := Store{Dir: t.TempDir()}
	if _, err := s.Pull(t.Context(), entry("h", data), PullOptions{From: t.TempDir()}); err == nil ||
		!strings.Contains(err.Error(), "tiny.tar.bz2") {
		t.Errorf("error %v, want the name of the missing file", err)
	}
	if _, err := s.Pull(t.Context(), entry("h", []byte("another")), PullOptions{From: name}); !errors.Is(err, ErrSum) {
		t.Errorf("error %v, want ErrSum", err)
	}
	if !exists(name) {
		t.Error("the user's own file was deleted")
	}
}

func TestPullReplacesABrokenModel(t *testing.T) {
	try(t, func(t *testing.T, b *bench) {
		if _, err := b.pull(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(filepath.Join(b.Dir, "tiny", "model.onnx")); err != nil {
			t.Fatal(err)
		}
		list, err := b.List([]Entry{b.Entry})
		if err != nil || list[0].State != Broken || !strings.Contains(list[0].Problem, "model.onnx") {
			t.Errorf("listed %+v, %v", list, err)
		}
		if _, err := b.pull(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.installed(t)
	})
}

func TestAModelSurvivesACrashInTheMiddleOfItsReplacement(t *testing.T) {
	try(t, func(t *testing.T, b *bench) {
		if _, err := b.pull(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.Rename(filepath.Join(b.Dir, "tiny"), b.beside("old", "tiny")),
			os.Mkdir(b.beside("new", "tiny"), 0o700)); err != nil {
			t.Fatal(err)
		}
		b.set(func(s *shelf) { s.ranges = nil })
		if _, err := b.pull(t.Context()); err != nil || len(b.asked()) != 0 {
			t.Errorf("error %v, requests %q, want the old model back without any", err, b.asked())
		}
		b.installed(t)
	})
}
