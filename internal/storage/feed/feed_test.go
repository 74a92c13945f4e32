package feed_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"parley/internal/storage/feed"
	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// exampleStore opens a database with an account.
func exampleStore(ctx context.Context) (*store.Store, account.ID) {
	dir, err := os.MkdirTemp("", "parley-feed-")
	if err != nil {
		panic(err)
	}
	db, err := store.Open(ctx, store.Config{URL: "sqlite://" + filepath.Join(dir, "parley.db")})
	if err == nil {
		err = db.Migrate(ctx)
	}
	var a account.Account
	if err == nil {
		err = db.Update(ctx, func(tx *store.Tx) (err error) { a, err = tx.CreateAccount("a"); return err })
	}
	if err != nil {
		panic(err)
	}
	return db, a.ID
}

func exampleMedia(ctx context.Context, db *store.Store, owner account.ID) {
	err := db.Update(ctx, func(tx *store.Tx) error {
		_, err := tx.InsertMedia(media.Media{Account: owner, Status: media.Accepted, Priority: media.Normal}, []byte("{}"), nil)
		return err
	})
	if err != nil {
		panic(err)
	}
}

// run runs a feed until the test ends.
func run(t *testing.T, f *feed.Feed) {
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); f.Run(ctx) }()
	t.Cleanup(func() { stop(); <-ended })
}

func newFeed(s *store.Store) *feed.Feed { return feed.New(s, slog.New(slog.DiscardHandler)) }

func join(t *testing.T, f *feed.Feed, a account.ID) *feed.Place {
	t.Helper()
	p, err := f.Join(a)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func wait(t *testing.T, p *feed.Place) {
	t.Helper()
	select {
	case <-p.Changed():
	case <-time.After(20 * time.Second):
		t.Fatal("not told of a change")
	}
}

func TestEachServerTellsOfChangesThatAnotherMade(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a, b := storetest.Account(t, s, "a").ID, storetest.Account(t, s, "b").ID
		one, two := newFeed(s), newFeed(s)
		run(t, one)
		run(t, two)
		here, there, other := join(t, one, a), join(t, two, a), join(t, one, b)
		storetest.Media(t, s, a)
		wait(t, here)
		wait(t, there)
		select {
		case <-other.Changed():
			t.Error("another account was told")
		default:
		}
		storetest.Media(t, s, b)
		wait(t, other)
	})
}

func TestAnAccountTakesItsPlacesAndNoMore(t *testing.T) {
	s := storetest.SQLite(t)
	f := newFeed(s)
	a, b := account.ID("a"), account.ID("b")
	var places []*feed.Place
	for range feed.MostOfAccount {
		places = append(places, join(t, f, a))
	}
	if _, err := f.Join(a); !fault.Is(err, fault.Exhausted) {
		t.Errorf("a place more: %v, want Exhausted", err)
	}
	join(t, f, b).Leave()
	places[0].Leave()
	places[0] = join(t, f, a)
	for _, p := range places {
		p.Leave()
	}
	if n := f.Waiting(); n != 0 {
		t.Errorf("%d wait after all have left", n)
	}
	for n := range feed.Most {
		join(t, f, account.ID(fmt.Sprint(n)))
	}
	if _, err := f.Join(b); !fault.Is(err, fault.Exhausted) {
		t.Errorf("a place more than all: %v, want Exhausted", err)
	}
}

// TestThousandsWhoWaitNeedLittleMemory has 5,000 clients of as many accounts: they are told of their own changes, and
// cost no transaction of the database each.
func TestThousandsWhoWaitNeedLittleMemory(t *testing.T) {
	s := storetest.SQLite(t)
	f := newFeed(s)
	run(t, f)
	a := storetest.Account(t, s, "a").ID
	before := heap()
	var places []*feed.Place
	for n := range 5000 {
		places = append(places, join(t, f, account.ID(fmt.Sprint(n))))
	}
	if each := (heap() - before) / 5000; each > 2048 {
		t.Errorf("a place needs %d bytes", each)
	}
	own := join(t, f, a)
	storetest.Media(t, s, a)
	wait(t, own)
	if slices.ContainsFunc(places, func(p *feed.Place) bool { return len(p.Changed()) > 0 }) {
		t.Error("others were told")
	}
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
