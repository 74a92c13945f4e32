package api

import (
	"net/http"
	"time"

	"parley/internal/call/wire"
	"parley/internal/storage/store"
	"parley/internal/web/auth"
	"parley/internal/words/account"
)

// listKeys answers with the account's API keys, without their secrets.
func (s *Server) listKeys(w http.ResponseWriter, r *http.Request, who caller) error {
	if _, err := readQuery(r); err != nil {
		return err
	}
	var keys []account.Token
	err := s.Store.View(r.Context(), func(tx *store.Tx) (err error) {
		keys, err = tx.Tokens(who.Account.ID)
		return err
	})
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, wire.NewKeys(keys, time.Now()))
	return nil
}

// createKey makes a key with at most the permissions of the key in use, and shows its secret once, in the answer.
func (s *Server) createKey(w http.ResponseWriter, r *http.Request, who caller) error {
	if _, err := readQuery(r); err != nil {
		return err
	}
	sent, err := s.readDocument(w, r, account.MaxKeyBytes)
	if err != nil {
		return err
	}
	now := time.Now()
	asked, err := account.ParseKey(sent, now, who.Token)
	if err != nil {
		return err
	}
	secret := auth.NewSecret()
	asked.LastSix = secret.LastSix()
	var made account.Token
	err = s.Store.Update(r.Context(), func(tx *store.Tx) error {
		if err := tx.LockAccount(who.Account.ID); err != nil { // guards the count
			return err
		}
		there, err := tx.Tokens(who.Account.ID)
		if err != nil {
			return err
		}
		if err := s.roomFor(int64(len(there)), "key"); err != nil {
			return err
		}
		// The key in use may have been revoked since it was checked.
		if _, err := tx.Token(who.Account.ID, who.Token.ID); err != nil {
			return err
		}
		if made, err = tx.CreateToken(asked, secret.Hash()); err == nil {
			visitOf(r.Context()).made("", made.ID)
		}
		return err
	})
	if err != nil {
		return err
	}
	answer := wire.NewKey(made, now)
	answer.BearerToken = string(secret)
	writeJSON(w, http.StatusOK, answer)
	return nil
}

// getKey answers with one key, without its secret.
func (s *Server) getKey(w http.ResponseWriter, r *http.Request, who caller) error {
	if _, err := readQuery(r); err != nil {
		return err
	}
	var key account.Token
	err := s.Store.View(r.Context(), func(tx *store.Tx) (err error) {
		key, err = tx.Token(who.Account.ID, r.PathValue("keyId"))
		return err
	})
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, wire.NewKey(key, time.Now()))
	return nil
}

// deleteKey revokes a key, possibly the one in use. Every node refuses the next request with it, since no node caches
// keys.
func (s *Server) deleteKey(w http.ResponseWriter, r *http.Request, who caller) error {
	if _, err := readQuery(r); err != nil {
		return err
	}
	err := s.Store.Update(r.Context(), func(tx *store.Tx) error {
		return tx.RevokeToken(who.Account.ID, r.PathValue("keyId"))
	})
	if err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
