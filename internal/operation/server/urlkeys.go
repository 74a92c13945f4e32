package server

import (
	"context"

	"parley/internal/storage/store"
	"parley/internal/web/auth"
)

// urlKeys is the setting that stores the keys for signed URLs, which all nodes share.
const urlKeys = "stream-url-key"

// openRing makes the first key for signed URLs if there is none, and returns the ring that all requests use.
func openRing(ctx context.Context, db *store.Store) (*auth.Ring, error) {
	now, err := db.Clock(ctx)
	if err != nil {
		return nil, err
	}
	first := auth.NewKeys(now).Encode()
	err = db.Update(ctx, func(tx *store.Tx) error {
		_, err := tx.SettingOr(urlKeys, first)
		return err
	})
	if err != nil {
		return nil, err
	}
	return auth.NewRing(ctx, func(ctx context.Context) (auth.Keys, error) {
		data, err := store.Read(ctx, db, func(tx *store.Tx) ([]byte, error) { return tx.Setting(urlKeys) })
		if err != nil {
			return nil, err
		}
		return auth.DecodeKeys(data)
	})
}

// RotateURLKeys makes a new key for signed URLs; URLs signed with the old one stay valid until they expire. With
// revoke, they become invalid within auth.KeyRefresh, for use after a key has leaked.
func RotateURLKeys(ctx context.Context, db *store.Store, revoke bool) error {
	return changeKeys(ctx, db, func(auth.Keys) bool { return true }, revoke)
}

// rotateDueKeys replaces the key for signed URLs when it is old.
func rotateDueKeys(ctx context.Context, db *store.Store) error {
	now, err := db.Clock(ctx)
	if err != nil {
		return err
	}
	return changeKeys(ctx, db, func(keys auth.Keys) bool { return keys.Due(now) }, false)
}

// changeKeys stores new keys if due returns true for the current ones.
func changeKeys(ctx context.Context, db *store.Store, due func(auth.Keys) bool, revoke bool) error {
	now, err := db.Clock(ctx)
	if err != nil {
		return err
	}
	return db.Update(ctx, func(tx *store.Tx) error {
		data, err := tx.LockSetting(urlKeys)
		if err != nil {
			return err
		}
		keys, err := auth.DecodeKeys(data)
		if err != nil || !due(keys) {
			return err
		}
		keys = keys.Rotated(now)
		if revoke {
			keys = auth.NewKeys(now)
		}
		return tx.SetSetting(urlKeys, keys.Encode())
	})
}
