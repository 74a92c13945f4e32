package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"parley/internal/host/filelock"
	"parley/internal/storage/store"
	"parley/internal/testkit/pgtest"
	"parley/internal/testkit/storetest"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

func TestMigrationsStartFromEmptyAndAreRepeatable(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		if err := s.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		schema, err := s.Schema(t.Context())
		if err != nil || schema.Version != schema.Known || schema.Version == 0 {
			t.Fatal(schema, err)
		}
	})
}

func TestNodesMayMigrateTogether(t *testing.T) {
	for name, url := range map[string]string{"sqlite": storetest.SQLiteURL(t), "postgres": pgtest.URL(t)} {
		t.Run(name, func(t *testing.T) {
			var wg sync.WaitGroup
			for range 4 {
				wg.Go(func() {
					s, err := store.Open(context.Background(), store.Config{URL: url})
					if err != nil {
						t.Error(err)
						return
					}
					defer s.Close()
					if err := s.Migrate(context.Background()); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
		})
	}
}

func TestMigrationsOfSQLiteWaitForThoseOfAnotherProcess(t *testing.T) {
	dir := t.TempDir()
	other, err := filelock.Try(dir)
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), store.Config{URL: "sqlite://" + filepath.Join(dir, "parley.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Migrate(ctx); !errors.Is(err, filelock.ErrBusy) {
		t.Errorf("beside another process: %v, want ErrBusy", err)
	}
	other.Close()
	if err := s.Migrate(t.Context()); err != nil {
		t.Errorf("after the other process: %v", err)
	}
}

func TestEveryTableIsCountedInTheDeletionTests(t *testing.T) {
	tables, err := store.Tables()
	if err != nil {
		t.Fatal(err)
	}
	counted := rows(t, storetest.SQLite(t))
	for _, table := range tables {
		if _, ok := counted[table]; !ok && !slices.Contains([]string{"setting", "node", "schema_needs", "media_clock"}, table) {
			t.Errorf("table %s is in neither mediaTables nor Count: what deletes its rows?", table)
		}
	}
}

func TestAWrongURLIsRefusedWithoutShowingIt(t *testing.T) {
	for _, url := range []string{"mysql://u:secret@h/d", "sqlite://relative.db", "postgres://u:secret@h:port/d",
		"://secret", ""} {
		_, err := store.Open(t.Context(), store.Config{URL: url})
		if !fault.Is(err, fault.Invalid) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", url, err)
		}
	}
}

func TestAFailedUpdateLeavesNothing(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		mine := errors.New("mine")
		err := s.Update(t.Context(), func(tx *store.Tx) error {
			if _, err := tx.CreateAccount("a"); err != nil {
				return err
			}
			return fmt.Errorf("wrapped: %w", fault.New(fault.Conflict, fault.CodeConflict, "x: %w", mine))
		})
		if !errors.Is(err, mine) || !fault.Is(err, fault.Conflict) {
			t.Fatalf("the function's error came back as %v", err)
		}
		func() {
			defer func() { equal(t, recover(), "panic of mine") }()
			s.Update(t.Context(), func(tx *store.Tx) error {
				if _, err := tx.CreateAccount("b"); err != nil {
					t.Error(err)
				}
				panic("panic of mine")
			})
		}()
		equal(t, rows(t, s)["account"], 0)
		storetest.Account(t, s, "c")
	})
}

func TestAnEndedContextChangesNothing(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		err := s.Update(ctx, func(tx *store.Tx) error { _, err := tx.CreateAccount("a"); return err })
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		equal(t, rows(t, s)["account"], 0)
	})
}

func TestTheEndOfTheContextIsNotTheDatabasesFault(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		for name, transaction := range map[string]func(context.Context, func(*store.Tx) error) error{"update": s.Update,
			"view": s.View} {
			ctx, cancel := context.WithCancelCause(t.Context())
			mine := errors.New("mine")
			err := transaction(ctx, func(tx *store.Tx) error {
				cancel(mine)
				_, err := tx.Setting("x")
				if fault.Is(err, fault.NotFound) { // SQLite's writer completes its statements
					return mine
				}
				return err
			})
			if !errors.Is(err, mine) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// Half of the concurrent transactions fail after writing; each of the others must be complete.
func TestConcurrentUpdatesAreAllOrNothing(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		const n = 100
		mine := errors.New("mine")
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() {
				err := s.Update(context.Background(), func(tx *store.Tx) error {
					m, err := tx.InsertMedia(media.Media{Account: a.ID, Status: media.Accepted}, nil, nil)
					if err != nil {
						return err
					}
					if err := tx.SetProgress(m.ID, media.NewProgress("")); err != nil {
						return err
					}
					if i%2 == 1 {
						return mine
					}
					return nil
				})
				if i%2 == 0 && err != nil || i%2 == 1 && !errors.Is(err, mine) {
					t.Error(i, err)
				}
			})
		}
		wg.Wait()
		got := rows(t, s)
		equal(t, []int{got["media"], got["progress"]}, []int{n / 2, n / 2})
	})
}

func TestAViewDoesNotSeeLaterCommits(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		storetest.Account(t, s, "a")
		err := s.View(t.Context(), func(tx *store.Tx) error {
			before, err := tx.Accounts()
			if err != nil {
				return err
			}
			storetest.Account(t, s, "b")
			after, err := tx.Accounts()
			equal(t, after, before)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, rows(t, s)["account"], 2)
	})
}

func TestAViewCannotWrite(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		err := s.View(t.Context(), func(tx *store.Tx) error { return tx.SetSetting("x", nil) })
		if err == nil {
			t.Fatal("a view wrote")
		}
	})
}

func TestConflictingTransactionsAreRunAgain(t *testing.T) {
	s := storetest.Postgres(t) // SQLite has one writer, so there are none
	a, b := storetest.Account(t, s, "a"), storetest.Account(t, s, "b")
	var bothHaveOne, done sync.WaitGroup
	bothHaveOne.Add(2)
	for _, order := range [][]string{{string(a.ID), string(b.ID)}, {string(b.ID), string(a.ID)}} {
		runs := 0
		done.Go(func() {
			err := s.Update(context.Background(), func(tx *store.Tx) error {
				runs++
				for i, name := range order { // a deadlock, at first
					if err := tx.SetSetting(name, nil); err != nil {
						return err
					}
					if i == 0 && runs == 1 {
						bothHaveOne.Done()
						bothHaveOne.Wait()
					}
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	done.Wait()
}

func TestAClosedDatabaseIsUnavailable(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		s.Close()
		unavailable(t, s)
	})
}

func unavailable(t *testing.T, s *store.Store) {
	t.Helper()
	is(t, s.Ping(t.Context()), fault.Unavailable, fault.CodeUnavailable)
	is(t, s.View(t.Context(), func(tx *store.Tx) error { _, err := tx.Accounts(); return err }), fault.Unavailable,
		fault.CodeUnavailable)
}

func TestAPostgresThatIsDownIsUnavailableUntilItIsBack(t *testing.T) {
	server := pgtest.Start(t)
	url := server.URL(t)
	s := storetest.Open(t, url)
	server.Stop()
	unavailable(t, s)
	_, err := store.Open(t.Context(), store.Config{URL: url})
	is(t, err, fault.Unavailable, fault.CodeUnavailable)
	if err := server.Restart(); err != nil {
		t.Fatal(err)
	}
	if err := s.Ping(t.Context()); err != nil {
		t.Fatalf("back, but %v", err)
	}
}

func TestAFullDiskIsUnavailableUntilThereIsRoom(t *testing.T) {
	s := storetest.SQLite(t)
	a := storetest.Account(t, s, "a")
	big := bytes.Repeat([]byte("x"), 1<<20)
	write := func() error {
		return s.Update(t.Context(), func(tx *store.Tx) error { return tx.SetSetting("big", big) })
	}
	if err := s.LimitPages(t.Context(), 100); err != nil {
		t.Fatal(err)
	}
	is(t, write(), fault.Unavailable, fault.CodeUnavailable)
	// Transactions that share a commit with the one that filled the disk are not affected.
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			if i%4 == 0 {
				if err := write(); !fault.Is(err, fault.Unavailable) {
					t.Error(err)
				}
				return
			}
			err := s.Update(context.Background(), func(tx *store.Tx) error {
				return tx.SetAccountDisabled(a.ID, i%2 == 0)
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if err := s.LimitPages(t.Context(), 1<<30); err != nil {
		t.Fatal(err)
	}
	if err := write(); err != nil {
		t.Fatal(err)
	}
}

func TestBackupIsAWholeDatabase(t *testing.T) {
	s := storetest.SQLite(t)
	a := storetest.Account(t, s, "a")
	m := furnish(t, s, a.ID)
	path := filepath.Join(t.TempDir(), "copy.db")
	if err := s.Backup(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	want := rows(t, s)
	storetest.Update(t, s, func(tx *store.Tx) error { _, err := tx.DeleteMedia(a.ID, m.ID); return err })
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatal(info.Mode(), err)
	}
	equal(t, rows(t, storetest.Open(t, "sqlite://"+path)), want)
}

func TestBackupOfPostgresNamesTheToolForIt(t *testing.T) {
	err := storetest.Postgres(t).Backup(t.Context(), filepath.Join(t.TempDir(), "copy.db"))
	if !fault.Is(err, fault.Unsupported) || !strings.Contains(err.Error(), "pg_dump") {
		t.Fatal(err)
	}
}

func TestOnlyWeCanReadTheDatabaseFiles(t *testing.T) {
	url := storetest.SQLiteURL(t)
	storetest.Account(t, storetest.Open(t, url), "a")
	files, err := filepath.Glob(strings.TrimPrefix(url, "sqlite://") + "*")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", f, info.Mode(), err)
		}
	}
}

func TestDeletedTextIsNotInTheFile(t *testing.T) {
	url := storetest.SQLiteURL(t)
	s := storetest.Open(t, url)
	a := storetest.Account(t, s, "a")
	m := storetest.Media(t, s, a.ID)
	words := bytes.Repeat([]byte("very private words "), 1000)
	storetest.Update(t, s, func(tx *store.Tx) error { return tx.PutResult(m.ID, store.Result{Transcript: words}) })
	storetest.Update(t, s, func(tx *store.Tx) error { _, err := tx.DeleteMedia(a.ID, m.ID); return err })
	s.Close() // checkpoints and removes the write-ahead log
	file, err := os.ReadFile(strings.TrimPrefix(url, "sqlite://"))
	if err != nil || bytes.Contains(file, []byte("private words")) || !bytes.Contains(file, []byte(a.ID)) {
		t.Fatal("deleted words are still in the file, or others are not", err)
	}
}
