package store_test

import (
	"context"
	"errors"
	"testing"

	"parley/internal/host/memory"
	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// meter records what is taken; it calls full each time and refuses with its error.
type meter struct {
	held, most int64
	takes      int
	full       func(m *meter, bytes int64) error
}

func (m *meter) Take(bytes int64) error {
	m.takes++
	if m.full != nil {
		if err := m.full(m, bytes); err != nil {
			return err
		}
	}
	m.held += bytes
	m.most = max(m.most, m.held)
	return nil
}

func (m *meter) Give(bytes int64) { m.held -= bytes }

// recordings stores an account with items that have 1,000 bytes of metadata each; the first one has a result of 100,000
// bytes.
func recordings(t *testing.T, s *store.Store, items int) (a account.Account, first media.ID) {
	t.Helper()
	err := s.Update(t.Context(), func(tx *store.Tx) (err error) {
		if a, err = tx.CreateAccount("a"); err != nil {
			return err
		}
		for range items {
			metadata := media.StoredMetadata([]byte(`{"x":"` + string(make1000()) + `"}`))
			m, err := tx.InsertMedia(media.Media{Account: a.ID, Status: media.Finished, Metadata: metadata}, nil, nil)
			if err != nil {
				return err
			}
			if first == "" {
				first = m.ID
			}
		}
		return tx.PutResult(first, store.Result{Version: 1, Result: make([]byte, 100_000)})
	})
	if err != nil {
		t.Fatal(err)
	}
	return a, first
}

func make1000() []byte {
	text := make([]byte, 992)
	for i := range text {
		text[i] = 'x'
	}
	return text
}

func TestLargeRowsAreCountedBeforeTheyAreRead(t *testing.T) {
	s := storetest.SQLite(t)
	a, first := recordings(t, s, 1)
	var m meter
	read := func(tx *store.Tx) error { _, err := tx.Published(a.ID, first); return err }
	if err := s.View(memory.With(t.Context(), &m), read); err != nil || m.held < 100_000 || m.held > 101_000 {
		t.Errorf("%v; %d are held", err, m.held)
	}
	full := errors.New("full")
	m = meter{full: func(_ *meter, bytes int64) error {
		if bytes >= 100_000 {
			return full
		}
		return nil
	}}
	// its length, and then no row
	if err := s.View(memory.With(t.Context(), &m), read); !errors.Is(err, full) || m.takes != 2 {
		t.Errorf("%v after %d", err, m.takes)
	}
}

func TestAListEndsWithItsClient(t *testing.T) {
	s := storetest.SQLite(t)
	a, _ := recordings(t, s, 20)
	var m meter
	ctx, cancel := context.WithCancelCause(memory.With(t.Context(), &m))
	gone := errors.New("gone")
	m.full = func(m *meter, _ int64) error {
		if m.takes == 5 {
			cancel(gone)
		}
		return nil
	}
	err := s.View(ctx, func(tx *store.Tx) error { _, err := tx.ListMedia(a.ID, store.MediaFilter{}); return err })
	if err == nil || m.takes != 5 || m.held < 5000 {
		t.Errorf("%v after %d rows of %d bytes", err, m.takes, m.held)
	}
	m = meter{}
	err = s.Update(memory.With(t.Context(), &m), func(tx *store.Tx) error {
		_, err := tx.ListMedia(a.ID, store.MediaFilter{})
		return err
	})
	if err != nil || m.takes != 0 { // which may run again
		t.Errorf("%v; %d were counted", err, m.takes)
	}
}
