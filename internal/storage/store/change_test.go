package store_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// number gives numbers to all changes that are committed.
func number(t *testing.T, s *store.Store) {
	t.Helper()
	for more := true; more; {
		var err error
		if more, err = s.NumberChanges(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func present(t *testing.T, s *store.Store) int64 {
	t.Helper()
	number(t, s)
	cursor, err := store.Read(t.Context(), s, (*store.Tx).Present)
	if err != nil {
		t.Fatal(err)
	}
	return cursor
}

func changes(t *testing.T, s *store.Store, a account.ID, after int64, limit int) store.ChangePage {
	t.Helper()
	p, err := store.Read(t.Context(), s, func(tx *store.Tx) (store.ChangePage, error) { return tx.Changes(a, after, limit) })
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestChangesOfAnAccountAreReadOnceInTheirOrder(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a, b := storetest.Account(t, s, "a").ID, storetest.Account(t, s, "b").ID
		old := storetest.Media(t, s, a).ID
		cursor := present(t, s)
		if p := changes(t, s, a, cursor, 10); len(p.Changes) != 0 || p.Cursor != cursor || p.More || p.Lost {
			t.Errorf("nothing has changed: %+v", p)
		}
		first, second := storetest.Media(t, s, a).ID, storetest.Media(t, s, a).ID
		storetest.Media(t, s, b)
		number(t, s)
		storetest.Update(t, s, func(tx *store.Tx) error { return tx.SetStatus(old, media.Running) })
		number(t, s)
		storetest.Update(t, s, func(tx *store.Tx) error { _, err := tx.DeleteMedia(a, first); return err })
		number(t, s)

		var seen []string
		for more := true; more; {
			p := changes(t, s, a, cursor, 1)
			if len(p.Changes) != 1 || p.Lost {
				t.Fatalf("page %+v", p)
			}
			c := p.Changes[0]
			status := "deleted"
			if c.Media != nil {
				status = string(c.Media.Status)
			}
			seen = append(seen, fmt.Sprint(c.ID, " ", status))
			cursor, more = p.Cursor, p.More
		}
		equal(t, seen, []string{fmt.Sprint(second, " accepted"), fmt.Sprint(old, " running"), fmt.Sprint(first, " deleted")})
		if p := changes(t, s, a, cursor, 10); len(p.Changes) != 0 {
			t.Errorf("read again: %+v", p)
		}
	})
}

// TestAChangeThatIsCommittedLateIsNotMissed has a transaction that began before others and ends after them, while the
// changes of the others are numbered and read.
func TestAChangeThatIsCommittedLateIsNotMissed(t *testing.T) {
	s := storetest.Postgres(t)
	a := storetest.Account(t, s, "a").ID
	late := storetest.Media(t, s, a).ID
	cursor := present(t, s)
	changed, goOn, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	var once sync.Once
	go func() {
		done <- s.Update(t.Context(), func(tx *store.Tx) error {
			if err := tx.SetStatus(late, media.Running); err != nil {
				return err
			}
			once.Do(func() { close(changed) })
			<-goOn
			return nil
		})
	}()
	<-changed
	early := storetest.Media(t, s, a).ID
	number(t, s)
	p := changes(t, s, a, cursor, 10)
	if len(p.Changes) != 1 || p.Changes[0].ID != early {
		t.Fatalf("beside an open transaction: %+v", p)
	}
	close(goOn)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	number(t, s)
	p = changes(t, s, a, p.Cursor, 10)
	if len(p.Changes) != 1 || p.Changes[0].ID != late || p.Changes[0].Media.Status != media.Running {
		t.Errorf("after it: %+v", p)
	}
}

// TestFollowersSeeTheLastStateOfEveryItem has writers and servers that number at the same time, and a follower.
func TestFollowersSeeTheLastStateOfEveryItem(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a").ID
		cursor := present(t, s)
		var writers, numbering sync.WaitGroup
		ended := make(chan struct{})
		for range 2 {
			numbering.Go(func() {
				for {
					if _, err := s.NumberChanges(t.Context()); err != nil {
						t.Error(err)
					}
					select {
					case <-ended:
						return
					default:
					}
				}
			})
		}
		for w := range 4 {
			writers.Go(func() {
				chance := rand.New(rand.NewPCG(1, uint64(w)))
				for range 20 {
					var id media.ID
					err := s.Update(t.Context(), func(tx *store.Tx) error {
						m, err := tx.InsertMedia(media.Media{Account: a, Status: media.Accepted, Priority: media.Normal},
							[]byte("{}"), nil)
						id = m.ID
						return err
					})
					if err == nil && chance.IntN(2) == 0 {
						err = s.Update(t.Context(), func(tx *store.Tx) error { return tx.SetStatus(id, media.Running) })
					}
					if err == nil && chance.IntN(3) == 0 {
						err = s.Update(t.Context(), func(tx *store.Tx) error { _, err := tx.DeleteMedia(a, id); return err })
					}
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		seen := map[media.ID]media.Status{}
		follow := func() {
			for more := true; more; {
				p := changes(t, s, a, cursor, 7)
				for _, c := range p.Changes {
					if delete(seen, c.ID); c.Media != nil {
						seen[c.ID] = c.Media.Status
					}
				}
				cursor, more = p.Cursor, p.More
			}
		}
		go func() { writers.Wait(); close(ended) }()
		for over := false; !over; {
			select {
			case <-ended:
				over = true
			default:
			}
			follow()
		}
		numbering.Wait()
		number(t, s)
		follow()
		there := map[media.ID]media.Status{}
		all, err := store.Read(t.Context(), s, func(tx *store.Tx) ([]media.Media, error) {
			return tx.ListMedia(a, store.MediaFilter{Limit: 1000})
		})
		if err != nil || len(all) == 0 {
			t.Fatal(all, err)
		}
		for _, m := range all {
			there[m.ID] = m.Status
		}
		equal(t, seen, there)
	})
}

func TestACursorBeforeWhatIsForgottenIsLost(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a").ID
		before := present(t, s)
		id := storetest.Media(t, s, a).ID
		cursor := present(t, s)
		storetest.Update(t, s, func(tx *store.Tx) error { return tx.AgeChanges(25 * time.Hour) })
		if err := s.ForgetChanges(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n, err := s.CountWhere(t.Context(), "media_change", "media", string(id)); n != 0 || err != nil {
			t.Errorf("%d changes are left: %v", n, err)
		}
		if p := changes(t, s, a, before, 10); !p.Lost || p.Cursor != cursor || len(p.Changes) != 0 {
			t.Errorf("before: %+v", p)
		}
		if p := changes(t, s, a, cursor, 10); p.Lost {
			t.Errorf("the present cursor: %+v", p)
		}
		if p := changes(t, s, a, cursor+1, 10); !p.Lost || p.Cursor != cursor {
			t.Errorf("a cursor of the future: %+v", p)
		}
	})
}
