package vault_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
	"testing/iotest"

	"parley/internal/storage/blob"
	"parley/internal/storage/blob/disk"
	"parley/internal/storage/vault"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

func open(t testing.TB) vault.Vault {
	t.Helper()
	blobs, err := disk.Open(disk.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { blobs.Close() })
	return vault.Vault{Blobs: blobs}
}

func noise(size int) []byte {
	content := make([]byte, size)
	rand.NewChaCha8([32]byte{1}).Read(content)
	return content
}

func put(t *testing.T, v vault.Vault, content []byte) media.Stream {
	t.Helper()
	s := media.Stream{Blob: fmt.Sprintf("original/%d", len(content))}
	var err error
	if s.Key, s.Size, err = v.Put(t.Context(), s.Blob, bytes.NewReader(content)); err != nil {
		t.Fatal(err)
	}
	return s
}

func read(t *testing.T, v vault.Vault, s media.Stream, offset, length int64) ([]byte, error) {
	t.Helper()
	r, err := v.Open(t.Context(), s, offset, length)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// raw returns the bytes in the store.
func raw(t *testing.T, v vault.Vault, key string) []byte {
	t.Helper()
	stored, err := read(t, v, media.Stream{Blob: key}, 0, -1)
	if err != nil {
		t.Fatal(err)
	}
	return stored
}

func TestStreamsAreReadAsTheyCameAndLieInTheStoreUnderKeysOfTheirOwn(t *testing.T) {
	v := open(t)
	for _, size := range []int{0, 1, 65535, 65536, 65537, 131072, 300_000} {
		content := noise(size)
		s := put(t, v, content)
		if s.Size != int64(size) {
			t.Errorf("%d bytes are said to be %d", size, s.Size)
		}
		stored := raw(t, v, s.Blob)
		if int64(len(stored)) != s.Key.Size(int64(size)) || size > 0 &&
			bytes.Contains(stored, content[:min(size, 16)]) && size >= 16 {
			t.Errorf("%d bytes lie as %d", size, len(stored))
		}
		for _, part := range [][2]int{{0, -1}, {0, 10}, {65530, 12}, {65536, 1}, {size / 2, -1}, {size, 5},
			{size + 1, -1}} {
			from, length := min(part[0], size), part[1]
			want := content[from:]
			if length >= 0 {
				want = want[:min(length, len(want))]
			}
			if got, err := read(t, v, s, int64(part[0]), int64(length)); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%v of %d bytes: %d bytes, %v", part, size, len(got), err)
			}
		}
	}
	first, second := put(t, v, noise(1000)), raw(t, v, "original/1000")
	if again := put(t, v, noise(1000)); again.Key == first.Key || bytes.Equal(raw(t, v, "original/1000"), second) {
		t.Error("the same bytes lie in the store twice alike")
	}
}

func TestStreamsWithoutAKeyAreReadAsTheyLie(t *testing.T) {
	v, content := open(t), noise(100_000)
	if _, err := v.Blobs.Put(t.Context(), "original/old", bytes.NewReader(content)); err != nil {
		t.Fatal(err)
	}
	got, err := read(t, v, media.Stream{Blob: "original/old", Size: 100_000}, 65_530, 20)
	if err != nil || !bytes.Equal(got, content[65_530:65_550]) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

func TestNothingIsStoredOfContentThatBreaksOff(t *testing.T) {
	v := open(t)
	for _, cause := range []error{io.ErrUnexpectedEOF, errors.New("other")} {
		for _, after := range []int{0, 1, 65_536, 100_000} {
			_, _, err := v.Put(t.Context(), "original/a",
				io.MultiReader(bytes.NewReader(noise(after)), iotest.ErrReader(cause)))
			if !errors.Is(err, cause) {
				t.Errorf("%v after %d bytes: %v", cause, after, err)
			}
			if _, err := v.Blobs.Stat(t.Context(), "original/a"); !fault.Is(err, fault.NotFound) {
				t.Errorf("%v after %d bytes: %v", cause, after, err)
			}
		}
	}
}

func TestWhatIsMissingOrDamagedIsSaid(t *testing.T) {
	v := open(t)
	s := put(t, v, noise(200_000))
	stored := raw(t, v, s.Blob)
	stored[150_000] ^= 1
	if _, err := v.Blobs.Put(t.Context(), s.Blob, bytes.NewReader(stored)); err != nil {
		t.Fatal(err)
	}
	if got, err := read(t, v, s, 0, -1); !fault.Is(err, fault.Internal) ||
		!bytes.Equal(got, noise(200_000)[:len(got)]) {
		t.Errorf("damaged: %d bytes, %v", len(got), err)
	}
	s.Blob = "original/none"
	if _, err := read(t, v, s, 0, -1); !fault.Is(err, fault.NotFound) {
		t.Errorf("missing: %v", err)
	}
}

// memory is a store that discards everything.
type memory struct{ blob.Store }

func (memory) Put(_ context.Context, _ string, r io.Reader) (n int64, err error) {
	buf := make([]byte, 256<<10) // as the disk store reads
	for {
		got, err := r.Read(buf)
		n += int64(got)
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}

// BenchmarkPut measures the cost of encryption, for small and large recordings, with a store that discards everything.
func BenchmarkPut(b *testing.B) {
	for _, size := range []int{20_000, 64 << 20} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			content := noise(size)
			b.SetBytes(int64(size))
			for b.Loop() {
				if _, _, err := (vault.Vault{Blobs: memory{}}).Put(b.Context(), "original/a",
					bytes.NewReader(content)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkOpen measures reading 64 MiB from a disk.
func BenchmarkOpen(b *testing.B) {
	v, content := open(b), noise(64<<20)
	s := media.Stream{Blob: "original/a"}
	var err error
	if s.Key, s.Size, err = v.Put(b.Context(), s.Blob, bytes.NewReader(content)); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(s.Size)
	b.ReportAllocs()
	for b.Loop() {
		r, err := v.Open(b.Context(), s, 0, -1)
		if err != nil {
			b.Fatal(err)
		}
		if n, err := io.Copy(io.Discard, r); n != s.Size || err != nil {
			b.Fatal(n, err)
		}
		r.Close()
	}
}
