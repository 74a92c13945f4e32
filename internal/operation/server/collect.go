package server

import (
	"context"
	"time"

	"parley/internal/operation/orphan"
	"parley/internal/storage/store"
	"parley/internal/words/fault"
)

// How often stored files that belong to no recording are deleted, by one of the servers on the database, and when
// another one tries again after a failure.
const (
	collectEvery = 24 * time.Hour
	collectRetry = time.Hour
)

// collectSetting is when the next collection is due.
const collectSetting = "orphans.due"

// collect deletes stored files that belong to no recording, until ctx ends. Every server with workers runs it.
func (s *Server) collect(ctx context.Context) {
	if s.Settings.OrphanDays == 0 {
		return
	}
	for range ticks(ctx, sweepEvery) {
		mine, err := s.ClaimCollection(ctx)
		if mine {
			err = s.CollectOrphans(ctx)
		}
		if err != nil && ctx.Err() == nil {
			s.Log.Warn("deleting stored files that belong to no recording failed", "error", err)
		}
	}
}

// ClaimCollection reports whether a collection is due, and makes it this server's.
func (s *Server) ClaimCollection(ctx context.Context) (mine bool, err error) {
	err = s.Store.Update(ctx, func(tx *store.Tx) error {
		mine = false
		now, err := tx.Now()
		if err != nil {
			return err
		}
		first := now.Add(collectRetry).Format(time.RFC3339) // not while servers start, perhaps on a restored database
		if _, err := tx.SettingOr(collectSetting, []byte(first)); err != nil {
			return err
		}
		text, err := tx.LockSetting(collectSetting)
		if err != nil {
			return err
		}
		due, err := time.Parse(time.RFC3339, string(text))
		if err == nil && now.Before(due) {
			return nil
		}
		mine = true
		return tx.SetSetting(collectSetting, []byte(now.Add(collectEvery).Format(time.RFC3339)))
	})
	return mine, err
}

// CollectOrphans does immediately what Run does every day.
func (s *Server) CollectOrphans(ctx context.Context) error {
	scan := orphan.Scan{Store: s.Store, Blobs: s.Blobs, Grace: time.Duration(s.Settings.OrphanDays) * 24 * time.Hour}
	done, err := scan.Collect(ctx)
	s.orphans.Add(float64(done.Blobs))
	if done.Blobs+done.Uploads > 0 {
		s.Log.Info("deleted stored files that belong to no recording", "files", done.Blobs, "bytes", done.Bytes,
			"unfinishedUploads", done.Uploads)
	}
	if err == nil || fault.Is(err, fault.Conflict) || ctx.Err() != nil {
		return err
	}
	again := s.Store.Update(ctx, func(tx *store.Tx) error {
		now, err := tx.Now()
		if err != nil {
			return err
		}
		return tx.SetSetting(collectSetting, []byte(now.Add(collectRetry).Format(time.RFC3339)))
	})
	if again != nil {
		return again
	}
	return err
}
