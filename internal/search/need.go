package search

import (
	"fmt"
	"strings"

	"parley/internal/phrase"
	"parley/internal/search/tokenfile"
)

// Words in postings begin with the number of their account, so that no list of one account has calls of another, and a
// mark of where they stand.
const (
	anywhere      = '.'
	inTitle       = '!' // PostgreSQL only: FTS5 has columns
	inDescription = '#'
)

var columns = [...]string{tokenfile.Transcript: "transcript", tokenfile.Title: "title", tokenfile.Description: "description"}

// word is a word as it stands in postings.
func word(account int64, mark rune, text string) string {
	return fmt.Sprintf("%d%c%s", account, mark, text)
}

// match is a need in the query language of FTS5, empty when it asks for nothing.
func match(account int64, n tokenfile.Need) string {
	return combine(n, " AND ", " OR ", func(r tokenfile.Run) string {
		var b strings.Builder
		if r.Fields != tokenfile.Everywhere {
			b.WriteString("{")
			for f, name := range columns {
				if r.Fields.Has(tokenfile.Field(f)) {
					b.WriteString(" " + name)
				}
			}
			b.WriteString("} : ")
		}
		words := make([]string, len(r.Patterns))
		for i, p := range r.Patterns {
			words[i] = word(account, anywhere, p.Text)
		}
		b.WriteString(`"` + strings.Join(words, " ") + `"`) // no word has a quote
		if r.Patterns[len(r.Patterns)-1].Kind == phrase.Prefix {
			b.WriteString(" *")
		}
		return b.String()
	})
}

// tsquery is a need in the query language of PostgreSQL, empty when it asks for nothing.
func tsquery(account int64, n tokenfile.Need) string {
	return combine(n, " & ", " | ", func(r tokenfile.Run) string {
		words := make([]string, len(r.Patterns))
		for i, p := range r.Patterns {
			marks := []rune{anywhere}
			if !r.Fields.Has(tokenfile.Transcript) {
				marks = nil
				if r.Fields.Has(tokenfile.Title) {
					marks = append(marks, inTitle)
				}
				if r.Fields.Has(tokenfile.Description) {
					marks = append(marks, inDescription)
				}
			}
			words[i] = lexemes(account, marks, p)
		}
		return strings.Join(words, " & ")
	})
}

func lexemes(account int64, marks []rune, p phrase.Pattern) string {
	some := make([]string, len(marks))
	for i, mark := range marks {
		some[i] = "'" + strings.ReplaceAll(word(account, mark, p.Text), "'", "''") + "'"
		if p.Kind == phrase.Prefix {
			some[i] += ":*"
		}
	}
	return "(" + strings.Join(some, " | ") + ")"
}

// deepest is how many operators inside each other FTS5's parser takes easily. What is deeper is not asked for.
const deepest = 12

// combine writes a need with the operators of a language; empty for nothing.
func combine(n tokenfile.Need, and, or string, run func(tokenfile.Run) string) string {
	return joined(n, deepest, and, or, run)
}

func joined(n tokenfile.Need, depth int, and, or string, run func(tokenfile.Run) string) string {
	var needs []tokenfile.Need
	operator := and
	switch n := n.(type) {
	case tokenfile.Run:
		return run(n)
	case tokenfile.All:
		needs = n
	case tokenfile.Some:
		needs, operator = n, or
	}
	if depth == 0 {
		return ""
	}
	if len(needs) > 1 {
		depth--
	}
	var parts []string
	for _, one := range needs {
		part := joined(one, depth, and, or, run)
		if part == "" && operator == or {
			return "" // one side that asks for nothing
		}
		if part != "" {
			parts = append(parts, part)
		}
	}
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return "(" + strings.Join(parts, operator) + ")"
}
