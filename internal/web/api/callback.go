package api

import (
	"context"

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
func (s *Server) listCallbacks(r *request) (any, error) {
	var all []delivery.Delivery
	var tries map[string][]delivery.Try
	err := s.Store.View(r.Context(), func(tx *store.Tx) (err error) {
		if _, err = tx.Media(r.who.Account.ID, r.media); err != nil {
			return err
		}
		if all, err = tx.Deliveries(r.who.Account.ID, r.media); err != nil {
			return err
		}
		tries, err = tx.Tries(r.media)
		return err
	})
	if err != nil {
		return nil, err
	}
	return sized(r.Context(), wire.NewCallbacks(r.media, all, tries))
}

// getCallback answers with one delivery.
func (s *Server) getCallback(r *request) (any, error) {
	return s.oneCallback(r, s.Store.View, (*store.Tx).Delivery)
}

// retryCallback restarts the schedule of a delivery, whatever its state.
func (s *Server) retryCallback(r *request) (any, error) {
	return s.oneCallback(r, s.Store.Update, callback.Again)
}

// oneCallback answers with the delivery that a function of a transaction returns.
func (s *Server) oneCallback(r *request, run func(context.Context, func(*store.Tx) error) error,
	get func(*store.Tx, account.ID, media.ID, string) (delivery.Delivery, error)) (answer wire.Callback, err error) {
	err = run(r.Context(), func(tx *store.Tx) error {
		if _, err := tx.Media(r.who.Account.ID, r.media); err != nil {
			return err
		}
		d, err := get(tx, r.who.Account.ID, r.media, r.PathValue("callbackId"))
		if err != nil {
			return err
		}
		tries, err := tx.Tries(r.media)
		answer = r.who.callback(d, tries[d.ID])
		return err
	})
	return answer, err
}

// listEndpoints answers with the receivers that fail to accept deliveries.
func (s *Server) listEndpoints(r *request) (any, error) {
	failing, err := store.Read(r.Context(), s.Store, func(tx *store.Tx) ([]delivery.Endpoint, error) {
		return tx.Endpoints(r.who.Account.ID, maxEndpoints)
	})
	if err != nil {
		return nil, err
	}
	return sized(r.Context(), wire.NewEndpoints(failing))
}

// listSecrets answers with the account's callback secrets, without their values.
func (s *Server) listSecrets(r *request) (any, error) {
	secrets, err := store.Read(r.Context(), s.Store, func(tx *store.Tx) ([]delivery.Secret, error) {
		return tx.CallbackSecrets(r.who.Account.ID)
	})
	return wire.NewCallbackSecrets(secrets), err
}

// createSecret makes another secret and shows it once, in the answer. Deliveries are signed with every secret of the
// account.
func (s *Server) createSecret(r *request) (any, error) {
	now, err := s.Store.Clock(r.Context())
	if err != nil {
		return nil, err
	}
	secret := delivery.Secret{ID: uuid.Must(uuid.NewV7()).String(), Key: delivery.NewSecret(), Created: now}
	err = s.Store.Update(r.Context(), func(tx *store.Tx) error {
		if err := tx.LockAccount(r.who.Account.ID); err != nil { // guards the count
			return err
		}
		there, err := tx.CallbackSecrets(r.who.Account.ID)
		if err != nil {
			return err
		}
		if len(there) >= maxSecrets {
			return fault.New(fault.Conflict, fault.CodeConflict,
				"the account has %d callback secrets, the maximum; delete one that no receiver uses any more", len(there))
		}
		if err := tx.AddCallbackSecret(r.who.Account.ID, secret); err != nil {
			return err
		}
		visitOf(r.Context()).setResource("", secret.ID)
		return nil
	})
	answer := wire.NewCallbackSecret(secret)
	answer.Secret = secret.Text()
	return answer, err
}

// deleteSecret stops the use of a secret, starting with the next delivery.
func (s *Server) deleteSecret(r *request) error {
	return s.Store.Update(r.Context(), func(tx *store.Tx) error {
		return tx.DropCallbackSecret(r.who.Account.ID, r.PathValue("secretId"))
	})
}
