package store

import (
	"time"

	"github.com/google/uuid"

	"parley/internal/storage/sqlrow"
	"parley/internal/words/account"
	"parley/internal/words/fault"
)

const sessionColumns = tokenColumns + `, session.id, session.created, session.last_used`

// scanSession scans sessionColumns and further columns.
func scanSession(row sqlrow.Row, further ...any) (s account.Session, err error) {
	own := []any{&s.ID, instant{&s.Created}, instant{&s.LastUsed}}
	s.Token, err = scanToken(widerRow{row, append(own, further...)})
	return s, err
}

func noSession(id string) error {
	return fault.New(fault.NotFound, fault.CodeSession, "no session with id %q", id)
}

// CreateSession begins a session of a token, under the SHA-256 of its secret. A token has at most account.MaxSessions:
// those that were not used for longest end. NotFound if the token was revoked meanwhile.
func (tx *Tx) CreateSession(t account.Token, hash [32]byte) (account.Session, error) {
	if err := tx.LockAccount(t.Account); err != nil {
		return account.Session{}, err
	}
	if _, err := tx.Token(t.Account, t.ID); err != nil {
		return account.Session{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return account.Session{}, err
	}
	now, err := tx.now()
	if err != nil {
		return account.Session{}, err
	}
	err = tx.exec(`INSERT INTO session (id, account, token, hash, created, last_used) VALUES ($1, $2, $3, $4, $5, $5)`,
		id.String(), t.Account, t.ID, hash[:], now.UnixMicro())
	if err != nil {
		return account.Session{}, err
	}
	return account.Session{ID: id.String(), Token: t, Created: now, LastUsed: now},
		tx.exec(`DELETE FROM session WHERE token = $1 AND id NOT IN (
			SELECT id FROM session WHERE token = $1 ORDER BY last_used DESC, id DESC LIMIT $2)`, t.ID, account.MaxSessions)
}

// SessionByHash returns the session of a secret with its account; the caller checks that they are still valid.
func (tx *Tx) SessionByHash(hash [32]byte) (account.Session, account.Account, error) {
	var a account.Account
	s, err := scanSession(tx.row(`SELECT `+sessionColumns+`, `+accountColumns+` FROM session
		JOIN token ON token.id = session.token JOIN account ON account.id = token.account
		WHERE session.hash = $1`, hash[:]), accountFields(&a)...)
	s, err = found(s, err, fault.New(fault.NotFound, fault.CodeSession, "unknown session"))
	return s, a, err
}

// Sessions returns the sessions of an account's valid tokens that have not ended, oldest first.
func (tx *Tx) Sessions(a account.ID) ([]account.Session, error) {
	now, err := tx.now()
	if err != nil {
		return nil, err
	}
	return sqlrow.All(tx.query(`SELECT `+sessionColumns+` FROM session JOIN token ON token.id = session.token
		WHERE session.account = $1 AND session.last_used > $2 AND session.created > $3
		AND (token.expires = 0 OR token.expires > $4) ORDER BY session.created, session.id`,
		a, now.Add(-account.SessionIdle).UnixMicro(), now.Add(-account.SessionLife).UnixMicro(), now.UnixMicro()),
		func(row sqlrow.Row) (account.Session, error) { return scanSession(row) })
}

// EndSession ends a session of an account.
func (tx *Tx) EndSession(a account.ID, id string) error {
	return tx.changed(noSession(id), `DELETE FROM session WHERE id = $2 AND account = $1`, a, id)
}

// TouchSession records that a session is used now. It writes at most once a minute; callers check SessionNeedsTouch
// first to save the transaction.
func (tx *Tx) TouchSession(id string) error {
	now, err := tx.now()
	if err != nil {
		return err
	}
	return tx.exec(`UPDATE session SET last_used = $2 WHERE id = $1 AND last_used < $3`,
		id, now.UnixMicro(), now.Add(-touchEvery).UnixMicro())
}

// SessionNeedsTouch reports whether TouchSession would write.
func SessionNeedsTouch(s account.Session, now time.Time) bool {
	return s.LastUsed.Before(now.Add(-touchEvery))
}

// CreateLink stores a one-time link that signs in with a token, under the SHA-256 of its secret.
func (tx *Tx) CreateLink(t account.Token, hash [32]byte) error {
	now, err := tx.now()
	if err != nil {
		return err
	}
	return tx.exec(`INSERT INTO sign_in_link (hash, account, token, expires) VALUES ($1, $2, $3, $4)`,
		hash[:], t.Account, t.ID, now.Add(account.LinkLife).UnixMicro())
}

func noLink() error { return fault.New(fault.NotFound, fault.CodeSignInLink, "unknown link") }

// TokenByLink returns the token of a one-time link that was not used yet, with its account; the caller checks that both
// are still valid.
func (tx *Tx) TokenByLink(hash [32]byte) (account.Token, account.Account, error) {
	var a account.Account
	now, err := tx.now()
	if err != nil {
		return account.Token{}, a, err
	}
	row := tx.row(`SELECT `+tokenColumns+`, `+accountColumns+` FROM sign_in_link
		JOIN token ON token.id = sign_in_link.token JOIN account ON account.id = token.account
		WHERE sign_in_link.hash = $1 AND sign_in_link.expires > $2`, hash[:], now.UnixMicro())
	t, err := scanToken(widerRow{row, accountFields(&a)})
	t, err = found(t, err, noLink())
	return t, a, err
}

// UseLink uses up a one-time link. Of several transactions that use the same link, only one succeeds.
func (tx *Tx) UseLink(hash [32]byte) error {
	return tx.changed(noLink(), `DELETE FROM sign_in_link WHERE hash = $1`, hash[:])
}

// ForgetSessions deletes the sessions and one-time links whose time is over. Those of tokens that are no longer valid
// follow at the latest when their own time is over.
func (tx *Tx) ForgetSessions() error {
	for _, ended := range []struct {
		age   time.Duration
		query string
	}{
		{account.SessionIdle, `DELETE FROM session WHERE last_used <= $1`},
		{account.SessionLife, `DELETE FROM session WHERE created <= $1`},
		{0, `DELETE FROM sign_in_link WHERE expires <= $1`},
	} {
		if err := tx.deleteOlder(ended.age, ended.query); err != nil {
			return err
		}
	}
	return nil
}
