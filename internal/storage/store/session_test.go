package store_test

import (
	"slices"
	"testing"
	"time"

	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/account"
	"parley/internal/words/fault"
)

// newToken creates a token of an account.
func newToken(t *testing.T, s *store.Store, a account.ID, n byte) (made account.Token) {
	t.Helper()
	storetest.Update(t, s, func(tx *store.Tx) (err error) {
		made, err = tx.CreateToken(account.Token{Account: a, Description: "d", Scopes: account.AllScopes}, [32]byte{0, n})
		return err
	})
	return made
}

// newSession begins a session of a token.
func newSession(t *testing.T, s *store.Store, of account.Token, n byte) (made account.Session) {
	t.Helper()
	storetest.Update(t, s, func(tx *store.Tx) (err error) {
		made, err = tx.CreateSession(of, [32]byte{n})
		return err
	})
	return made
}

func sessionByHash(t *testing.T, s *store.Store, n byte) (found account.Session, owner account.Account, err error) {
	t.Helper()
	err = s.View(t.Context(), func(tx *store.Tx) (err error) {
		found, owner, err = tx.SessionByHash([32]byte{n})
		return err
	})
	return found, owner, err
}

func sessions(t *testing.T, s *store.Store, a account.ID) (ids []string) {
	t.Helper()
	err := s.View(t.Context(), func(tx *store.Tx) error {
		all, err := tx.Sessions(a)
		for _, one := range all {
			ids = append(ids, one.ID)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

func TestASessionIsFoundByTheHashOfItsSecretWithItsTokenAndAccount(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a, b := storetest.Account(t, s, "a"), storetest.Account(t, s, "b")
		first, second := newToken(t, s, a.ID, 1), newToken(t, s, a.ID, 2)
		one, two := newSession(t, s, first, 1), newSession(t, s, second, 2)
		newSession(t, s, newToken(t, s, b.ID, 3), 3)
		got, owner, err := sessionByHash(t, s, 1)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, got, one)
		equal(t, got.Token, first)
		equal(t, owner, a)
		equal(t, sessions(t, s, a.ID), []string{one.ID, two.ID})
		err = s.Update(t.Context(), func(tx *store.Tx) error { return tx.EndSession(b.ID, one.ID) })
		is(t, err, fault.NotFound, fault.CodeSession)
		storetest.Update(t, s, func(tx *store.Tx) error { return tx.EndSession(a.ID, one.ID) })
		storetest.Update(t, s, func(tx *store.Tx) error { return tx.RevokeToken(a.ID, second.ID) })
		for _, n := range []byte{1, 2, 9} {
			_, _, err = sessionByHash(t, s, n)
			is(t, err, fault.NotFound, fault.CodeSession)
		}
		equal(t, rows(t, s)["session"], 1)
		err = s.Update(t.Context(), func(tx *store.Tx) error { _, err := tx.CreateSession(second, [32]byte{4}); return err })
		is(t, err, fault.NotFound, fault.CodeKeyUnknown)
	})
}

func TestASessionOfATokenThatAServerOfAnEarlierVersionRevokedIsNotFound(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		newSession(t, s, newToken(t, s, a.ID, 1), 1)
		if err := s.Exec(t.Context(), `DELETE FROM token`); err != nil {
			t.Fatal(err)
		}
		_, _, err := sessionByHash(t, s, 1)
		is(t, err, fault.NotFound, fault.CodeSession)
		equal(t, len(sessions(t, s, a.ID)), 0)
	})
}

func TestATokenKeepsTheSessionsThatWereUsedLast(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		of, other := newToken(t, s, a.ID, 1), newToken(t, s, a.ID, 2)
		newSession(t, s, other, 255)
		var all []string
		for n := range byte(account.MaxSessions) {
			all = append(all, newSession(t, s, of, n).ID)
		}
		// the first one is the only one that was used since
		err := s.Exec(t.Context(), `UPDATE session SET last_used = last_used - 1000000 WHERE id <> $1`, all[0])
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, newSession(t, s, of, 254).ID)
		left := sessions(t, s, a.ID)
		equal(t, len(left), account.MaxSessions+1) // with that of the other token
		equal(t, slices.Contains(left, all[0]), true)
		equal(t, slices.Contains(left, all[1]), false)
		equal(t, slices.Contains(left, all[len(all)-1]), true)
	})
}

func TestTheUseOfASessionIsWrittenAtMostOnceAMinute(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		made := newSession(t, s, newToken(t, s, a.ID, 1), 1)
		equal(t, store.SessionNeedsTouch(made, made.Created.Add(time.Minute)), false)
		equal(t, store.SessionNeedsTouch(made, made.Created.Add(time.Minute+1)), true)
		touch := func() time.Time {
			storetest.Update(t, s, func(tx *store.Tx) error { return tx.TouchSession(made.ID) })
			found, _, err := sessionByHash(t, s, 1)
			if err != nil {
				t.Fatal(err)
			}
			return found.LastUsed
		}
		equal(t, touch(), made.LastUsed)
		if err := s.Exec(t.Context(), `UPDATE session SET last_used = last_used - 61000000`); err != nil {
			t.Fatal(err)
		}
		if used := touch(); used.Before(made.LastUsed) {
			t.Errorf("used at %s, begun at %s", used, made.LastUsed)
		}
	})
}

func TestSessionsAndLinksWhoseTimeIsOverAreForgotten(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		of := newToken(t, s, a.ID, 1)
		idle, old, stays := newSession(t, s, of, 1), newSession(t, s, of, 2), newSession(t, s, of, 3)
		storetest.Update(t, s, func(tx *store.Tx) error {
			for n := range byte(2) {
				if err := tx.CreateLink(of, [32]byte{n}); err != nil {
					return err
				}
			}
			return nil
		})
		for statement, id := range map[string]string{
			`UPDATE session SET last_used = last_used - 43200000000 WHERE id = $1`: idle.ID,
			`UPDATE session SET created = created - 604800000000 WHERE id = $1`:    old.ID,
		} {
			if err := s.Exec(t.Context(), statement, id); err != nil {
				t.Fatal(err)
			}
		}
		equal(t, sessions(t, s, a.ID), []string{stays.ID})
		first := [32]byte{0}
		if err := s.Exec(t.Context(), `UPDATE sign_in_link SET expires = 1 WHERE hash = $1`, first[:]); err != nil {
			t.Fatal(err)
		}
		storetest.Update(t, s, (*store.Tx).ForgetSessions)
		equal(t, rows(t, s)["session"], 1)
		equal(t, rows(t, s)["sign_in_link"], 1)
	})
}

func TestALinkIsUsedOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		of := newToken(t, s, a.ID, 1)
		storetest.Update(t, s, func(tx *store.Tx) error { return tx.CreateLink(of, [32]byte{1}) })
		take := func() error {
			return s.Update(t.Context(), func(tx *store.Tx) error {
				got, owner, err := tx.TokenByLink([32]byte{1})
				if err != nil {
					return err
				}
				equal(t, got, of)
				equal(t, owner, a)
				return tx.UseLink([32]byte{1})
			})
		}
		taken := make(chan error)
		for range 4 {
			go func() { taken <- take() }()
		}
		succeeded := 0
		for range 4 {
			if err := <-taken; err == nil {
				succeeded++
			} else {
				is(t, err, fault.NotFound, fault.CodeSignInLink)
			}
		}
		equal(t, succeeded, 1)
		storetest.Update(t, s, func(tx *store.Tx) error { return tx.CreateLink(of, [32]byte{1}) })
		if err := s.Exec(t.Context(), `UPDATE sign_in_link SET expires = 1`); err != nil {
			t.Fatal(err)
		}
		is(t, take(), fault.NotFound, fault.CodeSignInLink)
		storetest.Update(t, s, func(tx *store.Tx) error { return tx.RevokeToken(a.ID, of.ID) })
		equal(t, rows(t, s)["sign_in_link"], 0)
	})
}
