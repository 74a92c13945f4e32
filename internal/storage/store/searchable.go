package store

import (
	"fmt"
	"strings"

	"parley/internal/storage/sqlrow"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// SetSearchable sets, when an item is published or has failed, whether the query of the media list finds it. Sealed
// items, and items to be sealed, are never found. PutAnalytic or ShowFailed put the item in the index of calls.
func (tx *Tx) SetSearchable(id media.ID, searchable bool) error {
	return tx.setMedia(id, `searchable = CASE WHEN sealing = '' THEN CAST($2 AS INTEGER) ELSE 0 END`, flag(searchable))
}

// ShowFailed sets whether the query of the media list finds an item without a result, by its title and description.
func (tx *Tx) ShowFailed(a account.ID, id media.ID, searchable bool) error {
	if err := tx.SetSearchable(id, searchable); err != nil {
		return err
	}
	if searchable {
		return tx.PutAnalytic(a, id, false)
	}
	return tx.DropAnalytic(a, id)
}

// PutAnalyticValues is SetSearchable and PutAnalytic for an item whose words are those that it was published with
// before.
func (tx *Tx) PutAnalyticValues(a account.ID, id media.ID, searchable, indexed bool) error {
	same, err := sqlrow.Cell[int](tx.row(`SELECT COUNT(*) FROM analytic JOIN media ON media.id = analytic.media
		WHERE media.id = $1 AND media.searchable = $2 AND analytic.indexed = $3`, id, flag(searchable), flag(indexed)))
	if err != nil {
		return err
	}
	if same == 1 {
		return tx.TouchValues(a, id)
	}
	if err := tx.SetSearchable(id, searchable); err != nil {
		return err
	}
	return tx.PutAnalytic(a, id, indexed)
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
