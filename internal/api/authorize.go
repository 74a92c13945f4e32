package api

import (
	"context"
	"net/http"
	"time"

	"parley/internal/account"
	"parley/internal/auth"
	"parley/internal/fault"
	"parley/internal/store"
)

// authorize returns who a request's token stands for, if it has the scope.
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
		return caller{}, fault.New(fault.Unauthorized, fault.CodeInvalidToken, "the token is unknown, expired or revoked; ask the operator for another")
	case err != nil:
		return caller{}, err
	case !token.Scopes.Has(scope):
		return caller{}, fault.New(fault.Forbidden, fault.CodeNotAuthorized, "the token has the scopes %q; this needs %s", token.Scopes, scope)
	}
	s.touch(r.Context(), token, now)
	return caller{Account: owner, Scopes: token.Scopes, Token: token}, nil
}

// touch notes that a token was used. That it could not be noted is no reason to refuse the request.
func (s *Server) touch(ctx context.Context, token account.Token, now time.Time) {
	if !store.NeedsTouch(token, now) {
		return
	}
	err := s.Store.Update(ctx, func(tx *store.Tx) error { return tx.TouchToken(token.ID) })
	if err != nil {
		s.Log.Warn("cannot note the use of a token", "token", token.ID, "error", err)
	}
}
