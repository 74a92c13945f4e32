package definition

import (
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

// groupFormat lists every key of a saved keyword group.
var groupFormat = format{
	what: "keyword group", example: `{"keywords":["cancel my account"]}`,
	values: 10_000, code: fault.CodeGroup, nameKey: "groupName", nameCode: fault.CodeGroupName,
	shape: jsondoc.Fields(
		jsondoc.Field{Name: "groupName", Shape: jsondoc.Text().Coded(fault.CodeGroupName)},
		jsondoc.Field{Name: "keywords",
			Shape: jsondoc.List(jsondoc.Text().Coded(fault.CodeGroupKeyword)).Coded(fault.CodeGroupKeyword)},
	),
}

// ParseGroup parses a keyword group to be saved under a name; the body may repeat the name. The error is a fault of
// kind Invalid with all problems.
func ParseGroup(name string, sent []byte) (Group, error) {
	c := &checker{}
	root := c.parse(groupFormat, name, sent)
	return checked(Group{Name: name, Keywords: c.keywords(root.Get("keywords"))}, c)
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
