package store_test

import (
	"path/filepath"
	"testing"
	"time"

	"parley/internal/storage/store"
	"parley/internal/testkit/powerloss"
)

func TestWhatIsCommittedToANewDatabaseSurvivesALossOfPower(t *testing.T) {
	if err := powerloss.Supported(); err != nil {
		t.Skip(err)
	}
	mounted := t.TempDir()
	disk, err := powerloss.Mount(mounted)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := disk.Unmount(); err != nil {
			t.Error(err)
		}
	})
	s, err := store.Open(t.Context(), store.Config{URL: "sqlite://" + filepath.Join(mounted, "new", "data", "parley.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Update(t.Context(), func(tx *store.Tx) error { return tx.SetSetting("k", []byte("v")) }); err != nil {
		t.Fatal(err)
	}
	trace := disk.Trace()
	for seed := range uint64(10) {
		left := t.TempDir()
		if err := trace.After(powerloss.NewLoss(len(trace), seed)).WriteTo(left, time.Now()); err != nil {
			t.Fatal(err)
		}
		again, err := store.OpenExisting(t.Context(),
			store.Config{URL: "sqlite://" + filepath.Join(left, "new", "data", "parley.db")})
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
			continue
		}
		value, err := store.Read(t.Context(), again, func(tx *store.Tx) ([]byte, error) { return tx.Setting("k") })
		if string(value) != "v" {
			t.Errorf("seed %d: the setting is %q, %v", seed, value, err)
		}
		again.Close()
	}
}
