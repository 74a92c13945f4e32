package definition

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
)

// SearchFieldsName is the name of an account's only list of search fields.
const SearchFieldsName = "media"

// Limits of search fields.
const (
	MaxSearchFields = 100
	MaxFieldPath    = 256 // characters
)

// SearchFields are the metadata paths by which an account can search media, such as extended.campaignId.
type SearchFields []string

var searchFieldsFormat = format{
	what: "body", example: `{"fields":["extended.campaignId"]}`, values: 10_000, code: fault.CodeSearchFields,
	shape: jsondoc.Fields(jsondoc.Field{Name: "fields",
		Shape: jsondoc.List(jsondoc.Text().Coded(fault.CodeSearchField)).Coded(fault.CodeSearchFields)}),
}

// ParseSearchFields parses the list of search fields. It rejects an empty list: a client that omits the fields would
// delete all of them. The error is a fault of kind Invalid with all problems.
func ParseSearchFields(sent []byte) (SearchFields, error) {
	c := &checker{}
	root := c.parse(searchFieldsFormat, "", sent)
	fields := c.searchFields(root.Get("fields"))
	if len(fields) == 0 && len(c.problems) == 0 {
		c.refuse(root, fault.CodeSearchFields, "has no fields; send an object such as %s, or delete all of them with "+
			"DELETE", searchFieldsFormat.example)
	}
	return fields, fault.All(fault.Invalid, c.problems)
}

func (c *checker) searchFields(list *jsondoc.Value) SearchFields {
	var fields SearchFields
	for _, v := range list.Items() {
		if v.Kind() != jsondoc.String {
			continue // already reported
		}
		path := v.Text()
		if wrong := pathProblem(path); wrong != "" {
			c.refuse(v, fault.CodeSearchField, "%q %s", clip(path), wrong)
		} else if slices.Contains(fields, path) {
			c.refuse(v, fault.CodeSearchFieldTwice, "%q occurs twice; keep one of them", clip(path))
		}
		fields = append(fields, path)
		if len(fields) > MaxSearchFields {
			c.refuse(list, fault.CodeSearchFieldsMany, "has %d fields; at most %d are allowed", len(list.Items()),
				MaxSearchFields)
			return nil
		}
	}
	return fields
}

// metadataTexts are the metadata fields with a single value.
var metadataTexts = []string{"title", "description", "externalId", "externalVersion"}

// pathProblem returns what is wrong with a metadata path and how to fix it, or "".
func pathProblem(path string) string {
	steps := strings.Split(path, ".")
	switch {
	case utf8.RuneCountInString(path) > MaxFieldPath:
		return "is too long; at most 256 characters are allowed"
	case slices.Contains(steps, ""):
		return "has an empty name; write names with single dots between, such as extended.campaignId"
	case strings.ContainsFunc(path, unicode.IsControl):
		return "contains control characters; remove them"
	case len(steps) == 1 && slices.Contains(metadataTexts, path):
		return ""
	case steps[0] != "extended" && steps[0] != "callDetails":
		return "is not a metadata path; fields below extended start with extended., such as extended." + clip(path)
	case len(steps) == 1:
		return "is not a single metadata field; name one, such as extended.campaignId or " +
			"callDetails.agent.externalId"
	}
	return ""
}

// Resolve returns the field that a filter names. Fields below extended may be named without that prefix.
func (f SearchFields) Resolve(name string) (path string, defined bool) {
	for _, path := range []string{name, "extended." + name} {
		if slices.Contains(f, path) {
			return path, true
		}
	}
	return "", false
}
