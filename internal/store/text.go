package store

import (
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// Storable reports whether a text can be kept and looked for: PostgreSQL refuses the character 0 and what is not UTF-8.
func Storable(text string) bool { return utf8.ValidString(text) && !strings.Contains(text, "\x00") }

// bound returns the parameters of a statement as the database takes them. PostgreSQL refuses even to compare with
// a text that it cannot have. To statements that only look for rows such a text is NULL, which no row equals.
func (tx *Tx) bound(query string, args []any) []any {
	if !tx.postgres || !strings.HasPrefix(query, "SELECT") && !strings.HasPrefix(query, "DELETE") {
		return args
	}
	owned := false
	for i, arg := range args {
		if v := reflect.ValueOf(arg); v.Kind() != reflect.String || Storable(v.String()) {
			continue
		}
		if !owned {
			args, owned = slices.Clone(args), true
		}
		args[i] = nil
	}
	return args
}
