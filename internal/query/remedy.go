package query

import (
	"slices"
	"strings"

	"parley/internal/words/transcript"
)

// strangers maps words of other languages to their equivalents here.
var strangers = map[string]string{
	"CONTAINS": `write SAYS for what somebody says, and LIKE "%…%" for a field`,
	"DISTINCT": "GROUP BY gives each value once",
	"HAVING":   "groups are not chosen from; restrict the calls with WHERE",
	"JOIN":     "there is one table, media",
	"NEAR":     `write one phrase with a slop, such as "cancel account"/5`,
	"WITHIN":   "write FOLLOWED BY WITHIN 30s, and who says it",
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
	case t.is("&&"), t.is("||"):
		return "these join phrases of one turn; join conditions with AND or OR"
	case t.is("-") && before.kind == number:
		return "dates stand in quotes"
	case t.is(",") && p.at > 1 && p.tokens[p.at-2].is("LIMIT"):
		return "write LIMIT and OFFSET"
	case t.kind == text && before.kind == text:
		return "join phrases with &&, ||, AND or OR"
	case t.is("AND") && p.matched, t.is("OR") && p.matched:
		return "write WHERE * SAYS in place of MATCH to join conditions"
	case t.is("SAYS"):
		return `who says it stands before it: * for anybody, or "agent"`
	case t.kind == name:
		return strangers[strings.ToUpper(t.text)]
	}
	return ""
}

// outside suggests how to write a condition that was found inside the words of a SAYS.
func (p *parser) outside() string {
	switch {
	case p.is("NOT"):
		return "write ! before the phrase, or NOT SAYS"
	case p.saysAhead(1), p.comparisonAhead():
		return "&&, || and ! are of phrases; join conditions with AND, OR and NOT, outside the parentheses of a SAYS"
	}
	return ""
}

// insteadOf returns the suffix of an error message about an unknown field.
func insteadOf(field string) string {
	if near := meant(field, simple()); near != "" {
		return near
	}
	lower, stranger, interval := strings.ToLower(field), strangers[strings.ToUpper(field)], builtin(field, inCondition)
	switch {
	case stranger != "":
		return "; " + stranger
	case lower == "duration":
		return "; did you mean length?"
	case interval != nil:
		return "; write " + interval.form
	case lower == "speaker", transcript.RoleOf(field) != transcript.NoRole:
		return `; what is said is asked for with "agent" SAYS "…"`
	case slices.Contains(periodNames(), lower):
		return "; a period stands in quotes: '" + lower + "'"
	}
	return "; metadata is asked for as " + Field{Metadata, []string{field}}.String()
}

// meaningless suggests a replacement for an unexpected character.
func meaningless(r rune) string {
	switch r {
	case '|', '&':
		return "write " + strings.Repeat(string(r), 2)
	case '{', '}':
		return "the text is a statement, not JSON"
	}
	return "phrases and names stand in quotes"
}
