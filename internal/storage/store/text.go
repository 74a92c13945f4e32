package store

import (
	"reflect"
	"slices"
	"strings"

	"parley/internal/words/storable"
)

// bound converts the parameters of a statement for the database. PostgreSQL refuses even to compare with a text that it
// cannot store. In statements that only select rows, such a text becomes NULL, which equals no row.
func (tx *Tx) bound(query string, args []any) []any {
	if !tx.postgres || !strings.HasPrefix(query, "SELECT") && !strings.HasPrefix(query, "DELETE") {
		return args
	}
	owned := false
	for i, arg := range args {
		if v := reflect.ValueOf(arg); v.Kind() != reflect.String || storable.Text(v.String()) {
			continue
		}
		if !owned {
			args, owned = slices.Clone(args), true
		}
		args[i] = nil
	}
	return args
}
