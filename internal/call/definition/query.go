package definition

import (
	"errors"
	"strings"

	"parley/internal/query"
	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
)

// Query is a saved query.
type Query struct {
	Name        string
	Description string
	Query       string
}

// queryFormat lists every key of a saved query. Answers contain the dates, so clients may send them back.
var queryFormat = format{
	what: "query", example: `{"query":"SELECT * FROM media MATCH \"hello\""}`,
	values: 1000, code: fault.CodeQuery, nameKey: "queryName", nameCode: fault.CodeQuery,
	shape: jsondoc.Fields(
		jsondoc.Field{Name: "queryName", Shape: jsondoc.Text()},
		jsondoc.Field{Name: "queryDescription", Shape: jsondoc.Text()},
		jsondoc.Field{Name: "query", Shape: jsondoc.Text()},
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
	q := Query{name, c.atMost(root.Get("queryDescription"), MaxCategoryDescription), root.Get("query").Text()}
	if strings.TrimSpace(q.Query) == "" {
		c.problems = append(c.problems,
			fault.Problem{Code: fault.CodeQuery,
				Message: `/query is missing; enter a statement such as SELECT * FROM media MATCH "hello"`})
	} else {
		_, err := query.Parse(q.Query, &known)
		c.mistakes(root.Get("query"), err)
	}
	return checked(q, c)
}

// mistakes adds the problems of a text in the query language.
func (c *checker) mistakes(v *jsondoc.Value, err error) {
	if wrong, ok := errors.AsType[*query.Error](err); ok {
		for _, p := range wrong.Problems(v.Pointer() + ": ") {
			c.add(p)
		}
	}
}
