package store

import (
	"fmt"
	"strings"

	"parley/internal/storage/sqlrow"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// Change is an item that the search index must read again: it was published, changed or deleted.
type Change struct {
	Media   media.ID
	Account account.ID
	Number  int64 // rises with each further change
}

// mark queues the items that match a condition on the table media for the search index.
func (tx *Tx) mark(condition string, args ...any) error {
	return tx.exec(`INSERT INTO index_pending (media, account, change) SELECT id, account, 1 FROM media WHERE `+
		condition+`
		ON CONFLICT (media) DO UPDATE SET change = index_pending.change + 1`, args...)
}

// SetSearchable sets, when an item is published or has failed, whether it is visible in queries, and queues it for the
// index. Sealed items, and items to be sealed, are never visible.
func (tx *Tx) SetSearchable(id media.ID, searchable bool) error {
	if err := tx.setMedia(id, `searchable = CASE WHEN sealing = '' THEN CAST($2 AS INTEGER) ELSE 0 END`,
		flag(searchable)); err != nil {
		return err
	}
	return tx.mark(`id = $1`, id)
}

// Changes returns up to limit items whose changes are not in the index yet, of all accounts if a is empty, ordered by
// id.
func (tx *Tx) Changes(a account.ID, limit int) ([]Change, error) {
	where, args := "TRUE", []any{limit}
	if a != "" {
		where, args = "account = $2", append(args, a)
	}
	rows := tx.query(`SELECT media, account, change FROM index_pending WHERE `+where+` ORDER BY media LIMIT $1`,
		args...)
	return sqlrow.All(rows, func(row sqlrow.Row) (c Change, err error) {
		err = row.Scan(&c.Media, &c.Account, &c.Number)
		return c, err
	})
}

// TakenOver deletes changes that the index has applied, unless the same item has changed again meanwhile.
func (tx *Tx) TakenOver(changes []Change) error {
	for _, c := range changes {
		if err := tx.exec(`DELETE FROM index_pending WHERE media = $1 AND change = $2`, c.Media,
			c.Number); err != nil {
			return err
		}
	}
	return nil
}

// CountChanges counts the items that wait for the index.
func (tx *Tx) CountChanges() (n int64, err error) {
	return sqlrow.Cell[int64](tx.row(`SELECT COUNT(*) FROM index_pending`))
}

// CountSearchable counts the items that are visible in queries.
func (tx *Tx) CountSearchable() (n int64, err error) {
	return sqlrow.Cell[int64](tx.row(`SELECT COUNT(*) FROM media WHERE searchable = 1`))
}

// SearchableMedia returns up to limit items of all accounts that are visible in queries and have no pending Change,
// newest first, older than before; an empty before means all.
func (tx *Tx) SearchableMedia(before media.ID, limit int) ([]media.ID, error) {
	if before == "" {
		before = "g" // greater than all ids
	}
	return sqlrow.All(tx.query(`SELECT id FROM media WHERE searchable = 1 AND id < $1
		AND NOT EXISTS (SELECT 1 FROM index_pending WHERE index_pending.media = media.id) ORDER BY id DESC LIMIT $2`,
		before, limit), sqlrow.Cell[media.ID])
}

// Indexable is the searchable data of an item.
type Indexable struct {
	Media    media.ID
	Account  account.ID
	Metadata *media.Metadata
	Result   []byte // as package record encodes it; nil for an item that failed
}

// Indexable returns those of the given items that are visible in queries, ordered by id.
func (tx *Tx) Indexable(ids []media.ID) ([]Indexable, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	in, args := placeholders(ids, nil)
	rows := tx.query(`SELECT media.id, media.account, media.metadata, result.result FROM media
		LEFT JOIN result ON result.media = media.id
		WHERE media.searchable = 1 AND media.id IN (`+in+`) ORDER BY media.id`, args...)
	return sqlrow.All(rows, func(row sqlrow.Row) (i Indexable, err error) {
		var metadata []byte
		err = row.Scan(&i.Media, &i.Account, &metadata, &i.Result)
		i.Metadata = media.StoredMetadata(metadata)
		return i, err
	})
}

// placeholders returns a list of parameters to follow the existing ones, and all arguments.
func placeholders[T any](values []T, args []any) (string, []any) {
	list := make([]string, len(values))
	for i, v := range values {
		args = append(args, v)
		list[i] = fmt.Sprintf("$%d", len(args))
	}
	return strings.Join(list, ", "), args
}
