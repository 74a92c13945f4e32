package server

import (
	"context"
	"strings"
	"time"

	"parley/internal/storage/store"
	"parley/internal/web/auth"
	"parley/internal/words/account"
	"parley/internal/words/audit"
	"parley/internal/words/fault"
)

// unseenToken is the name of a setting: the id of an admin token that was made but not shown yet, and its time;
// otherwise empty.
const unseenToken = "first token"

// showing is how long to wait for another server that has just made the admin token and is about to show it.
const showing = 5 * time.Second

// openAccount makes the default account and its admin token, unless somebody has already seen one. It is the last step
// of a start, so that a failing start does not use up the token; if a server dies before it has shown the token, the
// next start shows one.
func (s *Server) openAccount(ctx context.Context) (err error) {
	for {
		var wait time.Duration
		if s.Secret, wait, err = firstToken(ctx, s.Store); err != nil || wait == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(wait):
		}
	}
}

// TokenShown records that the admin token was shown.
func (s *Server) TokenShown(ctx context.Context) error {
	if s.Secret == "" {
		return nil
	}
	return s.Store.Update(ctx, func(tx *store.Tx) error { return tx.SetSetting(unseenToken, nil) })
}

// firstToken returns a new admin token if there is no account, or one whose token was never shown. It returns a time to
// wait if that token is so new that its server may be about to show it.
func firstToken(ctx context.Context, db *store.Store) (secret auth.Secret, wait time.Duration, err error) {
	err = db.Update(ctx, func(tx *store.Tx) (err error) {
		secret, wait = "", 0
		if _, err := tx.SettingOr(unseenToken, nil); err != nil {
			return err
		}
		noted, err := tx.LockSetting(unseenToken) // serializes servers that start together
		if err != nil {
			return err
		}
		now, err := tx.Now()
		if err != nil {
			return err
		}
		owner, err := tx.AccountByName(account.DefaultName)
		switch id, made, unseen := parseUnseen(noted); {
		case err != nil && !fault.Is(err, fault.NotFound):
			return err
		case unseen && err == nil:
			if wait = showing - now.Sub(made); wait > 0 && wait <= showing {
				return nil
			}
			wait = 0
			if err := tx.RevokeToken(owner.ID, id); err != nil && !fault.Is(err, fault.NotFound) {
				return err
			}
		case err == nil:
			return nil
		default:
			if others, err := tx.Accounts(); err != nil || len(others) > 0 {
				return err
			}
			if owner, err = tx.CreateAccount(account.DefaultName); err != nil {
				return err
			}
		}
		secret = auth.NewSecret()
		return makeFirstToken(tx, owner, secret, now)
	})
	if fault.Is(err, fault.Conflict) {
		return "", 0, nil // another node was faster
	}
	return secret, wait, err
}

func makeFirstToken(tx *store.Tx, owner account.Account, secret auth.Secret, now time.Time) error {
	token, err := tx.CreateToken(account.Token{
		Account: owner.ID, Description: "first start", LastSix: secret.LastSix(), Scopes: account.AllScopes,
	}, secret.Hash())
	if err != nil {
		return err
	}
	if err := tx.SetSetting(unseenToken, []byte(token.ID+" "+now.Format(time.RFC3339Nano))); err != nil {
		return err
	}
	return tx.AddEvents(audit.Event{
		ID: audit.NewID(), Account: owner.ID, By: audit.ByCommand, Action: audit.Create,
		Object: "profile/keys", Name: token.ID, Outcome: audit.Done,
	})
}

func parseUnseen(noted []byte) (id string, made time.Time, unseen bool) {
	id, text, unseen := strings.Cut(string(noted), " ")
	made, _ = time.Parse(time.RFC3339Nano, text) // on failure the zero time, which has passed
	return id, made, unseen
}
