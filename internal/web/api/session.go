package api

import (
	"net/http"
	"strings"
	"time"

	"parley/internal/call/wire"
	"parley/internal/storage/store"
	"parley/internal/web/auth"
	"parley/internal/words/account"
	"parley/internal/words/audit"
	"parley/internal/words/fault"
)

// sessionPath is where the pages of the server sign in and out. It is not part of the public API.
const sessionPath = "/ui/session"

// sessionObject is what the audit log calls sessions, wherever they begin and end.
const sessionObject = "profile/sessions"

// newOriginCheck returns the check that a request comes from a page of this server.
func newOriginCheck(c Config) *http.CrossOriginProtection {
	check := http.NewCrossOriginProtection()
	if c.PublicURL != nil {
		// A proxy may have replaced the host with which old browsers' Origin is compared.
		if err := check.AddTrustedOrigin(c.PublicURL.Scheme + "://" + c.PublicURL.Host); err != nil {
			c.Log.Warn("sign-in from old browsers does not work through the proxy", "public-url", c.PublicURL, "error", err)
		}
	}
	return check
}

// checkOrigin refuses a request that a page of another origin has sent. Unlike http.CrossOriginProtection by itself, it
// refuses reads, too: a page on another port of the host is of the same site, so browsers send it the cookie.
func (s *Server) checkOrigin(r *http.Request) error {
	as := &http.Request{Method: http.MethodPost, URL: r.URL, Host: r.Host, Header: r.Header}
	if s.origins.Check(as) == nil {
		return nil
	}
	return fault.New(fault.Forbidden, fault.CodeCrossSite,
		"another site sent this request, and sessions count only on pages of this server; send a token in Authorization")
}

// cookie returns the cookie of a session; the empty secret clears it. Its prefix makes browsers accept it only from this
// host, over TLS, for all paths.
func (s *Server) cookie(r *http.Request, secret auth.Secret, life time.Duration) *http.Cookie {
	c := &http.Cookie{Name: "parley", Value: string(secret), Path: "/", MaxAge: int(life.Seconds()), HttpOnly: true,
		SameSite: http.SameSiteStrictMode}
	if strings.HasPrefix(s.base(r), "https:") {
		c.Name, c.Secure = "__Host-parley", true
	}
	return c
}

// sessionSecret returns the secret in a request's cookie.
func (s *Server) sessionSecret(r *http.Request) (auth.Secret, bool) {
	c, err := r.Cookie(s.cookie(r, "", 0).Name)
	if err != nil || c.Value == "" {
		return "", false
	}
	return auth.Secret(c.Value), true
}

// getSession answers with who has signed in; with 204 if nobody has, or if the session has ended: to pages, which ask
// when they are loaded, that is no error.
func (s *Server) getSession(w http.ResponseWriter, r *request) error {
	secret, ok := s.sessionSecret(r.Request)
	if !ok {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	who, err := s.inSession(r.Request, secret)
	if fault.Is(err, fault.Unauthorized) {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	if err == nil {
		err = s.enter(r.Request, who)
	}
	if err == nil {
		writeJSON(w, http.StatusOK, s.signedIn(who))
	}
	return err
}

// signedIn describes a session to the pages.
func (s *Server) signedIn(who caller) wire.SignedIn {
	server := wire.ServerAbout{Version: s.Version, MaxUploadBytes: s.MaxUpload, Engines: []wire.Engine{}}
	for _, m := range s.Environment().Models {
		server.Engines = append(server.Engines, wire.Engine{Engine: m.Engine, Model: m.Name, Languages: m.Languages})
	}
	return wire.NewSignedIn(who.Account, who.Session, server)
}

// signIn begins a session with a key or a one-time link. A session that the browser has ends.
func (s *Server) signIn(w http.ResponseWriter, r *request) error {
	if err := s.checkOrigin(r.Request); err != nil {
		return err
	}
	v := visitOf(r.Context())
	address := s.remote(r.Request)
	if v.retry = s.tries.begin(address, time.Now()); v.retry > 0 {
		return fault.New(fault.Exhausted, fault.CodeRate,
			"more than %d failed attempts to sign in from %s within a minute; wait before the next one", mostTries, address)
	}
	sent, err := s.readDocument(r, account.MaxSignInBytes)
	var asked account.SignIn
	if err == nil {
		asked, err = account.ParseSignIn(sent)
	}
	var who caller
	secret := auth.NewSecret()
	if err == nil {
		who, err = s.beginSession(r, asked, secret)
	}
	if err == nil || fault.Is(err, fault.Unavailable) {
		s.tries.forgive(address) // it was no guess
	}
	if err == nil {
		err = s.admit(r.Request, who.Account, who.Token.ID)
	}
	if err != nil {
		return err
	}
	http.SetCookie(w, s.cookie(r.Request, secret, time.Until(who.Session.FinalEnd())))
	writeJSON(w, http.StatusOK, s.signedIn(who))
	return nil
}

// beginSession stores a session under a secret, and ends the one of the request's cookie. Guesses do not get as far as a
// transaction that others wait for.
func (s *Server) beginSession(r *request, asked account.SignIn, secret auth.Secret) (who caller, err error) {
	v := visitOf(r.Context())
	err = s.Store.View(r.Context(), func(tx *store.Tx) error {
		_, _, err := tokenFor(tx, asked)
		return err
	})
	if err != nil {
		return caller{}, err
	}
	err = s.Store.Update(r.Context(), func(tx *store.Tx) (err error) {
		if who.Token, who.Account, err = tokenFor(tx, asked); err != nil {
			return err
		}
		if asked.Link != "" {
			if err := tx.UseLink(auth.Secret(asked.Link).Hash()); err != nil {
				return linkFault(err)
			}
		}
		if who.Session, err = tx.CreateSession(who.Token, secret.Hash()); err != nil {
			return err
		}
		who.Scopes = who.Token.Scopes
		v.setCaller(who.Account.ID, audit.ByToken, who.Token.ID)
		v.setResource("", who.Session.ID)
		v.event.Session = who.Session.ID
		former, ok := s.sessionSecret(r.Request)
		if !ok {
			return nil
		}
		session, _, err := tx.SessionByHash(former.Hash())
		if err == nil {
			err = tx.EndSession(session.Token.Account, session.ID)
		}
		if fault.Is(err, fault.NotFound) {
			err = nil
		}
		return err
	})
	return who, err
}

// tokenFor returns the valid token that a request signs in with.
func tokenFor(tx *store.Tx, asked account.SignIn) (t account.Token, owner account.Account, err error) {
	if asked.Link == "" {
		t, owner, err = tx.TokenByHash(auth.Secret(asked.Key).Hash())
		return t, owner, checkToken(t, owner, err)
	}
	t, owner, err = tx.TokenByLink(auth.Secret(asked.Link).Hash())
	if err != nil {
		return t, owner, linkFault(err)
	}
	return t, owner, checkToken(t, owner, nil)
}

// linkFault returns the error of a sign-in for that of its link.
func linkFault(err error) error {
	if !fault.Is(err, fault.NotFound) {
		return err
	}
	return fault.New(fault.Unauthorized, fault.CodeSignInLink,
		"the link is unknown, was used, or is older than %.0f minutes; make another one with parley token create "+
			"--sign-in on the server", account.LinkLife.Minutes())
}

// signOut ends the session of the request's cookie, if there is one, and clears the cookie.
func (s *Server) signOut(w http.ResponseWriter, r *request) error {
	if err := s.checkOrigin(r.Request); err != nil {
		return err
	}
	if secret, ok := s.sessionSecret(r.Request); ok {
		v := visitOf(r.Context())
		err := s.Store.Update(r.Context(), func(tx *store.Tx) error {
			session, owner, err := tx.SessionByHash(secret.Hash())
			if err != nil {
				return err
			}
			v.setCaller(owner.ID, audit.ByToken, session.Token.ID)
			v.setResource("", session.ID)
			v.event.Session = session.ID
			return tx.EndSession(owner.ID, session.ID)
		})
		if err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
	}
	http.SetCookie(w, s.cookie(r.Request, "", -time.Second))
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// listSessions answers with the sessions of the account's browsers.
func (s *Server) listSessions(r *request) (any, error) {
	all, err := store.Read(r.Context(), s.Store, func(tx *store.Tx) ([]account.Session, error) {
		return tx.Sessions(r.who.Account.ID)
	})
	if err != nil {
		return nil, err
	}
	return sized(r.Context(), wire.NewSessions(all, r.who.Session.ID))
}

// deleteSession ends a session, possibly the one in use. Every node refuses the next request with it, since no node
// caches sessions.
func (s *Server) deleteSession(r *request) error {
	return s.Store.Update(r.Context(), func(tx *store.Tx) error {
		return tx.EndSession(r.who.Account.ID, r.PathValue("sessionId"))
	})
}
