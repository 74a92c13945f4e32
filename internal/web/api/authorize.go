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

// authorize returns the caller that a request's token, or the session of its browser, identifies, provided that the
// token has the scope.
func (s *Server) authorize(r *http.Request, scope account.Scope) (caller, error) {
	who, err := s.identify(r)
	if err == nil {
		err = s.enter(r, who)
	}
	if err != nil {
		return caller{}, err
	}
	if !who.Scopes.Has(scope) {
		return caller{}, fault.New(fault.Forbidden, fault.CodeNotAuthorized,
			"the token has the scopes %q; this request needs %s", who.Scopes, scope)
	}
	return who, nil
}

// identify returns the caller of a request. The cookie of a session counts only without Authorization.
func (s *Server) identify(r *http.Request) (caller, error) {
	if len(r.Header.Values("Authorization")) == 0 {
		if secret, ok := s.sessionSecret(r); ok {
			return s.inSession(r, secret)
		}
	}
	secret, err := auth.Bearer(r.Header.Get("Authorization"))
	if err != nil {
		return caller{}, err
	}
	var token account.Token
	var owner account.Account
	err = s.Store.View(r.Context(), func(tx *store.Tx) (err error) {
		token, owner, err = tx.TokenByHash(secret.Hash())
		return err
	})
	return caller{Account: owner, Scopes: token.Scopes, Token: token}, checkToken(token, owner, err)
}

// checkToken returns an error unless a token was found and is valid; err is that of looking it up.
func checkToken(t account.Token, owner account.Account, err error) error {
	if fault.Is(err, fault.NotFound) || err == nil && (t.Expired(time.Now()) || owner.Disabled) {
		return fault.New(fault.Unauthorized, fault.CodeInvalidToken,
			"the token is unknown, expired or revoked; ask the operator for a new one")
	}
	return err
}

// inSession returns the caller whose browser has a session, provided that a page of this server sent the request.
func (s *Server) inSession(r *http.Request, secret auth.Secret) (caller, error) {
	if err := s.checkOrigin(r); err != nil {
		return caller{}, err
	}
	var session account.Session
	var owner account.Account
	err := s.Store.View(r.Context(), func(tx *store.Tx) (err error) {
		session, owner, err = tx.SessionByHash(secret.Hash())
		return err
	})
	if fault.Is(err, fault.NotFound) || err == nil && (session.Ended(time.Now()) || owner.Disabled) {
		err = fault.New(fault.Unauthorized, fault.CodeSession, "the session has ended; sign in again")
	}
	return caller{Account: owner, Scopes: session.Token.Scopes, Token: session.Token, Session: session}, err
}

// enter records who sends a request, counts it towards the limits of the account, and records that the token and the
// session are in use.
func (s *Server) enter(r *http.Request, who caller) error {
	v := visitOf(r.Context())
	v.setCaller(who.Account.ID, audit.ByToken, who.Token.ID)
	v.event.Session = who.Session.ID
	if err := s.admit(r, who.Account, who.Token.ID); err != nil {
		return err
	}
	now := time.Now()
	if store.NeedsTouch(who.Token, now) {
		s.Audit.Used(who.Token.ID)
	}
	if who.Session.ID != "" && store.SessionNeedsTouch(who.Session, now) {
		s.Audit.UsedSession(who.Session.ID)
	}
	return nil
}
