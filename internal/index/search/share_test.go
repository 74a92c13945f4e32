package search

import (
	"context"
	"testing"

	"parley/internal/host/fair"
	"parley/internal/index/search/fulltext"
	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/account"
	"parley/internal/words/fault"
)

// However many queries one account sends, only two run, excess ones are refused immediately, and there is room for
// another account.
func TestQueriesOfOneAccountLeaveRoomForOthers(t *testing.T) {
	x := opened(t, storetest.SQLiteURL(t))
	x.Processors = fair.NewProcessors(1)
	flood, small := storetest.Account(t, x.Store, "flood").ID, storetest.Account(t, x.Store, "small").ID
	q, err := fulltext.Parse("word")
	if err != nil {
		t.Fatal(err)
	}
	place, err := x.Processors.Take(t.Context(), "somebody")
	if err != nil {
		t.Fatal(err)
	}
	search := func(a account.ID) chan error {
		ended := make(chan error, 1)
		go func() {
			_, err := x.Search(t.Context(), a, q, store.MediaFilter{})
			ended <- err
		}()
		return ended
	}
	ended := make(chan error)
	const many = 150
	for range many {
		go func() { ended <- <-search(flood) }()
	}
	for range many - queries.Each - queries.Queue {
		if err := <-ended; !fault.Is(err, fault.Exhausted) || fault.ProblemsOf(err)[0].Code != fault.CodeConcurrent {
			t.Errorf("what is too much ends with %v", err)
		}
	}
	leave, err := x.room.Enter(t.Context(), string(small))
	if err != nil {
		t.Fatal(err)
	}
	leave()
	place.Give()
	if err := <-search(small); err != nil {
		t.Error(err)
	}
	for range queries.Each + queries.Queue {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

func TestAQueryEndsWithItsClient(t *testing.T) {
	x := opened(t, storetest.SQLiteURL(t))
	q, err := fulltext.Parse("word")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.Search(ctx, storetest.Account(t, x.Store, "a").ID, q, store.MediaFilter{}); err != context.Canceled {
		t.Error(err)
	}
}
