package store

import (
	"reflect"
	"slices"
	"strings"

	"parley/internal/words/storable"
)

// bound returns the parameters of a statement as the database takes them. PostgreSQL refuses even to compare with
// a text that it cannot have. To statements that only look for rows such a text is NULL, which no row equals.
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
