package query

import (
	"slices"
	"strings"

	"parley/internal/words/transcript"
)

// foreign maps words of other languages to their equivalents here.
var foreign = map[string]string{
	"CONTAINS": `write SAYS for spoken words, or LIKE "%…%" for a field`,
	"DISTINCT": "use GROUP BY to get each value once",
	"HAVING":   "HAVING is not supported; restrict the calls with WHERE",
	"JOIN":     "the only table is media",
	"NEAR":     `write one phrase with a slop, such as "cancel account"/5`,
	"WITHIN":   "write FOLLOWED BY WITHIN 30s and a speaker",
}

// remedy suggests what to write instead of an unexpected token; empty if there is no suggestion.
func (p *parser) remedy(t token) string {
	before := token{}
	if p.at > 0 {
		before = p.tokens[p.at-1]
	}
	interval := builtin(before.text, inCondition)
	switch {
	case before.kind == name && interval != nil:
		return "write " + interval.form
	case t.is("("):
		return misplaced(before)
	case t.kind == name && p.ahead(1).is("("):
		return misplaced(t)
	case t.is("&&"), t.is("||"):
		return "&& and || join phrases of one turn; join conditions with AND or OR"
	case t.is("-") && before.kind == number:
		return "dates must be quoted"
	case t.is(",") && p.at > 1 && p.tokens[p.at-2].is("LIMIT"):
		return "write LIMIT and OFFSET"
	case t.kind == text && before.kind == text:
		return "join phrases with &&, ||, AND or OR"
	case t.is("AND") && p.matched, t.is("OR") && p.matched:
		return "to join conditions, write WHERE * SAYS instead of MATCH"
	case t.is("SAYS"):
		return `write the speaker before SAYS: * for any speaker, or "agent"`
	case t.kind == name:
		return foreign[strings.ToUpper(t.text)]
	}
	return ""
}

// misplaced returns where a function found in a condition is allowed; empty if the token is not such a function.
func misplaced(t token) string {
	if b := builtin(t.text, inExpression); b != nil && t.kind == name {
		return b.Name + " is allowed only " + b.place()
	}
	return ""
}

// outside suggests how to write a condition that was found inside the words of a SAYS.
func (p *parser) outside() string {
	switch {
	case p.is("NOT"):
		return "write ! before the phrase, or NOT SAYS"
	case p.saysAhead(1), p.comparisonAhead():
		return "&&, || and ! apply to phrases; join conditions with AND, OR and NOT, outside the parentheses of a SAYS"
	}
	return ""
}

// insteadOf returns the suffix of an error message about an unknown field.
func insteadOf(field string) string {
	if near := suggestion(field, simple()); near != "" {
		return near
	}
	lower, hint, interval := strings.ToLower(field), foreign[strings.ToUpper(field)], builtin(field, inCondition)
	switch {
	case hint != "":
		return "; " + hint
	case lower == "duration":
		return "; did you mean length?"
	case interval != nil:
		return "; write " + interval.form
	case lower == "speaker", transcript.RoleOf(field) != transcript.NoRole:
		return `; to search spoken words, write "agent" SAYS "…"`
	case slices.Contains(periods, lower):
		return "; periods must be quoted: '" + lower + "'"
	}
	return "; for metadata, write " + Field{Metadata, []string{field}}.String()
}

// meaningless suggests a replacement for an unexpected character.
func meaningless(r rune) string {
	switch r {
	case '|', '&':
		return "write " + strings.Repeat(string(r), 2)
	case '{', '}':
		return "the text is a statement, not JSON"
	}
	return "phrases and names must be quoted"
}
