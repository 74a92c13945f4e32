package columnar

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"time"

	"parley/internal/query"
	"parley/internal/words/account"
)

// Field is a field that statements can use.
type Field struct {
	query.Field
	Name    string // as written in statements
	Type    string // varchar, double, boolean, timestamp, or as defined
	Defined bool
	Example any // nil, float64, string, bool or time.Time
}

// mostFields bounds the listed fields.
const mostFields = 5000

// Fields lists the fields for which calls of an account have values, those of the recording itself first, and the
// defined fields.
func (x *Index) Fields(ctx context.Context, a account.ID) ([]Field, error) {
	ctx, end, err := x.enter(ctx, a)
	if err != nil {
		return nil, err
	}
	defer end()
	types, err := x.Types(ctx, a)
	if err != nil {
		return nil, x.ended(ctx, err, fasterStatement)
	}
	parts, err := x.Calls.Snapshot(ctx, a)
	if err != nil {
		return nil, x.ended(ctx, err, fasterStatement)
	}
	defer runtime.KeepAlive(parts)
	var list []Field
	err = x.work(ctx, a, func(stop stop) error {
		list, err = fieldsOfParts(parts, types, stop)
		return err
	})
	return list, x.ended(ctx, err, fasterStatement)
}

func fieldsOfParts(parts []*part, types Types, stop stop) ([]Field, error) {
	found := map[string]Field{}
	spaces := map[string]query.Space{}
	note := func(f query.Field, example query.Value) {
		f = short(f)
		name := f.String()
		if old, there := found[name]; len(found) < mostFields && (!there || old.Example == nil) {
			found[name], spaces[name] = fieldOf(f, example, types), f.Space
		}
	}
	for _, f := range query.MediaFields {
		note(mediaField(f.Name), query.Value{})
	}
	for _, p := range parts {
		values := make([]query.Value, p.Len())
		for i := range p.Columns() {
			if err := stop(); err != nil {
				return nil, err
			}
			clear(values)
			p.Read(i, values, nil)
			if err := p.Err(); err != nil {
				return nil, err
			}
			for call, v := range values {
				if p.Visible.Has(call) && !v.Missing() {
					note(p.Field(i), v)
					break
				}
			}
		}
	}
	for _, c := range types {
		note(c.Field, query.Value{})
	}
	var list []Field
	for _, f := range found {
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b Field) int {
		return cmp.Or(cmp.Compare(spaces[a.Name], spaces[b.Name]), cmp.Compare(documented(a.Name), documented(b.Name)),
			cmp.Compare(a.Name, b.Name))
	})
	return list, nil
}

// short returns the shortest notation for a field of metadata.
func short(f query.Field) query.Field {
	if f.Space == query.Metadata && len(f.Path) > 1 && f.Path[0] == "extended" {
		f.Path = f.Path[1:]
	}
	return f
}

// documented returns the position of a field in the documented order.
func documented(name string) int {
	return slices.IndexFunc(query.MediaFields, func(f query.MediaField) bool { return f.Name == name })
}

func fieldOf(f query.Field, example query.Value, types Types) Field {
	field := Field{Field: f, Name: f.String(), Type: "varchar", Example: example.Any()}
	switch example.Any().(type) {
	case float64:
		field.Type = "double"
	case bool:
		field.Type = "boolean"
	case time.Time:
		field.Type = "timestamp"
	}
	switch f.Type() {
	case query.IsNumber:
		field.Type = "double"
	case query.IsInstant:
		field.Type = "timestamp"
	}
	for _, c := range types {
		if c.Field.String() == field.Name {
			field.Type, field.Defined = c.Type, true
			field.Example = example.As(c.Type).Any()
		}
	}
	return field
}

// Names returns the names in a space that occur in any call of an account.
func (x *Index) Names(ctx context.Context, a account.ID, space query.Space) ([]string, error) {
	parts, err := x.Calls.Snapshot(ctx, a)
	if err != nil {
		return nil, err
	}
	defer runtime.KeepAlive(parts)
	seen := map[string]bool{}
	names := []string{}
	for _, p := range parts {
		for _, f := range p.Fields() {
			if f.Space == space && !seen[f.Path[0]] {
				seen[f.Path[0]] = true
				names = append(names, f.Path[0])
			}
		}
	}
	return names, nil
}
