package columnar

import (
	"slices"
	"strings"

	"parley/internal/call/fact"
	"parley/internal/call/result"
	"parley/internal/query"
	"parley/internal/storage/store"
)

// Types are an account's type definitions for metadata fields.
type Types []query.Column

// cast returns a function that converts values to a field's type; nil if it has none.
func (t Types) cast(f query.Field) func(query.Value) query.Value {
	if f.Space != query.Metadata {
		return nil
	}
	for _, exact := range []bool{true, false} {
		for _, c := range t {
			name, asked := c.Field.String(), f.String()
			if name == asked || !exact && strings.EqualFold(name, asked) {
				return func(v query.Value) query.Value { return v.As(c.Type) }
			}
		}
	}
	return nil
}

// Define adds columns, or changes the type of existing ones.
func (t Types) Define(columns []query.Column) Types {
	defined := slices.Clone(t)
	for _, c := range columns {
		at := slices.IndexFunc(defined, func(k query.Column) bool { return k.Field.String() == c.Field.String() })
		if at < 0 {
			defined = append(defined, c)
		} else {
			defined[at] = c
		}
	}
	return defined
}

// values converts the values of a call to their defined types.
func (t Types) values(of func(query.Field) query.Value) func(query.Field) query.Value {
	return func(f query.Field) query.Value {
		v := of(f)
		if cast := t.cast(f); cast != nil && !v.Missing() {
			return cast(v)
		}
		return v
	}
}

// valuesOf returns a function for the field values of an item.
func valuesOf(item *store.Analytic, open *result.Open) func(query.Field) query.Value {
	return fact.Of(&fact.Call{Media: &item.Media, Transcript: open.Transcript, Findings: open.Findings}).Value
}
