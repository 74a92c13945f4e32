package payload_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"parley/internal/call/codec"
	"parley/internal/call/result"
	"parley/internal/flow/payload"
	"parley/internal/host/memory"
	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/account"
	"parley/internal/words/media"
	"parley/internal/words/transcript"
)

// meter records what is taken, and calls taken after each.
type meter struct {
	held  int64
	takes int
	taken func()
}

func (m *meter) Take(bytes int64) error {
	m.held, m.takes = m.held+bytes, m.takes+1
	m.taken()
	return nil
}

func (m *meter) Give(bytes int64) { m.held -= bytes }

func TestLoadingEndsWithItsClient(t *testing.T) {
	s := storetest.SQLite(t)
	codec, err := codec.New()
	if err != nil {
		t.Fatal(err)
	}
	words := make([]transcript.Word, 50_000)
	for i := range words {
		words[i] = transcript.Word{Text: "a", Start: time.Duration(i) * time.Second, Markers: []string{"x", "y"}}
	}
	open := &result.Open{Transcript: &transcript.Transcript{Speakers: []transcript.Speaker{{}}, Words: words}}
	var owner account.ID
	var id media.ID
	err = s.Update(t.Context(), func(tx *store.Tx) error {
		a, err := tx.CreateAccount("a")
		if err != nil {
			return err
		}
		m, err := tx.InsertMedia(media.Media{Account: a.ID, Status: media.Finished}, nil, nil)
		if err != nil {
			return err
		}
		owner, id = a.ID, m.ID
		if err := tx.SetProgress(id, media.NewProgress("j")); err != nil {
			return err
		}
		return tx.PutResult(id, store.Result{Version: 1, Result: codec.EncodeResult(open)})
	})
	if err != nil {
		t.Fatal(err)
	}
	load := func(leaves int) (m meter, err error) {
		ctx, leave := context.WithCancelCause(t.Context())
		m.taken = func() {
			if m.takes == leaves {
				leave(errors.New("gone"))
			}
		}
		_, err = payload.Load(memory.With(ctx, &m), s, codec, owner, id, true)
		return m, err
	}
	whole, err := load(0)
	if err != nil || whole.held < int64(len(words))*100 {
		t.Fatalf("%v; %d are held", err, whole.held)
	}
	for leaves := 1; leaves < whole.takes; leaves += 1 + whole.takes/20 {
		if m, err := load(leaves); err == nil || m.takes > leaves {
			t.Errorf("a client that leaves at %d of %d: %v at %d", leaves, whole.takes, err, m.takes)
		}
	}
}
