package analytics

import (
	"time"

	"parley/internal/query"
)

// StarColumns are the columns of SELECT *.
var StarColumns = []query.Expr{
	mediaField("mediaId"), mediaField("dateCreated"), mediaField("dateFinished"), mediaField("length"), mediaField("wordCount"),
	mediaField("interactionType"), query.Field{Space: query.Metadata},
}

func mediaField(name string) query.Field {
	return query.Field{Space: query.Media, Path: []string{name}}
}

// column is one column of an answer.
type column struct {
	name string
	expr query.Expr
}

// columnsOf are the columns that a statement asks for.
func columnsOf(s *query.Select) (columns []column) {
	for _, item := range s.Items {
		if _, star := item.Expr.(query.Star); star {
			for _, e := range StarColumns {
				columns = append(columns, column{query.Item{Expr: e}.String(), e})
			}
			continue
		}
		name := item.As
		if name == "" {
			name = query.Item{Expr: item.Expr}.String()
		}
		columns = append(columns, column{name, item.Expr})
	}
	return columns
}

// unaliased is what an expression of a statement stands for.
func unaliased(s *query.Select, e query.Expr) query.Expr {
	if a, ok := e.(query.Alias); ok {
		for _, i := range s.Items {
			if i.As == string(a) {
				return i.Expr
			}
		}
	}
	return e
}

// fieldsOf are the fields that expressions ask for.
func fieldsOf(all ...query.Expr) (fields []query.Field) {
	for _, e := range all {
		switch e := e.(type) {
		case query.Field:
			if len(e.Path) > 0 {
				fields = append(fields, e)
			}
		case query.Function:
			fields = append(fields, fieldsOf(e.Args...)...)
		}
	}
	return fields
}

func function(e query.Expr, name string) bool {
	f, ok := e.(query.Function)
	return ok && f.Name == name
}

// evaluate returns an expression's value for the call that a cursor looks at: a field, or date_trunc.
func (c *cursor) evaluate(e query.Expr) query.Value {
	switch e := e.(type) {
	case query.Field:
		return c.value(e)
	case query.Function:
		if e.Name == "date_trunc" {
			return truncated(c.evaluate(e.Args[1]), e.Args[0].(query.Value))
		}
	}
	return query.Value{}
}

// truncated is the beginning of the day, the week (Monday) or the month of an instant, in UTC; missing for what is no instant.
func truncated(v, period query.Value) query.Value {
	at, ok := v.As("timestamp").Any().(time.Time)
	if !ok {
		return query.Value{}
	}
	y, m, d := at.UTC().Date()
	switch period.Any() {
	case "week":
		d -= (int(at.UTC().Weekday()) + 6) % 7
	case "month":
		d = 1
	}
	return query.Instant(time.Date(y, m, d, 0, 0, 0, 0, time.UTC))
}
