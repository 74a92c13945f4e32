package store_test

import (
	"bytes"
	"fmt"
	"maps"
	"strings"
	"testing"

	"parley/internal/storage/store"
	"parley/internal/testkit/pgtest"
	"parley/internal/testkit/storetest"
	"parley/internal/words/account"
	"parley/internal/words/cipher"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// ringOf returns a ring of lines of key files.
func ringOf(t *testing.T, lines ...string) *cipher.Ring {
	t.Helper()
	r, err := cipher.ParseRing([]byte(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// eachURL runs f with the URL of a new database of either kind, which has all tables.
func eachURL(t *testing.T, f func(t *testing.T, url string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { url := storetest.SQLiteURL(t); storetest.Open(t, url); f(t, url) })
	t.Run("postgres", func(t *testing.T) { url := pgtest.URL(t); storetest.Open(t, url); f(t, url) })
}

// with opens a database with storage keys.
func with(t *testing.T, url string, keys *cipher.Ring) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), store.Config{URL: url, Connections: 2, StorageKeys: keys})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// keep adds items to be sealed, each with a stream under the same key.
func keep(t *testing.T, s *store.Store, a account.ID, n int, key cipher.Key) (ids []media.ID) {
	t.Helper()
	storetest.Update(t, s, func(tx *store.Tx) error {
		ids = nil
		for i := range n {
			m, err := tx.InsertMedia(media.Media{Account: a, Status: media.Scheduled,
				Metadata: metadata(t, `{"title":"sesame"}`),
				Sealing:  &media.Sealing{PublicKeyID: "k", PublicKeyHash: "h"}}, []byte("sesame"), nil)
			if err != nil {
				return err
			}
			ids = append(ids, m.ID)
			if _, err := tx.PutStream(m.ID,
				media.Stream{Name: media.Original, Blob: fmt.Sprintf("original/%s-%d", m.ID, i), Size: 1,
					Key: key}); err != nil {
				return err
			}
		}
		return nil
	})
	return ids
}

// kept returns how many keys each storage key wraps.
func kept(t *testing.T, s *store.Store) (counts map[string]int64) {
	t.Helper()
	storetest.Update(t, s, func(tx *store.Tx) (err error) {
		counts, err = tx.KeysKept()
		return err
	})
	return counts
}

// readable checks that an item and the key of its stream can be read unchanged.
func readable(t *testing.T, s *store.Store, id media.ID, key cipher.Key) {
	t.Helper()
	storetest.Update(t, s, func(tx *store.Tx) error {
		m, err := tx.MediaByID(id)
		if err != nil {
			return err
		}
		if text := m.Metadata.Bytes(); string(text) != `{"title":"sesame"}` {
			t.Errorf("metadata %s", text)
		}
		if configuration, _, err := tx.Request(id); err != nil || string(configuration) != "sesame" {
			t.Errorf("configuration %q, %v", configuration, err)
		}
		streams, err := tx.Kept(id)
		if len(streams) != 1 || streams[0].Key != key {
			t.Errorf("the key of the stream is another one")
		}
		return err
	})
}

func TestKeysAreKeptUnderTheStorageKey(t *testing.T) {
	eachURL(t, func(t *testing.T, url string) {
		ring, key := ringOf(t, cipher.NewStorageKey()), cipher.NewKey()
		s := with(t, url, ring)
		a := storetest.Account(t, s, "a").ID
		ids := keep(t, s, a, 2, key)
		readable(t, s, ids[0], key)
		if got := kept(t, s); !maps.Equal(got, map[string]int64{ring.IDs()[0]: 4}) {
			t.Errorf("kept %v", got)
		}
		if all := dump(t, s); bytes.Contains(all, []byte(key)) || !bytes.Contains(all, ring.Head()) {
			t.Error("the key of a stream stands in a row")
		}

		other := with(t, url, nil)
		storetest.Update(t, other, func(tx *store.Tx) error {
			if _, err := tx.MediaByID(ids[0]); !fault.Is(err, fault.Unavailable) ||
				!strings.Contains(err.Error(), ring.IDs()[0]) {
				t.Errorf("an item without the storage key: %v", err)
			}
			if _, err := tx.Kept(ids[0]); !fault.Is(err, fault.Unavailable) {
				t.Errorf("its streams: %v", err)
			}
			if rows, err := tx.StreamsAfter("", "", 10); err != nil || len(rows) != 2 || rows[0].Key != "" {
				t.Errorf("rows without their keys: %v, %v", rows, err)
			}
			if err := tx.EachStream(func(media.Stream) error { return nil }); err != nil {
				t.Errorf("copying rows: %v", err)
			}
			blobs, err := tx.DeleteMedia(a, ids[0])
			if len(blobs) != 1 {
				t.Errorf("deleted %v", blobs)
			}
			return err
		})
		if got := kept(t, s); !maps.Equal(got, map[string]int64{ring.IDs()[0]: 2}) {
			t.Errorf("a deleted item has left its keys: %v", got)
		}
	})
}

func TestRewrappingPutsAllKeysUnderTheFirstStorageKey(t *testing.T) {
	eachURL(t, func(t *testing.T, url string) {
		const items = 205 // more than one transaction handles
		first, second, key := cipher.NewStorageKey(), cipher.NewStorageKey(), cipher.NewKey()
		bare := with(t, url, nil)
		a := storetest.Account(t, bare, "a").ID
		ids := keep(t, bare, a, items, key)
		if _, err := bare.Rewrap(t.Context()); !fault.Is(err, fault.Invalid) {
			t.Errorf("without a storage key: %v", err)
		}
		for _, c := range []struct {
			ring *cipher.Ring
			want int64
		}{{ringOf(t, first), 2 * items}, {ringOf(t, first), 0}, {ringOf(t, second, first), 2 * items}} {
			s := with(t, url, c.ring)
			if n, err := s.Rewrap(t.Context()); err != nil || n != c.want {
				t.Errorf("%d keys were wrapped again, %v; want %d", n, err, c.want)
			}
			if got := kept(t, s); !maps.Equal(got, map[string]int64{c.ring.IDs()[0]: 2 * items}) {
				t.Errorf("kept %v", got)
			}
		}
		last := with(t, url, ringOf(t, second))
		readable(t, last, ids[0], key)
		readable(t, last, ids[items-1], key)
		if _, err := with(t, url, ringOf(t, first)).Rewrap(t.Context()); !fault.Is(err, fault.Unavailable) {
			t.Errorf("with a storage key that unwraps nothing: %v", err)
		}
	})
}

func TestRewrappingCoversBothFilesOfASegment(t *testing.T) {
	eachURL(t, func(t *testing.T, url string) {
		first, second := cipher.NewStorageKey(), cipher.NewStorageKey()
		s := newShelved(t, with(t, url, ringOf(t, first)))
		s.published()
		words, values := cipher.NewKey(), cipher.NewKey()
		c := built(s.state(), "one")
		c.Added[0].Words.Key, c.Added[0].Values.Key = words, values
		if _, err := s.change(c); err != nil {
			t.Fatal(err)
		}
		if _, err := with(t, url, ringOf(t, second)).Rewrap(t.Context()); !fault.Is(err, fault.Unavailable) {
			t.Errorf("without the key that wraps them: %v", err)
		}
		if n, err := with(t, url, ringOf(t, second, first)).Rewrap(t.Context()); err != nil || n != 2 {
			t.Errorf("%d keys, %v", n, err)
		}
		s.db = with(t, url, ringOf(t, second))
		if x := s.state(); x.Segments[0].Words.Key != words || x.Segments[0].Values.Key != values {
			t.Errorf("%+v", x.Segments)
		}
	})
}

func TestADatabaseIsNotUsedWithoutTheStorageKeysThatItNeeds(t *testing.T) {
	eachURL(t, func(t *testing.T, url string) {
		first, second := cipher.NewStorageKey(), cipher.NewStorageKey()
		claim := func(lines ...string) error {
			var ring *cipher.Ring
			if len(lines) > 0 {
				ring = ringOf(t, lines...)
			}
			return with(t, url, ring).ClaimStorageKeys(t.Context())
		}
		if err := claim(); err != nil {
			t.Errorf("a database without keys: %v", err)
		}
		if err := claim(first); err != nil {
			t.Errorf("a new storage key: %v", err)
		}
		if err := claim(); err != nil {
			t.Errorf("nothing is kept under it yet: %v", err)
		}
		if err := claim(first); err != nil {
			t.Errorf("the same one again: %v", err)
		}
		s := with(t, url, ringOf(t, first))
		keep(t, s, storetest.Account(t, s, "a").ID, 1, cipher.NewKey())
		for _, lines := range [][]string{nil, {second}} {
			if err := claim(lines...); !fault.Is(err, fault.Conflict) ||
				!strings.Contains(err.Error(), ringOf(t, first).IDs()[0]) ||
				!strings.Contains(err.Error(), "--storage-key-file") {
				t.Errorf("%d other keys: %v", len(lines), err)
			}
		}
		if err := claim(second, first); err != nil {
			t.Errorf("a further key: %v", err)
		}
		if _, err := with(t, url, ringOf(t, second, first)).Rewrap(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := claim(second); err != nil {
			t.Errorf("the first key was rotated away: %v", err)
		}
		third := cipher.NewStorageKey()
		if _, err := with(t, url, ringOf(t, third, second)).Rewrap(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := claim(second); !fault.Is(err, fault.Conflict) ||
			!strings.Contains(err.Error(), ringOf(t, third).IDs()[0]) {
			t.Errorf("no server has claimed the key that all were wrapped with: %v", err)
		}
	})
}
