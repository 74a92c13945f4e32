package definition

import (
	"strings"
	"unicode/utf8"

	"parley/internal/query"
	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
	"parley/internal/words/storable"
)

// Category is a named condition in the query language, which is true or false for a call.
type Category struct {
	Name        string
	Description string
	Query       string // as sent; it has a condition
	Notes       string
	Tags        []string // without duplicates
	Version     string   // set by the client; unique among the categories of an account, or "" for none
	Collection  string   // categories with the same one are shown together; "" for none
}

// Limits of a category, in characters.
const (
	MaxDescription     = 4000 // also of queries, presets and dashboards
	MaxCategoryNotes   = 4000
	MaxCategoryTags    = 32
	MaxCategoryTag     = 64
	MaxCategoryVersion = 128
	MaxCollection      = 128
)

// CategoryProperties are the keys of a saved category.
var CategoryProperties = []string{"categoryName", "categoryDescription", "query", "notes", "tags", "version",
	"collectionName"}

// categoryFormat lists every key of a saved category. Answers contain the dates, so clients may send them back.
var categoryFormat = format{
	what: "category", example: `{"query":"\"agent\" SAYS \"thank you\""}`,
	values: 1000, code: fault.CodeCategory, nameKey: "categoryName", nameCode: fault.CodeCategory, spaceless: true,
	shape: jsondoc.Fields(
		jsondoc.Field{Name: "categoryName", Shape: jsondoc.Text()},
		jsondoc.Field{Name: "categoryDescription", Shape: jsondoc.Text()},
		jsondoc.Field{Name: "query", Shape: jsondoc.Text()},
		jsondoc.Field{Name: "notes", Shape: jsondoc.Text()},
		jsondoc.Field{Name: "tags", Shape: jsondoc.List(jsondoc.Text())},
		jsondoc.Field{Name: "version", Shape: jsondoc.Text()},
		jsondoc.Field{Name: "collectionName", Shape: jsondoc.Text()},
		jsondoc.Field{Name: "dateCreated", Shape: jsondoc.Text()},
		jsondoc.Field{Name: "dateModified", Shape: jsondoc.Text()},
	),
}

// ParseCategory parses a category to be saved under a name. The body may repeat the name, and may contain the other
// fields of an answer. known are the names that its query may use. The error is a fault of kind Invalid with all
// problems; those of the query have lines and columns.
func ParseCategory(name string, sent []byte, known query.KnownNames) (Category, error) {
	c := &checker{}
	root := c.parse(categoryFormat, name, sent)
	if root == nil {
		return checked(Category{}, c)
	}
	category := Category{
		Name:        name,
		Description: c.atMost(root.Get("categoryDescription"), MaxDescription),
		Query:       root.Get("query").Text(),
		Notes:       c.atMost(root.Get("notes"), MaxCategoryNotes),
		Tags:        c.tags(root.Get("tags")),
		Version:     c.version(root.Get("version")),
		Collection:  strings.TrimSpace(c.atMost(root.Get("collectionName"), MaxCollection)),
	}
	c.condition(root.Get("query"), known)
	return checked(category, c)
}

// atMost reads a text of a category of at most most characters.
func (c *checker) atMost(v *jsondoc.Value, most int) string {
	return c.text(v, fault.CodeCategory, most)
}

// text reads a text of at most most characters. code is that of longer ones.
func (c *checker) text(v *jsondoc.Value, code, most int) string {
	if n := utf8.RuneCountInString(v.Text()); n > most {
		c.refuse(v, code, "has %d characters; at most %d are allowed", n, most)
	}
	return v.Text()
}

// version reads a version. The store compares it with those of other categories.
func (c *checker) version(v *jsondoc.Value) string {
	if !storable.Text(v.Text()) {
		c.refuse(v, fault.CodeCategory, "contains the character U+0000, which is not allowed; remove it")
	}
	return c.atMost(v, MaxCategoryVersion)
}

// tags reads the list of tags, without duplicates.
func (c *checker) tags(list *jsondoc.Value) []string {
	var all []string
	seen := map[string]bool{}
	for _, v := range list.Items() {
		if v.Kind() != jsondoc.String {
			continue // already reported
		}
		if strings.TrimSpace(v.Text()) == "" {
			c.refuse(v, fault.CodeCategory, "is empty; enter a text or remove the element")
		}
		if tag := c.atMost(v, MaxCategoryTag); !seen[tag] {
			seen[tag] = true
			all = append(all, tag)
		}
	}
	if len(all) > MaxCategoryTags {
		c.refuse(list, fault.CodeCategory, "has %d tags; at most %d are allowed", len(all), MaxCategoryTags)
	}
	return all
}

// condition validates the query.
func (c *checker) condition(v *jsondoc.Value, known query.KnownNames) {
	switch {
	case v == nil || v.Kind() == jsondoc.String && strings.TrimSpace(v.Text()) == "":
		c.problems = append(c.problems,
			fault.Problem{Code: fault.CodeCategory,
				Message: `/query is missing; enter a condition such as "agent" SAYS "thank you"`})
		return
	case v.Kind() != jsondoc.String:
		return // already reported
	}
	known.Definition = true
	_, err := query.ParseCondition(v.Text(), &known)
	c.mistakes(v, err)
}
