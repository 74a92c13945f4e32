package store

import (
	"fmt"
	"strings"

	"parley/internal/words/account"
	"parley/internal/words/media"
)

// SetSearchable sets, when an item is published or has failed, whether the query of the media list finds it. Sealed
// items, and items to be sealed, are never found. PutAnalytic or ShowFailed put the item in the index of calls.
func (tx *Tx) SetSearchable(id media.ID, searchable bool) error {
	if err := tx.setMedia(id, `searchable = CASE WHEN sealing = '' THEN CAST($2 AS INTEGER) ELSE 0 END`,
		flag(searchable)); err != nil {
		return err
	}
	return tx.mark(`id = $1`, id)
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

// placeholders returns a list of parameters to follow the existing ones, and all arguments.
func placeholders[T any](values []T, args []any) (string, []any) {
	list := make([]string, len(values))
	for i, v := range values {
		args = append(args, v)
		list[i] = fmt.Sprintf("$%d", len(args))
	}
	return strings.Join(list, ", "), args
}
