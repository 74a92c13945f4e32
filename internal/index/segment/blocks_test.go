package segment

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"parley/internal/query/callset"
	"parley/internal/testkit/verify"
	"parley/internal/words/cipher"
)

func equal(a, b answers) bool { return reflect.DeepEqual(a, b) }

func full(s *Segment) callset.Set { return callset.New(s.Len()).Fill(s.Len()) }

// counted counts the reads of stored bytes.
type counted struct {
	io.ReaderAt
	reads atomic.Int64
}

func (c *counted) ReadAt(p []byte, at int64) (int, error) {
	c.reads.Add(1)
	return c.ReaderAt.ReadAt(p, at)
}

type failer interface{ Fatal(...any) }

func ciphertext(t failer, key cipher.Key, data []byte) []byte {
	r, err := key.Encrypt(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func encryptedSource(t failer, b *Blocks, data []byte) Source {
	key := cipher.NewKey()
	out := ciphertext(t, key, data)
	s, err := b.Encrypted(key, bytes.NewReader(out), int64(len(out)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (b *Blocks) held() (bytes int64) {
	for i := range b.shards {
		for _, block := range b.shards[i].recent.Values() {
			bytes += int64(len(block.data))
		}
	}
	return bytes
}

func TestAnEncryptedSegmentAnswersAsThePlainOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b Builder
		for _, d := range randomDrafts(t) {
			if err := b.Add(d); err != nil {
				t.Fatal(err)
			}
		}
		data, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		budget := rapid.Int64Range(0, 1<<20).Draw(t, "budget")
		plain, err := Open(Plain(data))
		if err != nil {
			t.Fatal(err)
		}
		key := rapid.SampledFrom([]cipher.Key{"", cipher.NewKey()}).Draw(t, "key")
		out := ciphertext(t, key, data)
		source, err := NewBlocks(budget).Encrypted(key, bytes.NewReader(out), int64(len(out)))
		if err != nil {
			t.Fatal(err)
		}
		encrypted, err := Open(source)
		if err != nil {
			t.Fatal(err)
		}
		if !equal(ask(plain), ask(encrypted)) || plain.Err() != nil || encrypted.Err() != nil {
			t.Fatalf("the answers differ (%v, %v)", plain.Err(), encrypted.Err())
		}
	})
}

func TestASegmentOfManyBlocksAnswersAsThePlainOne(t *testing.T) {
	verify.Long(t)
	data := stored(t, drafts(2000))
	if len(data) < 8*blockBytes {
		t.Fatalf("only %d bytes", len(data))
	}
	want := ask(opened(t, Plain(data)))
	for _, budget := range []int64{0, 3 * blockBytes, 1 << 30} {
		s := opened(t, encryptedSource(t, NewBlocks(budget), data))
		if !equal(want, ask(s)) || s.Err() != nil {
			t.Fatalf("with %d bytes the answers differ (%v)", budget, s.Err())
		}
	}
}

func TestARangeIsTheSameInOneBlockAndOverSeveral(t *testing.T) {
	data := make([]byte, 5*blockBytes+77)
	for i := range data {
		data[i] = byte(i * i >> 7)
	}
	blocks := NewBlocks(1 << 20)
	source := encryptedSource(t, blocks, data)
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.IntRange(0, len(data)).Draw(t, "at")
		n := rapid.IntRange(0, len(data)-at).Draw(t, "n")
		if got, err := source.Range(at, n); err != nil || !bytes.Equal(got, data[at:at+n]) {
			t.Fatalf("%d bytes (%v)", len(got), err)
		}
	})
	a, _ := source.Range(10, 20)
	b, _ := source.Range(10, 20)
	if &a[0] != &b[0] {
		t.Error("a range of one block is copied")
	}
}

func TestOpeningAnEncryptedSegmentReadsFewBlocks(t *testing.T) {
	data := stored(t, drafts(2000))
	key := cipher.NewKey()
	out := ciphertext(t, key, data)
	from := &counted{ReaderAt: bytes.NewReader(out)}
	source, err := NewBlocks(1<<20).Encrypted(key, from, int64(len(out)))
	if err != nil {
		t.Fatal(err)
	}
	opened(t, source)
	if n := from.reads.Load(); n > 4 {
		t.Errorf("%d reads", n)
	}
}

func TestADamagedBlockIsAnErrorAndNoAnswer(t *testing.T) {
	data := stored(t, drafts(600))
	key := cipher.NewKey()
	out := ciphertext(t, key, data)
	want := ask(opened(t, Plain(data)))
	step := int(key.Size(blockBytes))
	for at := step / 2; at < len(out); at += step {
		broken := bytes.Clone(out)
		broken[at] ^= 1
		source, err := NewBlocks(1<<20).Encrypted(key, bytes.NewReader(broken), int64(len(broken)))
		if err != nil {
			t.Fatal(err)
		}
		s, err := Open(source)
		if err == nil {
			if got := ask(s); equal(got, want) {
				t.Errorf("byte %d is wrong and not read", at)
			}
			err = s.Err()
		}
		if !errors.Is(err, ErrDamaged) {
			t.Errorf("byte %d is wrong: %v", at, err)
		}
	}
	if _, err := NewBlocks(0).Encrypted(key, nil, 5); !errors.Is(err, ErrDamaged) {
		t.Errorf("of an impossible size: %v", err)
	}
}

// unsteady fails the first reads.
type unsteady struct {
	io.ReaderAt
	failures int
}

func (u *unsteady) ReadAt(p []byte, at int64) (int, error) {
	if u.failures > 0 {
		u.failures--
		return 0, errBroken
	}
	return u.ReaderAt.ReadAt(p, at)
}

func TestABlockThatCouldNotBeReadIsReadAgain(t *testing.T) {
	key := cipher.NewKey()
	out := ciphertext(t, key, []byte("hello"))
	source, err := NewBlocks(0).Encrypted(key, &unsteady{bytes.NewReader(out), 1}, int64(len(out)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := source.Range(0, 5); !errors.Is(err, errBroken) || errors.Is(err, ErrDamaged) {
		t.Errorf("%v", err)
	}
	if b, err := source.Range(0, 5); string(b) != "hello" || err != nil {
		t.Errorf("%q %v", b, err)
	}
}

func TestBlocksStayWithinTheirBudget(t *testing.T) {
	data := make([]byte, 40*blockBytes+1)
	for _, budget := range []int64{0, 1, blockBytes, 5*blockBytes - 1, 17 * blockBytes, 1 << 30} {
		blocks := NewBlocks(budget)
		for range 2 {
			source := encryptedSource(t, blocks, data)
			for at := 0; at < len(data); at += blockBytes {
				if _, err := source.Range(at, 1); err != nil {
					t.Fatal(err)
				}
				if held := blocks.held(); held > max(budget, blockBytes) {
					t.Fatalf("%d bytes with a budget of %d", held, budget)
				}
			}
		}
	}
}

func TestABlockIsDecryptedOnceForManyReaders(t *testing.T) {
	key := cipher.NewKey()
	out := ciphertext(t, key, make([]byte, 3*blockBytes))
	from := &counted{ReaderAt: bytes.NewReader(out)}
	source, err := NewBlocks(1<<22).Encrypted(key, from, int64(len(out)))
	if err != nil {
		t.Fatal(err)
	}
	var once counted
	once.ReaderAt = bytes.NewReader(out)
	if _, err := key.Package(&once, 3*blockBytes, 0); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			for at := range 3 {
				if _, err := source.Range(at*blockBytes, blockBytes); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if got := from.reads.Load(); got > 3*once.reads.Load() {
		t.Errorf("%d reads, %d decrypt one block", got, once.reads.Load())
	}
}
