package store

import (
	"cmp"
	"database/sql"
	"slices"

	"parley/internal/call/definition"
	"parley/internal/storage/sqlrow"
	"parley/internal/words/account"
	"parley/internal/words/fault"
)

// maxDefinitionBytes bounds the size of an account's definitions of one kind, so that they can be listed in one
// response.
const maxDefinitionBytes = 64 << 20

const definitionColumns = `kind, name, version, sent, content, created, modified`

func scanDefinition(row sqlrow.Row) (definition.Definition, error) {
	var d definition.Definition
	err := row.Scan(&d.Kind, &d.Name, &d.Version, &d.Sent, &d.Content, instant{&d.Created}, instant{&d.Modified})
	return d, err
}

// Definition returns what an account has saved under a name.
func (tx *Tx) Definition(a account.ID, k definition.Kind, name string) (definition.Definition, error) {
	read, err := tx.ahead(`SELECT LENGTH(sent) + LENGTH(content) FROM definition
		WHERE account = $1 AND kind = $2 AND name = $3`, a, k, name)
	if err != nil {
		return definition.Definition{}, err
	}
	defer read()
	return one(tx.row(`SELECT `+definitionColumns+` FROM definition
		WHERE account = $1 AND kind = $2 AND name = $3`, a, k, name), scanDefinition, definition.Unknown(k, name))
}

// Definitions returns everything of a kind that an account has saved, by name.
func (tx *Tx) Definitions(a account.ID, k definition.Kind) ([]definition.Definition, error) {
	read, err := tx.ahead(`SELECT SUM(LENGTH(sent) + LENGTH(content)) FROM definition
		WHERE account = $1 AND kind = $2`, a, k)
	if err != nil {
		return nil, err
	}
	defer read()
	all, err := sqlrow.All(tx.query(`SELECT `+definitionColumns+` FROM definition WHERE account = $1 AND kind = $2`,
		a, k), scanDefinition)
	slices.SortFunc(all, func(x, y definition.Definition) int { return cmp.Compare(x.Name, y.Name) })
	return all, err
}

// PutDefinition saves a definition under its name and returns the stored one. expected is the version that it replaces,
// definition.Any or definition.Absent; Conflict with code 95014 if the version differs. NotFound if the account does
// not exist, TooLarge if it has saved too much.
func (tx *Tx) PutDefinition(a account.ID, d definition.Definition, expected int64) (definition.Definition, error) {
	if err := tx.keepAccount(a); err != nil {
		return d, err
	}
	if err := tx.roomFor(a, d); err != nil {
		return d, err
	}
	now, err := tx.now()
	if err != nil {
		return d, err
	}
	query := insertDefinition
	if expected > 0 {
		query = updateDefinition
	}
	return one(tx.row(query, a, d.Kind, d.Name, bytes(d.Sent), bytes(d.Content), now.UnixMicro(),
		expected), scanDefinition, changedMeanwhile(d.Kind, d.Name))
}

// Versions are derived from the time, so that they exceed those of deleted definitions of the same name.
const (
	insertDefinition = `INSERT INTO definition (account, kind, name, sent, content, version, created, modified)
		VALUES ($1, $2, $3, $4, $5, $6, $6, $6)
		ON CONFLICT (account, kind, name) DO UPDATE SET sent = excluded.sent, content = excluded.content, modified = excluded.modified,
			version = CASE WHEN definition.version < excluded.version THEN excluded.version ELSE definition.version + 1 END
		WHERE CAST($7 AS BIGINT) = 0
		RETURNING ` + definitionColumns
	updateDefinition = `UPDATE definition SET sent = $4, content = $5, modified = $6,
			version = CASE WHEN version < $6 THEN $6 ELSE version + 1 END
		WHERE account = $1 AND kind = $2 AND name = $3 AND version = $7
		RETURNING ` + definitionColumns
)

// changedMeanwhile is the error of a change that expected another version.
func changedMeanwhile(k definition.Kind, name string) error {
	return fault.New(fault.Conflict, fault.CodePrecondition,
		"the %s %q does not satisfy If-Match or If-None-Match; read it again", k, name)
}

// roomFor refuses a definition that would exceed the limit together with those of other names.
func (tx *Tx) roomFor(a account.ID, d definition.Definition) error {
	var size sql.NullInt64
	err := tx.row(`SELECT SUM(LENGTH(sent)) FROM definition WHERE account = $1 AND kind = $2 AND name <> $3`, a, d.Kind,
		d.Name).Scan(&size)
	if err == nil && size.Int64+int64(len(d.Sent)) > maxDefinitionBytes {
		err = fault.New(fault.TooLarge, fault.CodeTooLarge,
			"the account's other definitions of the kind %s have %d bytes; the limit is %d bytes; delete some",
			d.Kind, size.Int64, maxDefinitionBytes)
	}
	return err
}

// CountDefinitions counts an account's definitions of a kind under other names.
func (tx *Tx) CountDefinitions(a account.ID, k definition.Kind, name string) (n int64, err error) {
	return sqlrow.Cell[int64](tx.row(`SELECT COUNT(*) FROM definition
		WHERE account = $1 AND kind = $2 AND name <> $3`, a, k, name))
}

// DefinitionNames returns the names of everything of a kind that an account has saved.
func (tx *Tx) DefinitionNames(a account.ID, k definition.Kind) ([]string, error) {
	return sqlrow.All(tx.query(`SELECT name FROM definition WHERE account = $1 AND kind = $2`, a, k),
		sqlrow.Cell[string])
}

// DeleteDefinition removes a definition of an account. expected is the version to delete, or definition.Any; Conflict
// with code 95014 if the version differs.
func (tx *Tx) DeleteDefinition(a account.ID, k definition.Kind, name string, expected int64) error {
	err := tx.changed(changedMeanwhile(k, name), `DELETE FROM definition
		WHERE account = $1 AND kind = $2 AND name = $3 AND (CAST($4 AS BIGINT) = 0 OR version = $4)`, a, k, name, expected)
	if !fault.Is(err, fault.Conflict) {
		return err
	}
	if _, unknown := tx.Definition(a, k, name); unknown != nil {
		return unknown
	}
	return err
}
