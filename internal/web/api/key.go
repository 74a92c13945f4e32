package api

import (
	"time"

	"parley/internal/call/wire"
	"parley/internal/storage/store"
	"parley/internal/web/auth"
	"parley/internal/words/account"
)

// listKeys answers with the account's API keys, without their secrets.
func (s *Server) listKeys(r *request) (any, error) {
	keys, err := store.Read(r.Context(), s.Store, func(tx *store.Tx) ([]account.Token, error) {
		return tx.Tokens(r.who.Account.ID)
	})
	return wire.NewKeys(keys, time.Now()), err
}

// createKey makes a key with at most the permissions of the key in use, and shows its secret once, in the answer.
func (s *Server) createKey(r *request) (any, error) {
	sent, err := s.readDocument(r, account.MaxKeyBytes)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	asked, err := account.ParseKey(sent, now, r.who.Token)
	if err != nil {
		return nil, err
	}
	secret := auth.NewSecret()
	asked.LastSix = secret.LastSix()
	var made account.Token
	err = s.Store.Update(r.Context(), func(tx *store.Tx) error {
		if err := lockFor(s, tx, r.who.Account.ID, tx.Tokens, "key"); err != nil {
			return err
		}
		// The key in use may have been revoked since it was checked.
		if _, err := tx.Token(r.who.Account.ID, r.who.Token.ID); err != nil {
			return err
		}
		if made, err = tx.CreateToken(asked, secret.Hash()); err == nil {
			visitOf(r.Context()).setResource("", made.ID)
		}
		return err
	})
	answer := wire.NewKey(made, now)
	answer.BearerToken = string(secret)
	return answer, err
}

// getKey answers with one key, without its secret.
func (s *Server) getKey(r *request) (any, error) {
	key, err := store.Read(r.Context(), s.Store, func(tx *store.Tx) (account.Token, error) {
		return tx.Token(r.who.Account.ID, r.PathValue("keyId"))
	})
	return wire.NewKey(key, time.Now()), err
}

// deleteKey revokes a key, possibly the one in use. Every node refuses the next request with it, since no node caches
// keys.
func (s *Server) deleteKey(r *request) error {
	return s.Store.Update(r.Context(), func(tx *store.Tx) error {
		return tx.RevokeToken(r.who.Account.ID, r.PathValue("keyId"))
	})
}
