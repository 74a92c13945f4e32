package doctor

import (
	"context"
	"strings"
	"testing"
	"time"

	"parley/internal/operation/orphan"
	"parley/internal/storage/blob"
	"parley/internal/storage/blob/disk"
	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/media"
)

// years is a store whose blobs are all old.
type years struct{ blob.Store }

func (y years) List(ctx context.Context, prefix string, f func(blob.Info) error) error {
	return y.Store.List(ctx, prefix, func(b blob.Info) error {
		b.Modified = b.Modified.AddDate(-1, 0, 0)
		return f(b)
	})
}

func (y years) Stat(ctx context.Context, key string) (blob.Info, error) {
	b, err := y.Store.Stat(ctx, key)
	b.Modified = b.Modified.AddDate(-1, 0, 0)
	return b, err
}

func TestOrphansAreToldAndMendedOnlyWhenAskedFor(t *testing.T) {
	blobs, err := disk.Open(disk.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer blobs.Close()
	s := storetest.SQLite(t)
	owner := storetest.Account(t, s, "a").ID
	put := func(key string) {
		if _, err := blobs.Put(t.Context(), key, strings.NewReader("x")); err != nil {
			t.Fatal(err)
		}
	}
	var lost media.ID
	for n := range 20 {
		m := storetest.Media(t, s, owner)
		storetest.Update(t, s, func(tx *store.Tx) error {
			_, err := tx.PutStream(m.ID, media.Stream{Name: media.Original, Blob: "original/" + string(m.ID)})
			return err
		})
		if lost = m.ID; n < 19 {
			put("original/" + string(m.ID))
		}
	}
	o := &Orphans{Database: &Database{store: s}, Grace: orphan.Grace,
		Open: func(context.Context) (blob.Store, func() error, error) {
			return years{blobs}, func() error { return nil }, nil
		}}
	put("original/nobodys")
	expect(t, o.Check(), Warn, "1 of 20 stored files (0.0 MB) belong to no recording; 1 of 20 streams have lost "+
		"their file (original/nobodys, media "+string(lost)+" original)")
	put("original/a")
	put("original/b")
	o.Repair = true
	expect(t, o.Check(), Fail, "nothing was repaired")
	o.Many = true
	expect(t, o.Check(), OK, "repaired: 3 files deleted, 1 streams removed from their recordings")
	o.Repair, o.Many = false, false
	expect(t, o.Check(), OK, "19 stored files and 19 streams match")
	o.Grace = time.Minute
	expect(t, o.Check(), Fail, "at least 1h0m0s")
	expect(t, (&Orphans{Database: &Database{}}).Check(), OK, "no database yet")
}

func TestLeftoversAreToldAndRemovedOnlyWhenAskedFor(t *testing.T) {
	left := []string{"tmp/run-1"}
	list := func(remove bool) ([]string, error) {
		found := left
		if remove {
			left = nil
		}
		return found, nil
	}
	expect(t, Leftovers(list, false), Warn, "tmp/run-1")
	expect(t, Leftovers(list, true), OK, "removed 1 folders of dead processes")
	expect(t, Leftovers(list, true), OK, "no dead process")
	expect(t, Leftovers(func(bool) ([]string, error) { return nil, errBroken }, true), Fail, "broken")
}
