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

// remedy suggests what to write instead of an unexpected token; its text is empty if there is no suggestion.
func (p *parser) remedy(t token) fix {
	before := token{}
	if p.at > 0 {
		before = p.tokens[p.at-1]
	}
	interval := builtin(before.text, inCondition)
	switch {
	case before.kind == name && interval != nil:
		return fix{text: "write " + interval.form}
	case t.is("("):
		return misplaced(before)
	case t.kind == name && p.ahead(1).is("("):
		return misplaced(t)
	case t.is("&&"), t.is("||"):
		return fix{text: "&& and || join phrases of one turn; join conditions with AND or OR",
			put: map[string]string{"&&": "AND", "||": "OR"}[t.text]}
	case t.is("-") && before.kind == number:
		return fix{text: "dates must be quoted"}
	case t.is(",") && p.at > 1 && p.tokens[p.at-2].is("LIMIT"):
		return fix{text: "write LIMIT and OFFSET"}
	case t.kind == text && before.kind == text:
		return fix{text: "join phrases with &&, ||, AND or OR"}
	case t.is("AND") && p.matched, t.is("OR") && p.matched:
		return fix{text: "to join conditions, write WHERE * SAYS instead of MATCH"}
	case t.is("SAYS"):
		return fix{text: `write the speaker before SAYS: * for any speaker, or "agent"`, put: "* SAYS"}
	case t.kind == name:
		return fix{text: foreign[strings.ToUpper(t.text)]}
	}
	return fix{}
}

// misplaced returns where a function found in a condition is allowed; its text is empty if the token is not such a
// function.
func misplaced(t token) fix {
	if b := builtin(t.text, inExpression); b != nil && t.kind == name {
		return fix{text: b.Name + " is allowed only " + b.place()}
	}
	return fix{}
}

// outside suggests how to write a condition that was found inside the words of a SAYS.
func (p *parser) outside() fix {
	switch {
	case p.is("NOT"):
		return fix{text: "write ! before the phrase, or NOT SAYS", put: "!"}
	case p.saysAhead(1), p.comparisonAhead():
		return fix{text: "&&, || and ! apply to phrases; join conditions with AND, OR and NOT, outside the parentheses " +
			"of a SAYS"}
	}
	return fix{}
}

// insteadOf returns the suffix of an error message about an unknown field.
func insteadOf(field string) fix {
	if near := suggestion(field, simple()); near.text != "" {
		return near
	}
	lower, hint, interval := strings.ToLower(field), foreign[strings.ToUpper(field)], builtin(field, inCondition)
	switch {
	case hint != "":
		return fix{text: "; " + hint}
	case lower == "duration":
		return fix{text: "; did you mean length?", put: "length"}
	case interval != nil:
		return fix{text: "; write " + interval.form}
	case lower == "speaker", transcript.RoleOf(field) != transcript.NoRole:
		return fix{text: `; to search spoken words, write "agent" SAYS "…"`}
	case slices.Contains(periods, lower):
		return fix{text: "; periods must be quoted: '" + lower + "'", put: "'" + lower + "'"}
	}
	keyed := Field{Metadata, []string{field}}.String()
	return fix{text: "; for metadata, write " + keyed, put: keyed}
}

// meaningless suggests a replacement for an unexpected character.
func meaningless(r rune) fix {
	switch r {
	case '|', '&':
		twice := strings.Repeat(string(r), 2)
		return fix{text: "write " + twice, put: twice}
	case '{', '}':
		return fix{text: "the text is a statement, not JSON"}
	}
	return fix{text: "phrases and names must be quoted"}
}
