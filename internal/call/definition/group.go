package definition

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
	"parley/internal/words/phrase"
)

// Limits of a keyword group.
const (
	MaxKeywords      = 1000
	MaxKeywordLength = 64 // characters
)

// Group is a keyword group: words and phrases to find in recordings. It may be empty while a client is still building
// it; requests that refer to an empty group are rejected.
type Group struct {
	Name     string
	Keywords []string // trimmed, without duplicates that differ only in case
}

// groupShape lists every key of a saved keyword group.
var groupShape = jsondoc.Fields(
	jsondoc.Field{Name: "groupName", Shape: jsondoc.Text().Coded(fault.CodeGroupName)},
	jsondoc.Field{Name: "keywords",
		Shape: jsondoc.List(jsondoc.Text().Coded(fault.CodeGroupKeyword)).Coded(fault.CodeGroupKeyword)},
)

// ParseGroup parses a keyword group to be saved under a name; the body may repeat the name. The error is a fault of
// kind Invalid with all problems.
func ParseGroup(name string, sent []byte) (Group, error) {
	c := &checker{}
	root, err := groupBody(sent)
	c.checkName(name, root.Get("groupName"), fault.CodeGroupName)
	if err != nil {
		return Group{}, fault.All(fault.Invalid, append(c.problems, fault.ProblemsOf(err)...))
	}
	c.problems = append(c.problems, jsondoc.Check(root, groupShape, jsondoc.Codes{
		Type: fault.CodeGroup, Unknown: fault.CodeUnknownProperty, Duplicate: fault.CodeDuplicateProperty,
	})...)
	g := Group{Name: name, Keywords: c.keywords(root.Get("keywords"))}
	if err := fault.All(fault.Invalid, c.problems); err != nil {
		return Group{}, err
	}
	return g, nil
}

// groupBody parses the body, which must be an object.
func groupBody(sent []byte) (*jsondoc.Value, error) {
	const remedy = `send an object such as {"keywords":["cancel my account"]}`
	if len(bytes.TrimSpace(sent)) == 0 {
		return nil, fault.New(fault.Invalid, fault.CodeGroup, "the request body is empty; "+remedy)
	}
	root, err := jsondoc.Parse(sent, jsondoc.Limits{Bytes: MaxBytes, Depth: 16, Values: 10_000})
	if err != nil {
		return nil, fault.New(fault.Invalid, fault.CodeGroup, "the keyword group is invalid JSON: %w", err)
	}
	if root.Kind() != jsondoc.Object {
		return nil, fault.New(fault.Invalid, fault.CodeGroup, "the keyword group is %s; "+remedy, root.Kind())
	}
	return root, nil
}

// keywords reads the list of keywords and normalizes white space.
func (c *checker) keywords(list *jsondoc.Value) []string {
	var all []string
	seen := map[string]bool{}
	for _, v := range list.Items() {
		if v.Kind() != jsondoc.String {
			continue // already reported
		}
		keyword := strings.Join(strings.Fields(v.Text()), " ")
		folded := strings.ToLower(keyword)
		_, err := phrase.Parse(keyword)
		switch {
		case keyword == "":
			c.refuse(v, fault.CodeGroupKeyword, "is empty; enter a word or phrase or remove the element")
		case utf8.RuneCountInString(keyword) > MaxKeywordLength:
			c.refuse(v, fault.CodeGroupKeyword, "has %d characters; at most %d are allowed",
				utf8.RuneCountInString(keyword), MaxKeywordLength)
		case err != nil:
			c.refuse(v, fault.CodeGroupKeyword, "%q is not a word or phrase: %v", clip(keyword), err)
		case seen[folded]:
			c.refuse(v, fault.CodeGroupKeyword, "%q occurs twice; keep one of them", clip(keyword))
		}
		seen[folded] = true
		all = append(all, keyword)
	}
	if len(all) > MaxKeywords {
		c.refuse(list, fault.CodeGroupKeywords, "has %d keywords; at most %d are allowed", len(all), MaxKeywords)
	}
	return all
}
