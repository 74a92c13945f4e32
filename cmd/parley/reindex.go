package main

import (
	"context"
	"log/slog"
	"os"
	"sync"

	"parley/internal/call/codec"
	"parley/internal/index/search"
	"parley/internal/operation/config"
	"parley/internal/operation/server"
	"parley/internal/storage/store"
)

// reindexCommand rebuilds the search index.
type reindexCommand struct{ config.StorageFlags }

// Run requests a new index and waits for it. A running server builds it; without one, this process does.
func (c *reindexCommand) Run(ctx context.Context) error {
	storage, err := storageOf(c.StorageFlags)
	if err != nil {
		return err
	}
	db, err := server.OpenStore(ctx, storage)
	if err != nil {
		return err
	}
	defer db.Close()
	return rebuild(ctx, db, storage)
}

func rebuild(ctx context.Context, db *store.Store, storage config.Storage) error {
	codec, err := codec.New()
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	index, err := search.Open(ctx, search.Config{Store: db, Codec: codec, URL: storage.Database, Log: log})
	if err != nil {
		return err
	}
	defer index.Close()
	running, stop := context.WithCancel(ctx)
	var work sync.WaitGroup
	work.Go(func() { index.Run(running) })
	defer work.Wait()
	defer stop()
	shown := newBar(os.Stderr, "search index")
	var last search.Status
	err = index.Rebuild(ctx, func(s search.Status) {
		last = s
		shown.Set(percent(s.Done, max(s.Total, s.Recordings)), "indexing")
	})
	if err != nil {
		shown.Done("stopped; a running server continues")
		return err
	}
	shown.Done(many(last.Recordings, "recording"))
	return nil
}
