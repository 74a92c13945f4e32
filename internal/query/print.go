package query

import (
	"strconv"
	"strings"
)

// String formats the statement as one line. Parsing that line gives the same statement.
func (s *Statement) String() string {
	out := ""
	if s.Explain {
		out = "EXPLAIN "
	}
	if s.Alter != nil {
		return out + s.Alter.String()
	}
	return out + s.Select.String()
}

// String formats the statement in the query language.
func (a *Alter) String() string {
	columns := joined(a.Columns, func(c Column) string {
		if c.Size > 0 {
			return c.Field.String() + " " + c.Type + "(" + strconv.Itoa(c.Size) + ")"
		}
		return c.Field.String() + " " + c.Type
	})
	return "ALTER TABLE " + table + " DEFINE " + columns
}

// String formats the statement in the query language.
func (s *Select) String() string {
	out := "SELECT " + joined(s.Items, Item.String) + " FROM " + table
	if s.Where != nil {
		out += " WHERE " + Print(s.Where)
	}
	if len(s.Group) > 0 {
		out += " GROUP BY " + joined(s.Group, printExpr)
	}
	if len(s.Order) > 0 {
		out += " ORDER BY " + joined(s.Order, Order.String)
	}
	if s.Limit != nil {
		out += " LIMIT " + strconv.Itoa(*s.Limit)
	}
	if s.Offset != nil {
		out += " OFFSET " + strconv.Itoa(*s.Offset)
	}
	return out
}

func joined[T any](all []T, one func(T) string) string { return chained(all, ", ", one) }

// String formats the item in the query language.
func (i Item) String() string {
	if i.As == "" {
		return printExpr(i.Expr)
	}
	return printExpr(i.Expr) + " AS " + identifier(i.As, false)
}

// String formats the order in the query language.
func (o Order) String() string {
	if o.Descending {
		return printExpr(o.By) + " DESC"
	}
	return printExpr(o.By)
}

func printExpr(e Expr) string {
	switch e := e.(type) {
	case Alias:
		return identifier(string(e), false)
	case Function:
		return e.Name + "(" + joined(e.Args, printExpr) + ")"
	case Field:
		return e.String()
	case Value:
		return e.String()
	}
	return "*"
}

// String formats the field in the query language.
func (f Field) String() string {
	if f.Space == Media {
		return f.Path[0]
	}
	out := spaceNames[f.Space]
	for _, part := range f.Path {
		out += ":" + identifier(part, true)
	}
	return out
}

// identifier returns a name, quoted if necessary.
func identifier(word string, keywords bool) string {
	l := lexer{text: []rune(word)}
	if word != "" && letter(l.peek(0)) && (keywords || !keyword(word)) {
		if l.until(func() bool { return !l.inName() }); l.at == len(l.text) {
			return word
		}
	}
	return quote(word)
}

func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// String formats the value in the query language.
func (v Value) String() string {
	switch v.kind {
	case isNumber:
		return strconv.FormatFloat(v.number, 'f', -1, 64)
	case isTruth:
		return strings.ToUpper(strconv.FormatBool(v.number == 1))
	case isText:
		return quote(v.text)
	case isInstant:
		return quote(v.at.Format("2006-01-02T15:04:05.999999999Z07:00"))
	}
	return "NULL"
}
