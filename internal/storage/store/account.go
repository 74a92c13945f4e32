package store

import (
	"cmp"
	"slices"

	"github.com/google/uuid"

	"parley/internal/storage/job"
	"parley/internal/storage/sqlrow"
	"parley/internal/words/account"
	"parley/internal/words/fault"
)

const accountColumns = `account.id, account.name, account.created, account.disabled, account.max_storage, account.max_rate, account.compat_score_as_number`

func scanAccount(row sqlrow.Row) (a account.Account, err error) {
	err = row.Scan(accountFields(&a)...)
	return a, err
}

// accountFields are the scan targets of accountColumns.
func accountFields(a *account.Account) []any {
	return []any{&a.ID, &a.Name, instant{&a.Created}, &a.Disabled, &a.Limits.Storage, &a.Limits.Rate,
		&a.Compatibility.ScoreAsNumber}
}

func noAccount(what, value string) error {
	return fault.New(fault.NotFound, fault.CodeNotFound, "no account with %s %q", what, value)
}

// CreateAccount creates an account. The error is Conflict if the name is taken, Invalid if it is empty.
func (tx *Tx) CreateAccount(name string) (account.Account, error) {
	if name == "" || len(name) > 200 {
		return account.Account{}, fault.New(fault.Invalid, fault.CodeAccount,
			"an account name must have 1 to 200 characters")
	}
	id, err := uuid.NewV7()
	if err != nil {
		return account.Account{}, err
	}
	now, err := tx.now()
	if err != nil {
		return account.Account{}, err
	}
	taken := fault.New(fault.Conflict, fault.CodeAccount, "there is already an account named %q", name)
	err = tx.changed(taken, `INSERT INTO account (id, name, created) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING`,
		id.String(), name, now.UnixMicro())
	if err != nil {
		return account.Account{}, err
	}
	return account.Account{ID: account.ID(id.String()), Name: name, Created: now}, nil
}

// Account returns one account.
func (tx *Tx) Account(id account.ID) (account.Account, error) {
	return one(tx.row(`SELECT `+accountColumns+` FROM account WHERE id = $1`, id), scanAccount,
		noAccount("id", string(id)))
}

// AccountByName returns one account.
func (tx *Tx) AccountByName(name string) (account.Account, error) {
	return one(tx.row(`SELECT `+accountColumns+` FROM account WHERE name = $1`, name), scanAccount,
		noAccount("name", name))
}

// Accounts returns all accounts by name.
func (tx *Tx) Accounts() ([]account.Account, error) {
	accounts, err := sqlrow.All(tx.query(`SELECT `+accountColumns+` FROM account`), scanAccount)
	slices.SortFunc(accounts, func(a, b account.Account) int { return cmp.Compare(a.Name, b.Name) })
	return accounts, err
}

// SetAccountDisabled disables or enables an account.
func (tx *Tx) SetAccountDisabled(id account.ID, disabled bool) error {
	return tx.changed(noAccount("id", string(id)), `UPDATE account SET disabled = $2 WHERE id = $1`, id, flag(disabled))
}

// SetAccountLimits sets the limits of an account.
func (tx *Tx) SetAccountLimits(id account.ID, l account.Limits) error {
	return tx.changed(noAccount("id", string(id)), `UPDATE account SET max_storage = $2, max_rate = $3 WHERE id = $1`,
		id, l.Storage, l.Rate)
}

// SetAccountCompatibility sets how responses to an account deviate from the documented ones.
func (tx *Tx) SetAccountCompatibility(id account.ID, c account.Compatibility) error {
	return tx.changed(noAccount("id", string(id)), `UPDATE account SET compat_score_as_number = $2 WHERE id = $1`, id,
		flag(c.ScoreAsNumber))
}

// DeleteAccount removes an account and everything it owns, and returns the keys of its blobs. The caller deletes them,
// or enqueues a job for it in this transaction (under account "", since the account's own jobs are gone).
func (tx *Tx) DeleteAccount(id account.ID) (blobs []string, err error) {
	tx.removed = true
	// The account first, so that nothing new is added; then its jobs, so that workers lose their fences.
	if err := tx.changed(noAccount("id", string(id)), `DELETE FROM account WHERE id = $1`, id); err != nil {
		return nil, err
	}
	if err := job.DeleteAccount(jobTx{tx}, string(id)); err != nil {
		return nil, err
	}
	if blobs, err = tx.blobs(`media IN (SELECT id FROM media WHERE account = $1)`, id); err != nil {
		return nil, err
	}
	segments, err := sqlrow.All(tx.query(`SELECT blob FROM segment WHERE account = $1
		UNION ALL SELECT values_blob FROM segment WHERE account = $1 AND values_blob <> ''`, id), sqlrow.Cell[string])
	if err != nil {
		return nil, err
	}
	blobs = append(blobs, segments...)
	err = tx.deleteFrom(append([]string{"classifier_use"}, mediaTables...),
		`media IN (SELECT id FROM media WHERE account = $1)`, id)
	if err != nil {
		return nil, err
	}
	return blobs, tx.deleteFrom([]string{"media", "token", "session", "sign_in_link", "usage", "idempotency", "definition", "category_version",
		"classifier", "analytic", "analytic_clock", "analytic_removal", "segment", "tombstone",
		"call_index", "category_apply", "callback_retry", "media_change", "audit", "storage", "endpoint", "callback_secret",
		"public_key"}, `account = $1`, id)
}

// deleteFrom deletes the rows of some tables that match a condition.
func (tx *Tx) deleteFrom(tables []string, condition string, args ...any) error {
	for _, table := range tables {
		if err := tx.exec(`DELETE FROM `+table+` WHERE `+condition, args...); err != nil {
			return err
		}
	}
	return nil
}

// keepAccount checks that an account exists and prevents its deletion until this transaction ends.
func (tx *Tx) keepAccount(id account.ID) error { return tx.holdAccount(id, ` FOR KEY SHARE`) }

// LockAccount is keepAccount, but also serialises transactions, so that what one counts does not change before it ends.
func (tx *Tx) LockAccount(id account.ID) error { return tx.holdAccount(id, ` FOR NO KEY UPDATE`) }

// holdAccount locks the row of an existing account.
func (tx *Tx) holdAccount(id account.ID, lock string) error {
	_, err := one(tx.row(`SELECT 1 FROM account WHERE id = $1`+tx.locking(lock), id), sqlrow.Cell[int],
		noAccount("id", string(id)))
	return err
}

// flag converts a boolean to a column value.
func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
