package store

import (
	"time"

	"github.com/google/uuid"

	"parley/internal/storage/sqlrow"
	"parley/internal/words/account"
	"parley/internal/words/fault"
)

// touchEvery is the resolution of LastUsed.
const touchEvery = time.Minute

const tokenColumns = `token.id, token.account, token.description, token.last_six, token.scopes, token.issued,
	token.expires, token.last_used, token.ephemeral`

func scanToken(row sqlrow.Row) (account.Token, error) {
	var t account.Token
	var scopes string
	err := row.Scan(&t.ID, &t.Account, &t.Description, &t.LastSix, &scopes, instant{&t.Issued}, instant{&t.Expires},
		instant{&t.LastUsed}, &t.Ephemeral)
	if err == nil && scopes != "" { // ParseScopes reads the empty text as all scopes
		t.Scopes, err = account.ParseScopes(scopes)
	}
	return t, err
}

func noToken(id string) error {
	return fault.New(fault.NotFound, fault.CodeKeyUnknown, "no key with id %q", id)
}

// CreateToken stores a token under the SHA-256 of its secret and returns it. Its id and time of issue are set here if
// they are empty. NotFound if the account does not exist.
func (tx *Tx) CreateToken(t account.Token, hash [32]byte) (account.Token, error) {
	if _, err := tx.Account(t.Account); err != nil {
		return t, err
	}
	if t.ID == "" {
		id, err := uuid.NewV7()
		if err != nil {
			return t, err
		}
		t.ID = id.String()
	}
	if t.Issued.IsZero() {
		now, err := tx.now()
		if err != nil {
			return t, err
		}
		t.Issued = now
	}
	err := tx.exec(`INSERT INTO token (id, account, hash, last_six, description, scopes, issued, expires, ephemeral)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		t.ID, t.Account, hash[:], t.LastSix, t.Description, t.Scopes.String(), micros(t.Issued), micros(t.Expires),
		flag(t.Ephemeral))
	return t, err
}

// TokenByHash returns the token of a secret with its account; the caller checks that both are still valid.
func (tx *Tx) TokenByHash(hash [32]byte) (account.Token, account.Account, error) {
	var a account.Account
	row := tx.row(`SELECT `+tokenColumns+`, `+accountColumns+`
		FROM token JOIN account ON account.id = token.account WHERE token.hash = $1`, hash[:])
	t, err := scanToken(widerRow{row, accountFields(&a)})
	t, err = found(t, err, fault.New(fault.NotFound, fault.CodeInvalidToken, "unknown token"))
	return t, a, err
}

// Tokens returns an account's tokens, oldest first.
func (tx *Tx) Tokens(a account.ID) ([]account.Token, error) {
	return sqlrow.All(tx.query(`SELECT `+tokenColumns+` FROM token WHERE account = $1 ORDER BY issued, id`, a),
		scanToken)
}

// Token returns one token of an account.
func (tx *Tx) Token(a account.ID, id string) (account.Token, error) {
	return one(tx.row(`SELECT `+tokenColumns+` FROM token WHERE id = $2 AND account = $1`, a, id), scanToken,
		noToken(id))
}

// RevokeToken removes a token of an account with its sessions and one-time links.
func (tx *Tx) RevokeToken(a account.ID, id string) error {
	err := tx.changed(noToken(id), `DELETE FROM token WHERE id = $2 AND account = $1`, a, id)
	if err != nil {
		return err
	}
	return tx.deleteFrom([]string{"session", "sign_in_link"}, `token = $1`, id)
}

// ForgetTokens deletes the expired ephemeral tokens.
func (tx *Tx) ForgetTokens() error {
	return tx.deleteOlder(0, `DELETE FROM token WHERE ephemeral = 1 AND expires > 0 AND expires <= $1`)
}

// TouchToken records that a token is used now. It writes at most once a minute; callers check NeedsTouch first to save
// the transaction.
func (tx *Tx) TouchToken(id string) error {
	now, err := tx.now()
	if err != nil {
		return err
	}
	return tx.exec(`UPDATE token SET last_used = $2 WHERE id = $1 AND last_used < $3`,
		id, now.UnixMicro(), now.Add(-touchEvery).UnixMicro())
}

// NeedsTouch reports whether TouchToken would write.
func NeedsTouch(t account.Token, now time.Time) bool { return t.LastUsed.Before(now.Add(-touchEvery)) }
