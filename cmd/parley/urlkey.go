package main

import (
	"context"

	"parley/internal/operation/config"
	"parley/internal/operation/server"
	"parley/internal/storage/store"
)

// urlKeyCommand manages the keys for signed stream URLs.
type urlKeyCommand struct {
	Rotate urlKeyRotate `cmd:"" help:"Sign stream URLs with a new key; servers do so themselves every 30 days."`
}

type urlKeyRotate struct {
	config.StorageFlags
	Revoke bool `help:"Invalidate all URLs issued so far, within half a minute; for use after a key has leaked."`
}

func (c *urlKeyRotate) Run(ctx context.Context) error {
	return withStore(ctx, c.StorageFlags, func(db *store.Store) error {
		return server.RotateURLKeys(ctx, db, c.Revoke)
	})
}
