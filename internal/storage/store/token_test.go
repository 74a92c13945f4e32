package store_test

import (
	"crypto/sha256"
	"testing"
	"time"

	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/account"
	"parley/internal/words/fault"
)

func TestTokenIsFoundByTheHashOfItsSecret(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		hash := sha256.Sum256([]byte("secret"))
		asked := account.Token{Account: a.ID, Description: "for tests", LastSix: "secret",
			Scopes:  account.Scopes{account.MediaRead, account.Admin},
			Expires: time.UnixMicro(1_900_000_000_000_001).UTC()}
		storetest.Update(t, s, func(tx *store.Tx) error {
			made, err := tx.CreateToken(asked, hash)
			if err != nil {
				return err
			}
			got, owner, err := tx.TokenByHash(hash)
			if err != nil {
				return err
			}
			equal(t, got, made)
			equal(t, owner, a)
			asked.ID, asked.Issued = made.ID, made.Issued
			equal(t, got, asked)
			return nil
		})
		err := s.View(t.Context(), func(tx *store.Tx) error {
			_, _, err := tx.TokenByHash(sha256.Sum256(nil))
			return err
		})
		is(t, err, fault.NotFound, fault.CodeInvalidToken)
	})
}

func TestTokenWithoutScopesHasNone(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		storetest.Update(t, s, func(tx *store.Tx) error {
			if _, err := tx.CreateToken(account.Token{Account: a.ID}, [32]byte{1}); err != nil {
				return err
			}
			got, _, err := tx.TokenByHash([32]byte{1})
			equal(t, len(got.Scopes), 0)
			return err
		})
	})
}

func TestOnlyTheOwnerRevokesAToken(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a, b := storetest.Account(t, s, "a"), storetest.Account(t, s, "b")
		var made account.Token
		storetest.Update(t, s, func(tx *store.Tx) (err error) {
			made, err = tx.CreateToken(account.Token{Account: a.ID, Scopes: account.AllScopes}, [32]byte{1})
			return err
		})
		err := s.Update(t.Context(), func(tx *store.Tx) error { return tx.RevokeToken(b.ID, made.ID) })
		is(t, err, fault.NotFound, fault.CodeKeyUnknown)
		storetest.Update(t, s, func(tx *store.Tx) error {
			listed, err := tx.Tokens(a.ID)
			equal(t, listed, []account.Token{made})
			if err != nil {
				return err
			}
			if err := tx.RevokeToken(a.ID, made.ID); err != nil {
				return err
			}
			listed, err = tx.Tokens(a.ID)
			equal(t, len(listed), 0)
			return err
		})
	})
}

func TestTouchWritesAtMostOnceAMinute(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		var uses []time.Time
		storetest.Update(t, s, func(tx *store.Tx) error {
			made, err := tx.CreateToken(account.Token{Account: a.ID}, [32]byte{1})
			equal(t, store.NeedsTouch(made, made.Issued), true)
			for range 2 {
				if err := tx.TouchToken(made.ID); err != nil {
					return err
				}
				got, _, err := tx.TokenByHash([32]byte{1})
				if err != nil {
					return err
				}
				equal(t, store.NeedsTouch(got, got.LastUsed.Add(time.Second)), false)
				equal(t, store.NeedsTouch(got, got.LastUsed.Add(time.Hour)), true)
				uses = append(uses, got.LastUsed)
			}
			return err
		})
		if uses[0].IsZero() || uses[0] != uses[1] {
			t.Fatalf("uses noted: %v", uses)
		}
	})
}

func TestOnlyEphemeralTokensAreForgottenWhenTheyExpire(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		past, future := time.Now().Add(-time.Second), time.Now().Add(time.Hour)
		storetest.Update(t, s, func(tx *store.Tx) error {
			for i, token := range []account.Token{
				{Description: "kept", Expires: past}, {Description: "gone", Expires: past, Ephemeral: true},
				{Description: "valid", Expires: future, Ephemeral: true},
			} {
				token.Account = a.ID
				if _, err := tx.CreateToken(token, [32]byte{byte(i)}); err != nil {
					return err
				}
			}
			return tx.ForgetTokens()
		})
		storetest.Update(t, s, func(tx *store.Tx) error {
			left, err := tx.Tokens(a.ID)
			if len(left) != 2 || left[0].Description != "kept" || left[1].Description != "valid" || !left[1].Ephemeral {
				t.Errorf("left: %+v", left)
			}
			if err != nil {
				return err
			}
			one, err := tx.Token(a.ID, left[1].ID)
			equal(t, one, left[1])
			return err
		})
	})
}
