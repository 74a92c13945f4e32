package definition

import (
	"errors"
	"strings"

	"parley/internal/query"
	"parley/internal/query/fulltext"
	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
)

// Query is a saved query: a statement or, for the list of calls, a condition or words. At most one of them is given; a
// query with none of them is a view of all calls.
type Query struct {
	Name        string
	Description string
	Query       string // a statement
	Where       string // a condition
	Words       string // in the query language of the media list
	View        View
}

// queryFormat lists every key of a saved query. Answers contain the dates, so clients may send them back.
var queryFormat = format{
	what: "query", example: `{"query":"SELECT * FROM media MATCH \"hello\""}`,
	values: 2000, code: fault.CodeQuery, nameKey: "queryName", nameCode: fault.CodeQuery,
	shape: jsondoc.Fields(
		jsondoc.Field{Name: "queryName", Shape: jsondoc.Text()},
		jsondoc.Field{Name: "queryDescription", Shape: jsondoc.Text()},
		jsondoc.Field{Name: "query", Shape: jsondoc.Text()},
		jsondoc.Field{Name: "where", Shape: jsondoc.Text()},
		jsondoc.Field{Name: "words", Shape: jsondoc.Text()},
		jsondoc.Field{Name: "view", Shape: jsondoc.Open()},
		jsondoc.Field{Name: "dateCreated", Shape: jsondoc.Text()},
		jsondoc.Field{Name: "dateModified", Shape: jsondoc.Text()},
	),
}

// ParseQuery parses a query to be saved under a name. known are the names that it may use. The error is a fault of kind
// Invalid with all problems.
func ParseQuery(name string, sent []byte, known query.KnownNames) (Query, error) {
	c := &checker{}
	root := c.parse(queryFormat, name, sent)
	if root == nil {
		return checked(Query{}, c)
	}
	q := Query{
		Name:        name,
		Description: c.atMost(root.Get("queryDescription"), MaxDescription),
		Query:       written(root.Get("query")),
		Where:       written(root.Get("where")),
		Words:       written(root.Get("words")),
		View:        c.view(root.Get("view"), fault.CodeQuery),
	}
	c.asked(root, q, known)
	return checked(q, c)
}

// written returns a text, "" if it is blank.
func written(v *jsondoc.Value) string {
	if strings.TrimSpace(v.Text()) == "" {
		return ""
	}
	return v.Text()
}

// asked validates what a saved query asks for.
func (c *checker) asked(root *jsondoc.Value, q Query, known query.KnownNames) {
	var given []string
	for _, name := range []string{"query", "where", "words"} {
		if written(root.Get(name)) != "" {
			given = append(given, "/"+name)
		}
	}
	if len(given) > 1 {
		c.refuse(root.Get(given[1][1:]), fault.CodeQuery, "%s are given; give one of them", fault.List(given))
	}
	if len(given) == 0 && q.View == nil {
		c.problems = append(c.problems, fault.Problem{Code: fault.CodeQuery,
			Message: `/query is missing; enter a statement such as SELECT * FROM media MATCH "hello", or, for a view of ` +
				`the list of calls, "where", "words" or "view"`})
	}
	if q.Query != "" {
		c.statement(root.Get("query"), known)
	}
	if q.Where != "" {
		_, err := query.ParseCondition(q.Where, &known)
		c.mistakes(root.Get("where"), err)
	}
	if q.Words != "" {
		if _, err := fulltext.ParseNamed("/words", q.Words); err != nil {
			c.problems = append(c.problems, fault.ProblemsOf(err)...)
		}
	}
}

// statement reads a statement; nil if it is wrong.
func (c *checker) statement(v *jsondoc.Value, known query.KnownNames) *query.Statement {
	s, err := query.Parse(v.Text(), &known)
	if err != nil {
		c.mistakes(v, err)
		return nil
	}
	return s
}

// mistakes adds the problems of a text in the query language.
func (c *checker) mistakes(v *jsondoc.Value, err error) {
	if wrong, ok := errors.AsType[*query.Error](err); ok {
		for _, p := range wrong.Problems(v.Pointer() + ": ") {
			c.add(p)
		}
	}
}
