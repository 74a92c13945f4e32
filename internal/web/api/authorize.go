package api

import (
	"net/http"
	"time"

	"parley/internal/storage/store"
	"parley/internal/web/auth"
	"parley/internal/words/account"
	"parley/internal/words/audit"
	"parley/internal/words/fault"
)

// authorize returns the caller that a request's token identifies, provided that the token has the scope.
func (s *Server) authorize(r *http.Request, scope account.Scope) (caller, error) {
	secret, err := auth.Bearer(r.Header.Get("Authorization"))
	if err != nil {
		return caller{}, err
	}
	now := time.Now()
	var token account.Token
	var owner account.Account
	err = s.Store.View(r.Context(), func(tx *store.Tx) (err error) {
		token, owner, err = tx.TokenByHash(secret.Hash())
		return err
	})
	switch {
	case fault.Is(err, fault.NotFound) || err == nil && (token.Expired(now) || owner.Disabled):
		return caller{}, fault.New(fault.Unauthorized, fault.CodeInvalidToken,
			"the token is unknown, expired or revoked; ask the operator for a new one")
	case err != nil:
		return caller{}, err
	}
	visitOf(r.Context()).setCaller(owner.ID, audit.ByToken, token.ID)
	if err := s.admit(r, owner, token.ID); err != nil {
		return caller{}, err
	}
	if store.NeedsTouch(token, now) {
		s.Audit.Used(token.ID)
	}
	if !token.Scopes.Has(scope) {
		return caller{}, fault.New(fault.Forbidden, fault.CodeNotAuthorized,
			"the token has the scopes %q; this request needs %s", token.Scopes, scope)
	}
	return caller{Account: owner, Scopes: token.Scopes, Token: token}, nil
}
