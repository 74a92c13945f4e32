package feed_test

import (
	"context"
	"fmt"
	"log/slog"

	"parley/internal/storage/feed"
	"parley/internal/storage/store"
)

// Example waits for a change as a request does: it takes a place, reads, waits and reads again.
func Example() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	db, owner := exampleStore(ctx)
	defer db.Close()
	f := feed.New(db, slog.New(slog.DiscardHandler))
	go f.Run(ctx)

	place, err := f.Join(owner)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer place.Leave()
	cursor, _ := store.Read(ctx, db, (*store.Tx).Present)
	exampleMedia(ctx, db, owner)
	<-place.Changed()
	page, err := store.Read(ctx, db, func(tx *store.Tx) (store.ChangePage, error) { return tx.Changes(owner, cursor, 10) })
	fmt.Println(len(page.Changes), page.Changes[0].Media.Status, err)
	// Output: 1 accepted <nil>
}
