// Package blobtest has a test suite for the contract of blob.Store, which every store runs.
//
// It does not test conditions that only some stores have, such as a full disk.
package blobtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"parley/internal/storage/blob"
	"parley/internal/words/fault"
)

// Large is the size of the suite's large blobs: more than one piece of any store.
const Large = 20<<20 + 7

// Run tests a store against the contract. open returns a new, empty store for each test.
func Run(t *testing.T, open func(t *testing.T) blob.Store) {
	for _, c := range []struct {
		name string
		test func(*testing.T, blob.Store)
	}{
		{"WhatWasPutIsRead", whatWasPutIsRead},
		{"PutReplacesAtOnce", putReplacesAtOnce},
		{"RangesAreCutToTheBlob", rangesAreCutToTheBlob},
		{"StatDescribes", statDescribes},
		{"MissingBlobsAreNotFound", missingBlobsAreNotFound},
		{"BadKeysAndRangesAreInvalid", badKeysAndRangesAreInvalid},
		{"FailedPutLeavesNothingNew", failedPutLeavesNothingNew},
		{"DeleteForgets", deleteForgets},
		{"ListIsInOrderOfKeys", listIsInOrderOfKeys},
		{"ListStopsWhenTheCallerFails", listStopsWhenTheCallerFails},
		{"KeysMayBePrefixesOfKeys", keysMayBePrefixesOfKeys},
		{"EndedContextEndsEverything", endedContextEndsEverything},
		{"ConcurrentPutsAndDeletesShowWholeBlobs", concurrentPutsAndDeletesShowWholeBlobs},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, open(t)) })
	}
}

func whatWasPutIsRead(t *testing.T, s blob.Store) {
	for i, size := range []int{0, 1, 20_000, 1 << 20, Large} {
		key, want := fmt.Sprintf("media/%d/original", i), noise(size)
		put(t, s, key, want)
		if got := read(t, s, key, 0, -1); !bytes.Equal(got, want) {
			t.Errorf("%d bytes came back as %d, or other ones", size, len(got))
		}
	}
}

func putReplacesAtOnce(t *testing.T, s blob.Store) {
	put(t, s, "a/b", []byte("a longer first version"))
	old, err := s.Open(t.Context(), "a/b", 0, -1)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	put(t, s, "a/b", []byte("second"))
	if got := read(t, s, "a/b", 0, -1); string(got) != "second" {
		t.Errorf("read %q", got)
	}
	if got, err := io.ReadAll(old); err != nil || string(got) != "a longer first version" {
		t.Errorf("a reader of the replaced blob got %q, %v", got, err)
	}
}

func rangesAreCutToTheBlob(t *testing.T, s blob.Store) {
	put(t, s, "digits", []byte("0123456789"))
	put(t, s, "empty", nil)
	for _, c := range []struct {
		key            string
		offset, length int64
		want           string
	}{
		{"digits", 0, -1, "0123456789"}, {"digits", 0, 0, ""}, {"digits", 0, 1, "0"}, {"digits", 0, 10, "0123456789"},
		{"digits", 0, 99, "0123456789"}, {"digits", 3, -1, "3456789"}, {"digits", 3, 4, "3456"}, {"digits", 9, 1, "9"},
		{"digits", 9, 5, "9"}, {"digits", 10, -1, ""}, {"digits", 10, 1, ""}, {"digits", 99, -1, ""},
		{"digits", 99, 5, ""},
		{"digits", 5, 0, ""}, {"empty", 0, -1, ""}, {"empty", 0, 5, ""}, {"empty", 3, 5, ""},
	} {
		if got := read(t, s, c.key, c.offset, c.length); string(got) != c.want {
			t.Errorf("%s from %d, %d bytes: %q, want %q", c.key, c.offset, c.length, got, c.want)
		}
	}
}

func statDescribes(t *testing.T, s blob.Store) {
	before := time.Now().Add(-time.Minute)
	put(t, s, "a/b-c_d.e", make([]byte, 12345))
	info, err := s.Stat(t.Context(), "a/b-c_d.e")
	if err != nil {
		t.Fatal(err)
	}
	if info.Key != "a/b-c_d.e" || info.Size != 12345 || info.Modified.Before(before) ||
		info.Modified.After(time.Now().Add(time.Minute)) {
		t.Errorf("%+v", info)
	}
}

func missingBlobsAreNotFound(t *testing.T, s blob.Store) {
	put(t, s, "there/is/one", []byte("x"))
	for _, key := range []string{"nothing", "there", "there/is", "there/is/one/more", "there/is/on"} {
		if _, err := s.Stat(t.Context(), key); !fault.Is(err, fault.NotFound) {
			t.Errorf("Stat %s: %v", key, err)
		}
		for _, length := range []int64{-1, 0, 5} {
			if r, err := s.Open(t.Context(), key, 0, length); !fault.Is(err, fault.NotFound) || r != nil {
				t.Errorf("Open %s: %v", key, err)
			}
		}
		if r, err := s.Open(t.Context(), key, 7, -1); !fault.Is(err, fault.NotFound) || r != nil {
			t.Errorf("Open %s from 7: %v", key, err)
		}
	}
}

func badKeysAndRangesAreInvalid(t *testing.T, s blob.Store) {
	for _, key := range []string{"", "/", "a/", "../x", "a//b", "a b", "a\x00", "ü",
		strings.Repeat("k", blob.MaxKey+1)} {
		_, putErr := s.Put(t.Context(), key, strings.NewReader("x"))
		_, openErr := s.Open(t.Context(), key, 0, -1)
		_, statErr := s.Stat(t.Context(), key)
		for _, err := range []error{putErr, openErr, statErr, s.Delete(t.Context(), key)} {
			if !fault.Is(err, fault.Invalid) {
				t.Errorf("%q: %v", key, err)
			}
		}
	}
	put(t, s, "ok", []byte("x"))
	for _, r := range [][2]int64{{-1, 1}, {0, -2}} {
		if _, err := s.Open(t.Context(), "ok", r[0], r[1]); !fault.Is(err, fault.Invalid) {
			t.Errorf("range %v: %v", r, err)
		}
	}
}

// failedPutLeavesNothingNew uses readers that fail at the start, within and after the first piece, also with the errors
// of a closed connection.
func failedPutLeavesNothingNew(t *testing.T, s blob.Store) {
	put(t, s, "old", []byte("old"))
	for _, size := range []int{0, 10, 1 << 20, Large} {
		for _, broken := range []error{errors.New("broken"), io.ErrUnexpectedEOF, io.ErrClosedPipe} {
			for _, key := range []string{"new", "old"} {
				r := io.MultiReader(bytes.NewReader(make([]byte, size)), iotest.ErrReader(broken))
				if _, err := s.Put(t.Context(), key, r); !errors.Is(err, broken) {
					t.Errorf("a reader that broke after %d bytes with %v: %v", size, broken, err)
				}
			}
		}
	}
	if got := keysOf(t, s, ""); !slices.Equal(got, []string{"old"}) {
		t.Errorf("after failed puts there are %q", got)
	}
	if got := read(t, s, "old", 0, -1); string(got) != "old" {
		t.Errorf("a failed put changed a blob to %d bytes", len(got))
	}
}

func deleteForgets(t *testing.T, s blob.Store) {
	put(t, s, "a/1", []byte("x"))
	put(t, s, "a/2", []byte("x"))
	for range 2 {
		if err := s.Delete(t.Context(), "a/1"); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Delete(t.Context(), "never/was"); err != nil {
		t.Error(err)
	}
	if _, err := s.Stat(t.Context(), "a/1"); !fault.Is(err, fault.NotFound) {
		t.Errorf("after Delete: %v", err)
	}
	if got := keysOf(t, s, ""); !slices.Equal(got, []string{"a/2"}) {
		t.Errorf("left: %q", got)
	}
}

func listIsInOrderOfKeys(t *testing.T, s blob.Store) {
	all := []string{"a", "a-b/c", "a.b", "a/b", "a/b/c", "a/b/d", "a/b-c", "a/bc/d", "a0", "A/z", "b/1", "b/10", "b/2",
		"media/x/y/z"}
	for i := range 40 {
		all = append(all, fmt.Sprintf("media/%02d/original", i), fmt.Sprintf("media/%02d/step.1", i))
	}
	for _, i := range rand.Perm(len(all)) {
		put(t, s, all[i], []byte(all[i]))
	}
	slices.Sort(all)
	for _, prefix := range []string{"", "a", "a/", "a/b", "a/b/", "b/1", "media/", "media/07", "media/07/",
		"media/07/o", "zzz", "media/x/y/z", "Ä", ".."} {
		want := slices.DeleteFunc(slices.Clone(all), func(key string) bool { return !strings.HasPrefix(key, prefix) })
		if got := keysOf(t, s, prefix); !slices.Equal(got, want) {
			t.Errorf("List(%q):\n%q, want\n%q", prefix, got, want)
		}
	}
}

func listStopsWhenTheCallerFails(t *testing.T, s blob.Store) {
	for i := range 5 {
		put(t, s, fmt.Sprintf("k/%d", i), []byte("xyz"))
	}
	enough, seen := errors.New("enough"), 0
	err := s.List(t.Context(), "k/", func(info blob.Info) error {
		if info.Size != 3 || info.Modified.IsZero() {
			t.Errorf("%+v", info)
		}
		if seen++; seen == 2 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || seen != 2 {
		t.Errorf("List called %d times, then answered %v", seen, err)
	}
}

func keysMayBePrefixesOfKeys(t *testing.T, s blob.Store) {
	keys := []string{"a", "a/b", "a/b/c", "a/b/c/d"}
	for _, key := range keys {
		put(t, s, key, []byte(key))
	}
	if err := s.Delete(t.Context(), "a/b"); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"a", "a/b/c", "a/b/c/d"} {
		if got := read(t, s, key, 0, -1); string(got) != key {
			t.Errorf("%s: %q", key, got)
		}
	}
}

func endedContextEndsEverything(t *testing.T, s blob.Store) {
	put(t, s, "there", []byte("x"))
	ctx, cancel := context.WithCancel(t.Context())
	_, err := s.Put(ctx, "new", &callback{Reader: bytes.NewReader(make([]byte, Large)), after: 1 << 20, f: cancel})
	_, openErr := s.Open(ctx, "there", 0, -1)
	_, statErr := s.Stat(ctx, "there")
	listErr := s.List(ctx, "", func(blob.Info) error { return nil })
	for i, err := range []error{err, openErr, statErr, listErr, s.Delete(ctx, "there")} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("call %d in an ended context: %v", i, err)
		}
	}
	if got := keysOf(t, s, ""); !slices.Equal(got, []string{"there"}) {
		t.Errorf("there are %q", got)
	}
}

// callback calls f once after a number of bytes was read.
type callback struct {
	io.Reader
	after int
	f     func()
}

func (c *callback) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if c.after -= n; c.after <= 0 {
		c.f()
	}
	return n, err
}

// concurrentPutsAndDeletesShowWholeBlobs writes blobs that consist of one repeated byte, with a length that depends on
// the byte. Readers must see a whole blob or none.
func concurrentPutsAndDeletesShowWholeBlobs(t *testing.T, s blob.Store) {
	const rounds = 60
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range rounds {
				b := byte(w*rounds + i)
				if _, err := s.Put(t.Context(), "hot/key",
					bytes.NewReader(bytes.Repeat([]byte{b}, 1000+int(b)))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Go(func() {
		for range rounds {
			if err := s.Delete(t.Context(), "hot/key"); err != nil {
				t.Error(err)
			}
		}
	})
	for range 2 {
		wg.Go(func() {
			for range 2 * rounds {
				checkWhole(t, s, "hot/key")
			}
		})
	}
	wg.Wait()
	put(t, s, "hot/key", []byte("last"))
	if got := read(t, s, "hot/key", 0, -1); string(got) != "last" {
		t.Errorf("after all: %q", got)
	}
}

func checkWhole(t *testing.T, s blob.Store, key string) {
	r, err := s.Open(t.Context(), key, 0, -1)
	if fault.Is(err, fault.NotFound) {
		return
	}
	if err != nil {
		t.Error(err)
		return
	}
	defer r.Close()
	got, err := io.ReadAll(r)
	if err != nil || len(got) == 0 || !bytes.Equal(got, bytes.Repeat(got[:1], 1000+int(got[0]))) {
		t.Errorf("read %d bytes that nobody put, %v", len(got), err)
	}
}

func noise(size int) []byte {
	b := make([]byte, size)
	rand.NewChaCha8([32]byte{1}).Read(b)
	return b
}

func put(t *testing.T, s blob.Store, key string, b []byte) {
	t.Helper()
	if n, err := s.Put(t.Context(), key, bytes.NewReader(b)); err != nil || n != int64(len(b)) {
		t.Fatalf("Put %s: %d, %v", key, n, err)
	}
}

func read(t *testing.T, s blob.Store, key string, offset, length int64) []byte {
	t.Helper()
	r, err := s.Open(t.Context(), key, offset, length)
	if err != nil {
		t.Fatalf("Open %s from %d: %v", key, offset, err)
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatalf("read %s: %v", key, err)
	}
	return b
}

func keysOf(t *testing.T, s blob.Store, prefix string) []string {
	t.Helper()
	keys := []string{}
	if err := s.List(t.Context(), prefix, func(info blob.Info) error {
		keys = append(keys, info.Key)
		return nil
	}); err != nil {
		t.Fatalf("List %q: %v", prefix, err)
	}
	return keys
}
