package store_test

import (
	"testing"
	"time"

	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

func rows(t *testing.T, s *store.Store) map[string]int {
	t.Helper()
	counts, err := s.Count(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return counts
}

func metadata(t *testing.T, text string) *media.Metadata {
	t.Helper()
	m, err := media.ParseMetadata([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestMediaIsReadAsItWasInserted(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		id, err := media.NewID()
		if err != nil {
			t.Fatal(err)
		}
		full := media.Media{ID: id, Account: a.ID, Status: media.Accepted, Length: 1234567 * time.Microsecond,
			ContentType: "audio/wav", Size: 1 << 40, SHA256: "abc", SourceURL: "https://example.com/a.wav",
			Metadata: metadata(t, `{ "z":1.50, "externalId":"e", "a":"ü\u0000" }`), Priority: media.Low,
			TimeToLive: time.Hour,
			Problems:   []fault.Problem{{Code: 1, Message: "p"}},
			Warnings:   []fault.Problem{{Code: 2, Message: "w"}, {Code: 3}}}
		for _, m := range []media.Media{full, {Account: a.ID, Status: media.Scheduled}} {
			storetest.Update(t, s, func(tx *store.Tx) error {
				made, err := tx.InsertMedia(m, []byte(`{"c":1}`), []byte("d"))
				if err != nil {
					return err
				}
				m.ID, m.Created = made.ID, made.ID.Created()
				equal(t, made, m)
				got, err := tx.Media(a.ID, m.ID)
				if err != nil {
					return err
				}
				equal(t, got, m)
				byID, err := tx.MediaByID(m.ID)
				equal(t, byID, m)
				if err != nil {
					return err
				}
				configuration, given, err := tx.Request(m.ID)
				equal(t, []string{string(configuration), string(given)}, []string{`{"c":1}`, "d"})
				return err
			})
		}
	})
}

func TestItemsOfAnotherAccountAreNotFound(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a, b := storetest.Account(t, s, "a"), storetest.Account(t, s, "b")
		m := furnish(t, s, a.ID)
		md := metadata(t, `{"title":"Another"}`)
		before := rows(t, s)
		for name, c := range map[string]struct {
			code int
			f    func(tx *store.Tx, a account.ID) error
		}{
			"Media": {fault.CodeNotFound, func(tx *store.Tx, a account.ID) error {
				_, err := tx.Media(a, m.ID)
				return err
			}},
			"Metadata": {fault.CodeNotFound, func(tx *store.Tx, a account.ID) error {
				_, _, err := tx.Metadata(a, m.ID)
				return err
			}},
			"SetMetadata": {fault.CodeNotFound, func(tx *store.Tx, a account.ID) error {
				_, err := tx.SetMetadata(a, m.ID, md, 0)
				return err
			}},
			"Stream": {fault.CodeNotFound, func(tx *store.Tx, a account.ID) error {
				_, err := tx.Stream(a, m.ID, media.Original)
				return err
			}},
			"Result": {fault.CodeNotFinished, func(tx *store.Tx, a account.ID) error {
				_, err := tx.Result(a, m.ID)
				return err
			}},
			"Progress": {fault.CodeNotFound, func(tx *store.Tx, a account.ID) error {
				_, err := tx.Progress(a, m.ID)
				return err
			}},
			"DeleteMedia": {fault.CodeNotFound, func(tx *store.Tx, a account.ID) error {
				_, err := tx.DeleteMedia(a, m.ID)
				return err
			}},
		} {
			t.Run(name, func(t *testing.T) {
				err := s.Update(t.Context(), func(tx *store.Tx) error { return c.f(tx, b.ID) })
				is(t, err, fault.NotFound, c.code)
				equal(t, rows(t, s), before)
				storetest.Update(t, s, func(tx *store.Tx) error { // its own account finds it; nothing is kept
					if err := c.f(tx, a.ID); err != nil {
						t.Errorf("own account: %v", err)
					}
					return nil
				})
				if name == "DeleteMedia" {
					return
				}
				equal(t, rows(t, s), before)
			})
			if name == "DeleteMedia" {
				m = furnish(t, s, a.ID)
				before = rows(t, s)
			}
		}
		storetest.Update(t, s, func(tx *store.Tx) error {
			streams, err := tx.Streams(b.ID, m.ID)
			equal(t, len(streams), 0)
			return err
		})
	})
}

func TestDeletedMediaLeavesNoRows(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		before := rows(t, s)
		m := furnish(t, s, a.ID)
		jobs, err := s.Queue().List(t.Context(), job.Filter{State: job.Running})
		if err != nil || len(jobs) != 1 {
			t.Fatal(jobs, err)
		}
		storetest.Update(t, s, func(tx *store.Tx) error {
			blobs, err := tx.DeleteMedia(a.ID, m.ID)
			equal(t, blobs, []string{"blob/" + string(m.ID)})
			return err
		})
		for _, table := range []string{"token", "usage", "definition", "category_version", "classifier",
			"category_apply", "audit", "storage", "job_lane", "endpoint", "callback_secret", "public_key", "session",
			"sign_in_link", "callback_retry", "media_change"} {
			before[table]++ // these are not the item's
		}
		equal(t, rows(t, s), before)
		err = s.Update(t.Context(), func(tx *store.Tx) error { return tx.FenceJob(jobs[0]) })
		equal(t, err, job.ErrLost)
	})
}

func TestStatusChangesOnlyFromTheGivenOnes(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		m := storetest.Media(t, s, a.ID)
		set := func(to media.Status, from ...media.Status) error {
			return s.Update(t.Context(), func(tx *store.Tx) error { return tx.SetStatus(m.ID, to, from...) })
		}
		is(t, set(media.Running, media.Scheduled), fault.Conflict, fault.CodeConflict)
		is(t, set(media.Finished), fault.Conflict, fault.CodeConflict)
		for _, step := range []error{set(media.Running, media.Accepted, media.Scheduled), set(media.Failed)} {
			if step != nil {
				t.Fatal(step)
			}
		}
		m.ID = "x"
		is(t, set(media.Running), fault.NotFound, fault.CodeNotFound)
	})
}

func TestDoneItemsHaveAnEndAndAnExpiry(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		m := storetest.Media(t, s, a.ID)
		storetest.Update(t, s, func(tx *store.Tx) error {
			for _, err := range []error{tx.SetTimeToLive(m.ID, time.Minute), tx.SetStatus(m.ID, media.Running),
				tx.SetProblems(m.ID, []fault.Problem{{Code: 1}}), tx.SetStatus(m.ID, media.Failed)} {
				if err != nil {
					return err
				}
			}
			got, err := tx.MediaByID(m.ID)
			if err != nil {
				return err
			}
			equal(t, got.Expires.Sub(got.Finished), time.Minute)
			equal(t, got.Problems, []fault.Problem{{Code: 1}})
			if got.Finished.Before(m.Created) {
				t.Fatalf("finished %v, created %v", got.Finished, m.Created)
			}
			expired, err := tx.ExpiredMedia(10)
			equal(t, len(expired), 0)
			if err := tx.SetTimeToLive(m.ID, time.Microsecond); err != nil {
				return err
			}
			return err
		})
		for n := 0; n == 0; { // SQLite's clock has milliseconds
			storetest.Update(t, s, func(tx *store.Tx) error {
				expired, err := tx.ExpiredMedia(10)
				n = len(expired)
				return err
			})
		}
		storetest.Update(t, s, func(tx *store.Tx) error { // reprocessed
			if err := tx.SetStatus(m.ID, media.Scheduled); err != nil {
				return err
			}
			got, err := tx.MediaByID(m.ID)
			equal(t, []any{got.Finished.IsZero(), got.Expires.IsZero(), len(got.Problems)}, []any{true, true, 0})
			return err
		})
	})
}

func TestWhatWorkersFindIsKept(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		m := storetest.Media(t, s, a.ID)
		storetest.Update(t, s, func(tx *store.Tx) error {
			for _, err := range []error{tx.SetLength(m.ID, time.Minute), tx.SetOriginal(m.ID, "audio/ogg", 5, "f"),
				tx.SetWarnings(m.ID, []fault.Problem{{Code: 2, Message: "w"}}),
				tx.SetRequest(m.ID, []byte("c2"), []byte("d2"))} {
				if err != nil {
					return err
				}
			}
			m.Length, m.ContentType, m.Size, m.SHA256 = time.Minute, "audio/ogg", 5, "f"
			m.Warnings = []fault.Problem{{Code: 2, Message: "w"}}
			got, err := tx.MediaByID(m.ID)
			equal(t, got, m)
			if err != nil {
				return err
			}
			configuration, _, err := tx.Request(m.ID)
			equal(t, string(configuration), "c2")
			return err
		})
	})
}

func TestGenerationsCount(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		m := storetest.Media(t, s, a.ID)
		for want := range int64(3) {
			storetest.Update(t, s, func(tx *store.Tx) error {
				n, err := tx.Generation(m.ID)
				equal(t, n, want)
				if err != nil {
					return err
				}
				n, err = tx.NextGeneration(m.ID)
				equal(t, n, want+1)
				return err
			})
		}
	})
}

func TestMetadataChangesOnlyAtTheExpectedVersion(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		m := storetest.Media(t, s, a.ID)
		first, second := metadata(t, `{"externalId":"one"}`), metadata(t, `{"externalId":"two"}`)
		set := func(md *media.Metadata, expected int64) (version int64, err error) {
			err = s.Update(t.Context(), func(tx *store.Tx) (err error) {
				version, err = tx.SetMetadata(a.ID, m.ID, md, expected)
				return err
			})
			return version, err
		}
		version, err := set(first, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = set(second, version+1)
		is(t, err, fault.Conflict, fault.CodePrecondition)
		_, err = set(second, version)
		if err != nil {
			t.Fatal(err)
		}
		storetest.Update(t, s, func(tx *store.Tx) error {
			got, now, err := tx.Metadata(a.ID, m.ID)
			equal(t, string(got.Bytes()), `{"externalId":"two"}`)
			equal(t, now, version+1)
			if err != nil {
				return err
			}
			for id, want := range map[string]int{"one": 0, "two": 1} {
				listed, err := tx.ListMedia(a.ID, store.MediaFilter{ExternalID: id})
				equal(t, len(listed), want)
				if err != nil {
					return err
				}
			}
			return nil
		})
	})
}
