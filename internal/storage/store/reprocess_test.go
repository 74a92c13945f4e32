package store_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// done creates an item with a final status, and with a result if it has finished.
func done(t *testing.T, s *store.Store, status media.Status, life time.Duration) media.Media {
	t.Helper()
	a := storetest.Account(t, s, t.Name())
	m := storetest.Media(t, s, a.ID)
	storetest.Update(t, s, func(tx *store.Tx) (err error) {
		if status == media.Finished {
			if err := tx.PutResult(m.ID, store.Result{Version: 1, Transcript: []byte("t"),
				Result: []byte("r")}); err != nil {
				return err
			}
		}
		if err := tx.SetTimeToLive(m.ID, life); err != nil {
			return err
		}
		if err := tx.SetStatus(m.ID, status, media.Accepted); err != nil {
			return err
		}
		m, err = tx.MediaByID(m.ID)
		return err
	})
	return m
}

// begun starts reprocessing an item.
func begun(t *testing.T, s *store.Store, m media.Media) {
	t.Helper()
	storetest.Update(t, s, func(tx *store.Tx) error {
		return tx.BeginReprocessing(m, "k", []byte("new"), []byte("words"))
	})
}

// state is the part of an item that reprocessing changes.
type state struct {
	Status        media.Status
	Configuration string
	Given         string
	Result        string
	Again         *store.Reprocessing
}

func read(t *testing.T, s *store.Store, m media.Media) (got state) {
	t.Helper()
	storetest.Update(t, s, func(tx *store.Tx) error {
		now, err := tx.MediaByID(m.ID)
		if err != nil {
			return err
		}
		configuration, given, err := tx.Request(m.ID)
		if err != nil {
			return err
		}
		r, err := tx.Result(m.Account, m.ID)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
		again, err := tx.Reprocessing(m.ID)
		got = state{now.Status, string(configuration), string(given), string(r.Transcript) + string(r.Result), again}
		return err
	})
	return got
}

func TestARequestToProcessAgainStandsBesideTheEarlierOneUntilItHasAResult(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		m := done(t, s, media.Finished, 0)
		begun(t, s, m)
		again := &store.Reprocessing{Configuration: []byte("new"), Given: []byte("words"), Finished: m.Finished}
		equal(t, read(t, s, m), state{media.Scheduled, "{}", "", "tr", again})
		storetest.Update(t, s, func(tx *store.Tx) error { return tx.CommitReprocessing(m.ID) })
		equal(t, read(t, s, m), state{media.Scheduled, "new", "words", "tr", nil})
		storetest.Update(t, s, func(tx *store.Tx) error { return tx.CommitReprocessing(m.ID) }) // nothing to do
		equal(t, read(t, s, m), state{media.Scheduled, "new", "words", "tr", nil})
	})
}

func TestAnItemThatIsProcessedAgainWithoutSuccessIsAsItWas(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		m := done(t, s, media.Finished, time.Hour)
		begun(t, s, m)
		storetest.Update(t, s, func(tx *store.Tx) error {
			during, err := tx.MediaByID(m.ID)
			// it cannot expire meanwhile
			equal(t, []bool{during.Finished.IsZero(), during.Expires.IsZero()}, []bool{true, true})
			if err != nil {
				return err
			}
			if err := tx.SetStatus(m.ID, media.Running); err != nil {
				return err
			}
			if err := tx.RestoreFinished(m.ID, m.Finished); err != nil {
				return err
			}
			return tx.DropReprocessing(m.ID)
		})
		storetest.Update(t, s, func(tx *store.Tx) error {
			got, err := tx.MediaByID(m.ID)
			equal(t, got, m)
			return err
		})
		equal(t, read(t, s, m), state{media.Finished, "{}", "", "tr", nil})
	})
}

func TestAnItemThatFailedHasNoResultToFallBackOn(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		m := done(t, s, media.Failed, 0)
		begun(t, s, m)
		equal(t, read(t, s, m).Again.Finished.IsZero(), true)
	})
}

func TestOnlyDoneItemsBeginAgainAndOnlyOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		m := done(t, s, media.Finished, 0)
		other := storetest.Account(t, s, "other")
		is(t, s.Update(t.Context(), func(tx *store.Tx) error { _, err := tx.LockMedia(other.ID, m.ID); return err }),
			fault.NotFound, fault.CodeNotFound)
		var taken, refused atomic.Int64
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				err := s.Update(t.Context(), func(tx *store.Tx) error {
					now, err := tx.LockMedia(m.Account, m.ID)
					if err != nil {
						return err
					}
					return tx.BeginReprocessing(now, "k", nil, nil)
				})
				switch {
				case err == nil:
					taken.Add(1)
				case fault.Is(err, fault.Conflict):
					refused.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		wg.Wait()
		equal(t, []int64{taken.Load(), refused.Load()}, []int64{1, 7})
		storetest.Update(t, s, func(tx *store.Tx) error {
			n, err := tx.Generation(m.ID)
			equal(t, n, int64(1))
			return err
		})
	})
}

func TestDeadJobsGoWhenAnItemBeginsAgain(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		m := done(t, s, media.Failed, 0)
		mine := job.Spec{Kind: "k", Account: string(m.Account), Subject: string(m.ID)}
		elsewhere := mine
		elsewhere.Subject = "x"
		for range 2 {
			enqueue(t, s, mine, elsewhere)
		}
		for _, j := range claim(t, s, 3) {
			must(t, s.Queue().Bury(t.Context(), j, errors.New("x")))
		}
		begun(t, s, m)
		counts, err := s.Queue().Counts(t.Context(), "")
		must(t, err)
		// Three of the four jobs were dead; the two of the item are deleted.
		dead, ready := int64(0), int64(0)
		for _, c := range counts {
			if c.State == job.Dead {
				dead += c.Jobs
			} else {
				ready += c.Jobs
			}
		}
		equal(t, []int64{dead, ready}, []int64{1, 1})
	})
}
