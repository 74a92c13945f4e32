package store_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// accept is the transaction that acknowledges an upload.
func accept(s *store.Store, a account.ID) error {
	return s.Update(context.Background(), func(tx *store.Tx) error {
		m, err := tx.InsertMedia(media.Media{Account: a, Status: media.Accepted, ContentType: "audio/wav", Size: 20_000,
			Priority: media.Normal},
			[]byte(`{"speechModel":{"language":"en-US"}}`), []byte(`{}`))
		if err != nil {
			return err
		}
		if _, err := tx.PutStream(m.ID,
			media.Stream{Name: media.Original, Blob: "media/" + string(m.ID), ContentType: "audio/wav",
				Size: 20_000}); err != nil {
			return err
		}
		id, err := tx.Enqueue(job.Spec{Kind: "process", Account: string(a), Subject: string(m.ID),
			Priority: int(media.Normal)})
		if err != nil {
			return err
		}
		return tx.SetProgress(m.ID, media.NewProgress(string(id)))
	})
}

// BenchmarkAccept measures durable acceptances per second of concurrent uploads. Compare with BenchmarkSync: without
// shared commits, each upload would cost at least one fsync.
func BenchmarkAccept(b *testing.B) {
	for _, uploads := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("sqlite/uploads=%d", uploads), func(b *testing.B) {
			benchmarkAccept(b, storetest.SQLite(b), uploads)
		})
	}
	b.Run("postgres-without-fsync/uploads=8", func(b *testing.B) { benchmarkAccept(b, storetest.Postgres(b), 8) })
}

func benchmarkAccept(b *testing.B, s *store.Store, uploads int) {
	a := storetest.Account(b, s, "a")
	var left atomic.Int64
	left.Store(int64(b.N))
	b.ResetTimer()
	var wg sync.WaitGroup
	for range uploads {
		wg.Go(func() {
			for left.Add(-1) >= 0 {
				if err := accept(s, a.ID); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "accepts/s")
}

// BenchmarkSync measures the disk: a page appended and synced.
func BenchmarkSync(b *testing.B) {
	f, err := os.Create(filepath.Join(b.TempDir(), "f"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	page := make([]byte, 4096)
	for b.Loop() {
		if _, err := f.Write(page); err != nil {
			b.Fatal(err)
		}
		if err := f.Sync(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "fsyncs/s")
}

// BenchmarkClaim measures claiming and completing one job at a time from a long queue of many accounts.
func BenchmarkClaim(b *testing.B) {
	for name, s := range map[string]*store.Store{"sqlite": storetest.SQLite(b),
		"postgres-without-fsync": storetest.Postgres(b)} {
		b.Run(name, func(b *testing.B) {
			specs := make([]job.Spec, 20_000)
			for i := range specs {
				specs[i] = job.Spec{Kind: "k", Account: fmt.Sprint(i % 20), RunAt: time.Now().Add(-time.Hour)}
			}
			enqueue(b, s, specs...)
			b.ResetTimer()
			for range b.N {
				for _, j := range claim(b, s, 1) {
					if err := s.Queue().Complete(b.Context(), j); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
