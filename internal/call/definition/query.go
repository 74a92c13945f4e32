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

// queryShape lists every key of a saved query. Answers contain the dates, so clients may send them back.
var queryShape = jsondoc.Fields(
	jsondoc.Field{Name: "queryName", Shape: jsondoc.Text()},
	jsondoc.Field{Name: "queryDescription", Shape: jsondoc.Text()},
	jsondoc.Field{Name: "query", Shape: jsondoc.Text()},
	jsondoc.Field{Name: "dateCreated", Shape: jsondoc.Text()},
	jsondoc.Field{Name: "dateModified", Shape: jsondoc.Text()},
)

// ParseQuery parses a query to be saved under a name. known are the names that it may use. The error is a fault of kind
// Invalid with all problems.
func ParseQuery(name string, sent []byte, known query.Known) (Query, error) {
	c := &checker{}
	root, err := categoryBody(sent)
	c.checkName(name, root.Get("queryName"), fault.CodeQuery)
	if err != nil {
		return Query{}, fault.All(fault.Invalid, append(c.problems, fault.ProblemsOf(err)...))
	}
	c.problems = append(c.problems, jsondoc.Check(root, queryShape, jsondoc.Codes{
		Type: fault.CodeQuery, Unknown: fault.CodeUnknownProperty, Duplicate: fault.CodeDuplicateProperty,
	})...)
	q := Query{name, c.atMost(root.Get("queryDescription"), MaxCategoryDescription), root.Get("query").Text()}
	if strings.TrimSpace(q.Query) == "" {
		c.problems = append(c.problems,
			fault.Problem{Code: fault.CodeQuery,
				Message: `/query is missing; enter a statement such as SELECT * FROM media MATCH "hello"`})
	} else {
		_, err = query.Parse(q.Query, &known)
		c.mistakes(root.Get("query"), err)
	}
	if err := fault.All(fault.Invalid, c.problems); err != nil {
		return Query{}, err
	}
	return q, nil
}

// mistakes adds the problems of a text in the query language.
func (c *checker) mistakes(v *jsondoc.Value, err error) {
	if wrong, ok := errors.AsType[*query.Error](err); ok {
		for _, m := range wrong.Mistakes {
			c.refuse(v, fault.CodeQuery, "%s", m)
		}
	}
}
