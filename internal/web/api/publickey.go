package api

import (
	"bytes"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"parley/internal/call/plan"
	"parley/internal/call/wire"
	"parley/internal/flow/seal"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/fault"
)

// listPublicKeys answers with the URLs of the account's public keys.
func (s *Server) listPublicKeys(r *request) (any, error) {
	ids, err := store.Read(r.Context(), s.Store, func(tx *store.Tx) ([]string, error) {
		return tx.PublicKeys(r.who.Account.ID)
	})
	return wire.NewPublicKeys(ids), err
}

// createPublicKey stores a public key that can be used for encryption, and answers with its id.
func (s *Server) createPublicKey(r *request) (any, error) {
	sent, err := s.readDocument(r, seal.MaxKey)
	if err != nil {
		return nil, err
	}
	if err := seal.Check(sent, time.Now()); err != nil {
		return nil, err
	}
	key := store.PublicKey{ID: uuid.Must(uuid.NewV7()).String(), Content: sent}
	err = s.Store.Update(r.Context(), func(tx *store.Tx) error {
		if err := lockFor(s, tx, r.who.Account.ID, tx.PublicKeys, "public key"); err != nil {
			return err
		}
		if err := tx.AddPublicKey(r.who.Account.ID, key); err != nil {
			return err
		}
		visitOf(r.Context()).setResource("", key.ID)
		return nil
	})
	return wire.NewPublicKey(key.ID, seal.Hash(key.Content)), err
}

// getPublicKey answers with a public key byte for byte as uploaded.
func (s *Server) getPublicKey(w http.ResponseWriter, r *request) error {
	key, err := store.Read(r.Context(), s.Store, func(tx *store.Tx) (store.PublicKey, error) {
		return tx.PublicKey(r.who.Account.ID, keyID(r.PathValue("publicKeyId")))
	})
	if err != nil {
		return err
	}
	contentType := "application/octet-stream"
	if bytes.Contains(key.Content, []byte("-----BEGIN PGP")) { // RFC 3156: keys of this type are armored
		contentType = "application/pgp-keys"
	}
	write(w, http.StatusOK, contentType, key.Content)
	return nil
}

// deletePublicKey deletes a public key. Items already accepted with it are encrypted with their own copy.
func (s *Server) deletePublicKey(r *request) error {
	return s.Store.Update(r.Context(), func(tx *store.Tx) error {
		return tx.DropPublicKey(r.who.Account.ID, keyID(r.PathValue("publicKeyId")))
	})
}

// keyID normalizes an id to the stored form: UUIDs are case-insensitive.
func keyID(asked string) string { return strings.ToLower(asked) }

// referredKeys loads the existing public keys among the given ids, and checks whether each can be used for encryption
// now.
func referredKeys(tx *store.Tx, owner account.ID, ids []string) ([]plan.Key, error) {
	var all []plan.Key
	for _, id := range ids {
		k, err := tx.PublicKey(owner, keyID(id))
		if fault.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		found := plan.Key{ID: k.ID, Content: k.Content, Hash: seal.Hash(k.Content), Checked: time.Now().UTC()}
		_, found.Problem = seal.ParseKey(k.Content, found.Checked)
		all = append(all, found)
	}
	return all, nil
}
