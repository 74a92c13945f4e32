package store_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

func TestStreamReplacesItsNamesake(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		m := storetest.Media(t, s, a.ID)
		original := media.Stream{Name: media.Original, Blob: "b1", ContentType: "audio/wav", Size: 1}
		redacted := media.Stream{Name: media.RedactedAudio, Blob: "b2", ContentType: "audio/wav", Size: 2}
		storetest.Update(t, s, func(tx *store.Tx) error {
			for _, put := range []struct {
				stream media.Stream
				old    string
			}{{redacted, ""}, {original, ""}, {original, ""}, {media.Stream{Name: media.Original, Blob: "b3"}, "b1"}} {
				old, err := tx.PutStream(m.ID, put.stream)
				equal(t, old, put.old)
				if err != nil {
					return err
				}
			}
			streams, err := tx.Streams(a.ID, m.ID)
			equal(t, streams, []media.Stream{{Name: media.Original, Blob: "b3"}, redacted})
			if err != nil {
				return err
			}
			one, err := tx.Stream(a.ID, m.ID, media.RedactedAudio)
			equal(t, one, redacted)
			if err != nil {
				return err
			}
			for _, want := range []string{"b2", ""} {
				blob, err := tx.DeleteStream(m.ID, media.RedactedAudio)
				equal(t, blob, want)
				if err != nil {
					return err
				}
			}
			_, err = tx.Stream(a.ID, m.ID, media.RedactedAudio)
			is(t, err, fault.NotFound, fault.CodeNotFound)
			return nil
		})
	})
}

func TestArtifactsAreKeptByStepAndKey(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		m, other := storetest.Media(t, s, a.ID), storetest.Media(t, s, a.ID)
		storetest.Update(t, s, func(tx *store.Tx) error {
			for _, err := range []error{
				tx.PutArtifact(m.ID, media.StepRecognize, "b", []byte("old")),
				tx.PutArtifact(m.ID, media.StepRecognize, "b", []byte{0, 255}),
				tx.PutArtifact(m.ID, media.StepRecognize, "a", nil),
				tx.PutArtifact(m.ID, media.StepTranscode, "b", []byte("t")),
				tx.PutArtifact(other.ID, media.StepRecognize, "b", []byte("o")),
			} {
				if err != nil {
					return err
				}
			}
			got, ok, err := tx.Artifact(m.ID, media.StepRecognize, "b")
			equal(t, []any{got, ok}, []any{[]byte{0, 255}, true})
			if err != nil {
				return err
			}
			_, ok, err = tx.Artifact(m.ID, media.StepAnalyze, "b")
			equal(t, ok, false)
			if err != nil {
				return err
			}
			got, ok, err = tx.Artifact(m.ID, media.StepRecognize, "a")
			equal(t, []any{len(got), ok}, []any{0, true})
			if err != nil {
				return err
			}
			if err := tx.DeleteArtifacts(m.ID); err != nil {
				return err
			}
			_, ok, err = tx.Artifact(m.ID, media.StepTranscode, "b")
			equal(t, ok, false)
			if err != nil {
				return err
			}
			_, ok, err = tx.Artifact(other.ID, media.StepRecognize, "b")
			equal(t, ok, true)
			return err
		})
	})
}

func TestResultReplacesThePreviousOne(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		m := storetest.Media(t, s, a.ID)
		storetest.Update(t, s, func(tx *store.Tx) error {
			_, err := tx.Result(a.ID, m.ID)
			is(t, err, fault.NotFound, fault.CodeNotFinished)
			for _, r := range []store.Result{
				{Version: 1, Transcript: []byte("t"), Result: []byte("r")},
				{Version: 2, Transcript: []byte("t2"), Result: []byte("r2")},
			} {
				if err := tx.PutResult(m.ID, r); err != nil {
					return err
				}
				got, err := tx.Result(a.ID, m.ID)
				equal(t, got, r)
				if err != nil {
					return err
				}
			}
			return nil
		})
	})
}

func TestProgressIsReadAsItWasSet(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		m := storetest.Media(t, s, a.ID)
		now := time.Unix(1_790_000_000, 123_000).UTC()
		p := media.NewProgress("job")
		for _, next := range []media.Progress{p, p.With(media.StepFetch, media.TaskSkipped, 100, now).
			With(media.StepRecognize, media.TaskStarted, 42, now.Add(time.Second))} {
			storetest.Update(t, s, func(tx *store.Tx) error {
				if err := tx.SetProgress(m.ID, next); err != nil {
					return err
				}
				got, err := tx.Progress(a.ID, m.ID)
				equal(t, got, next)
				return err
			})
		}
	})
}

func TestIdempotencyKeyLeadsToTheFirstItem(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a, b := storetest.Account(t, s, "a"), storetest.Account(t, s, "b")
		m, n := storetest.Media(t, s, a.ID), storetest.Media(t, s, a.ID)
		remember := func(of account.ID, hash string, id media.ID) (first media.ID, err error) {
			err = s.Update(t.Context(), func(tx *store.Tx) (err error) {
				first, err = tx.RememberKey(of, "key", []byte(hash), id)
				return err
			})
			return first, err
		}
		for _, c := range []struct {
			of       account.ID
			id, want media.ID
		}{{a.ID, m.ID, m.ID}, {a.ID, n.ID, m.ID}, {b.ID, n.ID, n.ID}} {
			first, err := remember(c.of, "hash", c.id)
			equal(t, []any{first, err}, []any{c.want, nil})
		}
		_, err := remember(a.ID, "other", n.ID)
		is(t, err, fault.Conflict, fault.CodeIdempotency)
		storetest.Update(t, s, func(tx *store.Tx) error {
			id, ok, err := tx.KeyUsed(a.ID, "key", []byte("hash"))
			equal(t, []any{id, ok}, []any{m.ID, true})
			if err != nil {
				return err
			}
			_, ok, err = tx.KeyUsed(a.ID, "another", []byte("hash"))
			equal(t, ok, false)
			if err != nil {
				return err
			}
			return tx.ForgetKeys() // these are too recent
		})
		first, err := remember(a.ID, "hash", n.ID)
		equal(t, []any{first, err}, []any{m.ID, nil})
		storetest.Update(t, s, func(tx *store.Tx) error { _, err := tx.DeleteMedia(a.ID, m.ID); return err })
		first, err = remember(a.ID, "hash", n.ID)
		equal(t, []any{first, err}, []any{n.ID, nil})
	})
}

func TestConcurrentDuplicatesAgreeOnOneItem(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		errDuplicate := errors.New("duplicate")
		firsts := make([]media.ID, 16)
		var wg sync.WaitGroup
		for i := range firsts {
			wg.Go(func() {
				err := s.Update(t.Context(), func(tx *store.Tx) error {
					m, err := tx.InsertMedia(media.Media{Account: a.ID, Status: media.Accepted}, nil, nil)
					if err != nil {
						return err
					}
					firsts[i], err = tx.RememberKey(a.ID, "key", nil, m.ID)
					if err == nil && firsts[i] != m.ID {
						return errDuplicate
					}
					return err
				})
				if err != nil && !errors.Is(err, errDuplicate) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		for _, id := range firsts {
			equal(t, id, firsts[0])
		}
		equal(t, rows(t, s)["media"], 1)
	})
}

func TestUsageAddsUpByDay(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		day := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
		storetest.Update(t, s, func(tx *store.Tx) error {
			for _, u := range []struct{ after, processed, given time.Duration }{
				{23*time.Hour + 59*time.Minute, time.Second, 0}, {0, 2 * time.Millisecond, time.Minute},
				{0, 0, time.Minute},
				{24 * time.Hour, time.Minute, 0}, {30 * time.Hour, 0, 0}, {48 * time.Hour, time.Hour, 0},
			} {
				local := day.Add(u.after).In(time.FixedZone("far", -11*3600))
				if err := tx.AddUsage(a.ID, local, store.Usage{Recognized: u.processed, Given: u.given}); err != nil {
					return err
				}
			}
			return nil
		})
		storetest.Update(t, s, func(tx *store.Tx) error {
			got, err := tx.Usage(a.ID, day, day.AddDate(0, 0, 2))
			equal(t, got, []store.Usage{
				{Day: day, Recognized: 1002 * time.Millisecond, Given: 2 * time.Minute},
				{Day: day.AddDate(0, 0, 1), Recognized: time.Minute},
			})
			return err
		})
	})
}

func TestNodesThatStartTogetherShareASetting(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		values := make([]string, 8)
		var wg sync.WaitGroup
		for i := range values {
			wg.Go(func() {
				err := s.Update(t.Context(), func(tx *store.Tx) error {
					v, err := tx.SettingOr("key", []byte{byte(i)})
					values[i] = string(v)
					return err
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		for _, v := range values {
			equal(t, v, values[0])
		}
		storetest.Update(t, s, func(tx *store.Tx) error {
			_, err := tx.Setting("other")
			is(t, err, fault.NotFound, fault.CodeNotFound)
			if err := tx.SetSetting("key", []byte("new")); err != nil {
				return err
			}
			v, err := tx.Setting("key")
			equal(t, string(v), "new")
			return err
		})
	})
}
