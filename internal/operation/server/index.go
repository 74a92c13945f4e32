package server

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"parley/internal/flow/pipeline"
	"parley/internal/index/callindex"
	"parley/internal/index/columnar"
	"parley/internal/index/segment"
	"parley/internal/operation/config"
	"parley/internal/storage/blob/cache"
	"parley/internal/storage/blob/disk"
	"parley/internal/storage/job"
	"parley/internal/storage/store"
)

// indexBlocks is the memory for decrypted parts of segments.
const indexBlocks = 256 << 20

// openCalls opens the index of calls. Its segments are not encrypted where they lie in the data directory beside the
// SQLite database, which is not encrypted either.
func (s *Server) openCalls(context.Context) error {
	if err := dropFormerIndex(s.Settings.Dir); err != nil {
		return err
	}
	c := callindex.Config{Store: s.Store, Codec: s.codec, Blobs: s.Blobs, Log: s.Log, Processors: s.processors}
	if folder, ok := s.Blobs.(*disk.Store); ok && s.Settings.SQLite() {
		c.Path = folder.Path
	} else {
		kept, err := cache.Open(cache.Config{Dir: s.Settings.IndexDir(), Size: s.Settings.IndexCache, Blobs: s.Blobs,
			Log: s.Log})
		if err != nil {
			return err
		}
		s.later(kept.Close)
		c.Cache, c.Blocks = kept, segment.NewBlocks(indexBlocks)
	}
	c.Purge = func(tx *store.Tx, blobs []string, at time.Time) error {
		spec := pipeline.PurgeJob(blobs, c.Cache != nil)
		spec.RunAt = at
		_, err := tx.Enqueue(spec)
		return err
	}
	s.calls = callindex.New(c)
	if s.Settings.Role != config.RoleWorker {
		s.analytic = columnar.New(columnar.Config{Store: s.Store, Codec: s.codec, Calls: s.calls})
	}
	return nil
}

// dropFormerIndex removes the folders in which earlier versions kept the words of calls.
func dropFormerIndex(dir string) error {
	folders, err := filepath.Glob(filepath.Join(dir, "analytics*"))
	for _, folder := range folders {
		if err == nil {
			err = os.RemoveAll(folder)
		}
	}
	if err != nil {
		return fmt.Errorf("remove the index of an earlier version: %w", err)
	}
	return nil
}

// indexersAtOnce is how many accounts this process indexes at once.
const indexersAtOnce = 2

// indexer returns the workers that build the index of calls. They are separate from those that process recordings: what
// is finished must be found soon, however long the recordings are that wait.
func (s *Server) indexer() *job.Runner {
	return job.NewRunner(s.Store.Queue(), job.Config{
		Worker: workerName(), Handlers: map[string]job.Handler{callindex.Kind: s.calls.Handle}, Workers: indexersAtOnce,
		PerLane: 1, Grace: s.Settings.DrainTimeout, Log: s.Log,
	})
}
