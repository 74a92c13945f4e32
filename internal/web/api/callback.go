package api

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"parley/internal/call/delivery"
	"parley/internal/call/wire"
	"parley/internal/flow/callback"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// maxSecrets is how many callback secrets an account may have: the one in use and others during rotation.
const maxSecrets = 5

// maxEndpoints is the maximum number of failing endpoints in the list.
const maxEndpoints = 1000

// listCallbacks answers with the deliveries of an item and the outcome of each attempt.
func (s *Server) listCallbacks(w http.ResponseWriter, r *http.Request, who caller) error {
	id, err := mediaID(r)
	if err != nil {
		return err
	}
	if _, err := readQuery(r); err != nil {
		return err
	}
	var all []delivery.Delivery
	var tries map[string][]delivery.Try
	err = s.Store.View(r.Context(), func(tx *store.Tx) (err error) {
		if _, err = tx.Media(who.Account.ID, id); err != nil {
			return err
		}
		if all, err = tx.Deliveries(who.Account.ID, id); err != nil {
			return err
		}
		tries, err = tx.Tries(id)
		return err
	})
	if err != nil {
		return err
	}
	return writeSized(w, r, wire.NewCallbacks(id, all, tries))
}

// getCallback answers with one delivery.
func (s *Server) getCallback(w http.ResponseWriter, r *http.Request, who caller) error {
	return s.oneCallback(w, r, who, s.Store.View, (*store.Tx).Delivery)
}

// retryCallback restarts the schedule of a delivery, whatever its state.
func (s *Server) retryCallback(w http.ResponseWriter, r *http.Request, who caller) error {
	return s.oneCallback(w, r, who, s.Store.Update, callback.Again)
}

// oneCallback answers with the delivery that a function of a transaction returns.
func (s *Server) oneCallback(w http.ResponseWriter, r *http.Request, who caller,
	run func(context.Context, func(*store.Tx) error) error,
	get func(*store.Tx, account.ID, media.ID, string) (delivery.Delivery, error)) error {
	id, err := mediaID(r)
	if err != nil {
		return err
	}
	if _, err := readQuery(r); err != nil {
		return err
	}
	var d delivery.Delivery
	var tries map[string][]delivery.Try
	err = run(r.Context(), func(tx *store.Tx) (err error) {
		if _, err = tx.Media(who.Account.ID, id); err != nil {
			return err
		}
		if d, err = get(tx, who.Account.ID, id, r.PathValue("callbackId")); err != nil {
			return err
		}
		tries, err = tx.Tries(id)
		return err
	})
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, who.callback(d, tries[d.ID]))
	return nil
}

// listEndpoints answers with the receivers that fail to accept deliveries.
func (s *Server) listEndpoints(w http.ResponseWriter, r *http.Request, who caller) error {
	if _, err := readQuery(r); err != nil {
		return err
	}
	var failing []delivery.Endpoint
	err := s.Store.View(r.Context(), func(tx *store.Tx) (err error) {
		failing, err = tx.Endpoints(who.Account.ID, maxEndpoints)
		return err
	})
	if err != nil {
		return err
	}
	return writeSized(w, r, wire.NewEndpoints(failing))
}

// listSecrets answers with the account's callback secrets, without their values.
func (s *Server) listSecrets(w http.ResponseWriter, r *http.Request, who caller) error {
	if _, err := readQuery(r); err != nil {
		return err
	}
	var secrets []delivery.Secret
	err := s.Store.View(r.Context(), func(tx *store.Tx) (err error) {
		secrets, err = tx.CallbackSecrets(who.Account.ID)
		return err
	})
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, wire.NewCallbackSecrets(secrets))
	return nil
}

// createSecret makes another secret and shows it once, in the answer. Deliveries are signed with every secret of the
// account.
func (s *Server) createSecret(w http.ResponseWriter, r *http.Request, who caller) error {
	if _, err := readQuery(r); err != nil {
		return err
	}
	now, err := s.Store.Clock(r.Context())
	if err != nil {
		return err
	}
	secret := delivery.Secret{ID: uuid.Must(uuid.NewV7()).String(), Key: delivery.NewSecret(), Created: now}
	err = s.Store.Update(r.Context(), func(tx *store.Tx) error {
		if err := tx.LockAccount(who.Account.ID); err != nil { // guards the count
			return err
		}
		there, err := tx.CallbackSecrets(who.Account.ID)
		if err != nil {
			return err
		}
		if len(there) >= maxSecrets {
			return fault.New(fault.Conflict, fault.CodeConflict,
				"the account has %d callback secrets, the maximum; delete one that no receiver uses any more", len(there))
		}
		if err := tx.AddCallbackSecret(who.Account.ID, secret); err != nil {
			return err
		}
		visitOf(r.Context()).made("", secret.ID)
		return nil
	})
	if err != nil {
		return err
	}
	answer := wire.NewCallbackSecret(secret)
	answer.Secret = secret.Text()
	writeJSON(w, http.StatusOK, answer)
	return nil
}

// deleteSecret stops the use of a secret, starting with the next delivery.
func (s *Server) deleteSecret(w http.ResponseWriter, r *http.Request, who caller) error {
	if _, err := readQuery(r); err != nil {
		return err
	}
	err := s.Store.Update(r.Context(), func(tx *store.Tx) error {
		return tx.DropCallbackSecret(who.Account.ID, r.PathValue("secretId"))
	})
	if err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
