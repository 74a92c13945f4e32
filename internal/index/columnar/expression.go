package columnar

import "parley/internal/query"

// StarColumns are the columns of SELECT *.
var StarColumns = []query.Expr{
	mediaField("mediaId"), mediaField("dateCreated"), mediaField("dateFinished"), mediaField("length"),
	mediaField("wordCount"),
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

// columnsOf returns the columns that a statement selects.
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

// fieldsOf returns the fields that expressions use.
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
