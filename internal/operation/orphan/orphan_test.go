package orphan_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"parley/internal/flow/pipeline"
	"parley/internal/operation/orphan"
	"parley/internal/storage/blob"
	"parley/internal/storage/blob/disk"
	"parley/internal/storage/blob/s3"
	"parley/internal/storage/store"
	"parley/internal/testkit/s3test"
	"parley/internal/testkit/storetest"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// aged is a store whose blobs have the ages that the test sets.
type aged struct {
	blob.Store
	mu  sync.Mutex
	old map[string]bool
}

func (a *aged) age(b blob.Info) blob.Info {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.old[b.Key] {
		b.Modified = b.Modified.Add(-48 * time.Hour)
	}
	return b
}

func (a *aged) List(ctx context.Context, prefix string, f func(blob.Info) error) error {
	return a.Store.List(ctx, prefix, func(b blob.Info) error { return f(a.age(b)) })
}

func (a *aged) Stat(ctx context.Context, key string) (blob.Info, error) {
	b, err := a.Store.Stat(ctx, key)
	return a.age(b), err
}

// house is a blob store with a database, and an account.
type house struct {
	*aged
	scan  *orphan.Scan
	db    *store.Store
	owner account.ID
}

// each runs a test with both databases, and with blobs on disk and on S3.
func each(t *testing.T, f func(t *testing.T, h *house)) {
	t.Run("disk", func(t *testing.T) {
		storetest.Each(t, func(t *testing.T, s *store.Store) {
			blobs, err := disk.Open(disk.Config{Dir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { blobs.Close() })
			f(t, furnish(t, s, blobs))
		})
	})
	t.Run("s3", func(t *testing.T) {
		blobs, err := s3.Open(s3test.Bucket(t))
		if err != nil {
			t.Fatal(err)
		}
		f(t, furnish(t, storetest.SQLite(t), blobs))
	})
}

func furnish(t *testing.T, s *store.Store, blobs blob.Store) *house {
	a := &aged{Store: blobs, old: map[string]bool{}}
	return &house{a, &orphan.Scan{Store: s, Blobs: a, Grace: orphan.Grace}, s, storetest.Account(t, s, "a").ID}
}

// put stores a blob without a row.
func (h *house) put(t *testing.T, key string, old bool) string {
	t.Helper()
	if _, err := h.Put(t.Context(), key, strings.NewReader("bytes")); err != nil {
		t.Error(err)
	}
	h.mu.Lock()
	h.old[key] = old
	h.mu.Unlock()
	return key
}

// item commits the rows of an item whose original has the given key.
func (h *house) item(t *testing.T, key string) media.ID {
	t.Helper()
	var m media.Media
	err := h.db.Update(t.Context(), func(tx *store.Tx) (err error) {
		if m, err = tx.InsertMedia(media.Media{Account: h.owner, Status: media.Scheduled}, nil, nil); err == nil {
			_, err = tx.PutStream(m.ID, media.Stream{Name: media.Original, Blob: key})
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return m.ID
}

func (h *house) find(t *testing.T) *orphan.Findings {
	t.Helper()
	f, err := h.scan.Find(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func (h *house) there(t *testing.T, key string) bool {
	t.Helper()
	_, err := h.Store.Stat(t.Context(), key)
	if err != nil && !fault.Is(err, fault.NotFound) {
		t.Fatal(err)
	}
	return err == nil
}

func key() string { return "original/" + uuid.NewString() }

func TestWhatIsLostOnEitherSideIsFoundAndMended(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		orphaned, redacted := h.put(t, key(), true), h.put(t, "redacted-audio/"+uuid.NewString(), true)
		young, foreign, good := h.put(t, key(), false), h.put(t, "backup/x", true), h.put(t, key(), true)
		kept := h.item(t, good)
		lost := h.item(t, key())
		going := h.put(t, key(), true)
		storetest.Update(t, h.db, func(tx *store.Tx) error {
			_, err := tx.Enqueue(pipeline.PurgeJob([]string{going}, false))
			return err
		})

		f := h.find(t)
		if f.Stored != 5 || f.Foreign != 1 || f.Young != 1 || f.Streams != 2 || f.Bytes() != 10 || !f.Many() {
			t.Errorf("%+v", f)
		}
		if len(f.Blobs) != 2 || len(f.Rows) != 1 || f.Rows[0].Media != lost || f.Rows[0].Account != h.owner {
			t.Fatalf("%+v", f)
		}
		for _, key := range []string{orphaned, redacted} {
			if !h.there(t, key) {
				t.Error("finding has deleted something")
			}
		}
		done, err := h.scan.Repair(t.Context(), f)
		if err != nil || done != (orphan.Repairs{Blobs: 2, Bytes: 10, Rows: 1}) {
			t.Errorf("%+v, %v", done, err)
		}
		for key, want := range map[string]bool{orphaned: false, redacted: false, young: true, foreign: true, good: true,
			going: true} {
			if h.there(t, key) != want {
				t.Errorf("%s is there: %t, want %t", key, !want, want)
			}
		}
		err = h.db.View(t.Context(), func(tx *store.Tx) error {
			left, err := tx.StreamsAfter("", "", 10)
			if len(left) != 1 || left[0].Media != kept {
				t.Errorf("rows %v", left)
			}
			m, err2 := tx.MediaByID(lost)
			if len(m.Warnings) != 1 || m.Warnings[0].Code != fault.CodeNotFound ||
				!strings.Contains(m.Warnings[0].Message, "original") {
				t.Errorf("warnings %v", m.Warnings)
			}
			return errors.Join(err, err2)
		})
		if err != nil {
			t.Fatal(err)
		}
		if again := h.find(t); len(again.Blobs)+len(again.Rows) != 0 {
			t.Errorf("found again: %+v", again)
		}
	})
}

func TestMendingLooksAgain(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		replaced, claimed, gone, back := h.put(t, key(), true), h.put(t, key(), true), h.put(t, key(), true), key()
		h.item(t, back)
		moved := h.item(t, key())
		f := h.find(t)
		if len(f.Blobs) != 3 || len(f.Rows) != 2 {
			t.Fatalf("%+v", f)
		}
		h.put(t, replaced, false)
		h.item(t, claimed)
		if err := h.Delete(t.Context(), gone); err != nil {
			t.Fatal(err)
		}
		h.put(t, back, false)
		storetest.Update(t, h.db, func(tx *store.Tx) error { _, err := tx.DeleteMedia(h.owner, moved); return err })
		if done, err := h.scan.Repair(t.Context(), f); err != nil || done != (orphan.Repairs{}) {
			t.Errorf("%+v, %v", done, err)
		}
		if !h.there(t, replaced) || !h.there(t, claimed) || !h.there(t, back) {
			t.Error("something that is missed now was deleted")
		}
	})
}

// TestUploadsAndDeletionsDuringScansLoseNothing has clients upload and delete while scans find and repair: every row
// keeps its bytes, and only earlier orphans are deleted.
func TestUploadsAndDeletionsDuringScansLoseNothing(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		const clients, uploads = 4, 15
		var orphans []string
		for range 20 {
			orphans = append(orphans, h.put(t, key(), true))
		}
		var working sync.WaitGroup
		for range clients {
			working.Go(func() {
				for n := range uploads {
					id := h.item(t, h.put(t, key(), false)) // the scan may run before the row is committed
					if n%3 == 0 {
						if err := pipeline.Delete(t.Context(), h.db, h.owner, id); err != nil {
							t.Error(err)
						}
					}
				}
			})
		}
		ended := make(chan struct{})
		go func() { working.Wait(); close(ended) }()
		for scans := 0; ; scans++ {
			if _, err := h.scan.Repair(t.Context(), h.find(t)); err != nil {
				t.Fatal(err)
			}
			select {
			case <-ended:
				if f := h.find(t); len(f.Rows) != 0 || len(f.Blobs) != 0 || f.Streams != clients*uploads*2/3 {
					t.Errorf("after %d scans: %+v", scans, f)
				}
				for _, key := range orphans {
					if h.there(t, key) {
						t.Errorf("%s was not deleted", key)
					}
				}
				return
			default:
			}
		}
	})
}

func TestTooShortAGraceIsRefused(t *testing.T) {
	scan := &orphan.Scan{Grace: orphan.Least - 1}
	if _, err := scan.Find(t.Context()); !fault.Is(err, fault.Invalid) {
		t.Errorf("%v", err)
	}
}

func TestManyIsMoreThanATenth(t *testing.T) {
	for _, c := range []struct {
		stored, blobs, streams, rows int
		many                         bool
	}{{100, 10, 100, 10, false}, {100, 11, 100, 0, true}, {100, 0, 100, 11, true}, {0, 0, 0, 0, false},
		{1, 1, 0, 0, true}} {
		f := &orphan.Findings{Stored: c.stored, Streams: c.streams, Blobs: make([]blob.Info, c.blobs),
			Rows: make([]store.StreamRow, c.rows)}
		if f.Many() != c.many {
			t.Errorf("%+v: %t", c, f.Many())
		}
	}
}

func BenchmarkFind(b *testing.B) {
	s := storetest.SQLite(b)
	blobs, err := disk.Open(disk.Config{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	defer blobs.Close()
	owner := storetest.Account(b, s, "a").ID
	const items = 5000
	for range items {
		k := key()
		if _, err := blobs.Put(b.Context(), k, strings.NewReader("x")); err != nil {
			b.Fatal(err)
		}
		m := storetest.Media(b, s, owner)
		storetest.Update(b, s, func(tx *store.Tx) error {
			_, err := tx.PutStream(m.ID, media.Stream{Name: media.Original, Blob: k})
			return err
		})
	}
	scan := &orphan.Scan{Store: s, Blobs: blobs, Grace: orphan.Grace}
	for b.Loop() {
		if f, err := scan.Find(b.Context()); err != nil || f.Stored != items {
			b.Fatal(f, err)
		}
	}
	b.ReportMetric(float64(items)*float64(b.N)/b.Elapsed().Seconds(), "blobs/s")
}

func TestFilesOfNoRecordingAreCollected(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		var kept []string
		for range 5 {
			kept = append(kept, h.put(t, key(), true))
			h.item(t, kept[len(kept)-1])
		}
		orphaned, young, foreign := h.put(t, key(), true), h.put(t, key(), false), h.put(t, "backup/x", true)
		going := h.put(t, key(), true)
		storetest.Update(t, h.db, func(tx *store.Tx) error {
			_, err := tx.Enqueue(pipeline.PurgeJob([]string{going}, false))
			return err
		})
		done, err := h.scan.Collect(t.Context())
		if want := (orphan.Repairs{Blobs: 1, Bytes: 5}); err != nil || done.Repairs != want || done.Stored != 8 || done.Unnamed != 1 {
			t.Errorf("%+v, %v", done, err)
		}
		for _, key := range append(kept, young, foreign, going) {
			if !h.there(t, key) {
				t.Errorf("%s is gone", key)
			}
		}
		if h.there(t, orphaned) {
			t.Error("the file of no recording is there")
		}
		if again, err := h.scan.Collect(t.Context()); err != nil || again.Blobs != 0 {
			t.Errorf("again: %+v, %v", again, err)
		}
	})
}

func TestTooManyFilesOfNoRecordingAreLeftToAPerson(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		h.item(t, h.put(t, key(), true))
		h.item(t, h.put(t, key(), true))
		orphaned := h.put(t, key(), true)
		done, err := h.scan.Collect(t.Context())
		if !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), "1 of 3 stored files") || done.Blobs != 0 {
			t.Errorf("%+v, %v", done, err)
		}
		if !h.there(t, orphaned) {
			t.Error("it was deleted")
		}
	})
}
