package store

import (
	"parley/internal/words/account"
	"parley/internal/words/fault"
)

// ClaimCategoryVersion records the version of a named category in place of an earlier version ("" for none). Conflict
// if another category of the account has the version.
func (tx *Tx) ClaimCategoryVersion(a account.ID, name, version string) error {
	if err := tx.exec(`DELETE FROM category_version WHERE account = $1 AND name = $2`, a, name); err != nil ||
		version == "" {
		return err
	}
	return tx.changed(fault.New(fault.Conflict, fault.CodeCategoryVersion,
		"another category has the version %q; use another version, or leave it out", version),
		`INSERT INTO category_version (account, version, name) VALUES ($1, $2, $3) ON CONFLICT (account, version) DO NOTHING`, a, version, name)
}
