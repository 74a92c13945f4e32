package query

import (
	"strconv"
	"strings"

	"parley/internal/words/phrase"
)

// Print formats a condition in the query language. Parsing the result gives the same condition.
func Print(c Condition) string { return printCondition(c, 0) }

// printCondition formats a condition, in parentheses if its precedence is lower than that of its place: 0 OR, 1 AND,
// 2 NOT.
func printCondition(c Condition, place int) string {
	part := func(place int) func(Condition) string {
		return func(c Condition) string { return printCondition(c, place) }
	}
	switch c := c.(type) {
	case Or:
		return enclosed(place > 0, chained(c, " OR ", part(1)))
	case And:
		return enclosed(place > 1, chained(c, " AND ", part(2)))
	case Not:
		return "NOT " + printCondition(c.X, 2)
	case Compare:
		return c.Field.String() + " " + string(c.Op) + " " + c.Value.String()
	case In:
		return c.Field.String() + negated(c.Not) + " IN (" + joined(c.Values, Value.String) + ")"
	case Between:
		return c.Field.String() + negated(c.Not) + " BETWEEN " + c.Low.String() + " AND " + c.High.String()
	case Like:
		return c.Field.String() + negated(c.Not) + " LIKE " + quote(c.Pattern)
	case Null:
		return c.Field.String() + " IS" + negated(c.Not) + " NULL"
	case Contains:
		return c.String()
	case Says:
		return c.String()
	case Followed:
		return c.String()
	case Interval:
		return c.String()
	}
	return "*"
}

func chained[T any](all []T, operator string, one func(T) string) string {
	return strings.Join(mapped(all, one), operator)
}

func enclosed(yes bool, text string) string {
	if yes {
		return "(" + text + ")"
	}
	return text
}

func negated(not bool) string {
	if not {
		return " NOT"
	}
	return ""
}

// String formats the speaker in the query language.
func (s Speaker) String() string {
	if s == "" {
		return "*"
	}
	return quote(string(s))
}

// String formats the condition in the language of package fulltext.
func (c Contains) String() string {
	text := quote(c.What.String())
	for f, prefix := range map[phrase.Field]string{
		phrase.Transcript: "transcript:", phrase.Title: "title:", phrase.Description: "description:",
	} {
		if c.In == phrase.Only(f) {
			return prefix + text
		}
	}
	return text
}

// String formats the condition in the query language.
func (s Says) String() string { return s.Who.String() + " SAYS " + printWords(s.What, 3) }

// String formats the condition in the query language.
func (f Followed) String() string {
	out := f.First.String()
	for _, s := range f.Steps {
		out += negated(s.Not) + " FOLLOWED BY "
		if s.Within != nil {
			out += "WITHIN " + s.Within.String() + " "
		}
		out += s.Says.String()
	}
	return out
}

// String formats the condition in the query language.
func (i Interval) String() string {
	out := i.Of.Name + "(" + i.AtLeast.String() + ")"
	if i.Window != nil {
		out += i.Window.String()
	}
	return out
}

// printWords formats words, in parentheses if their precedence is lower than that of their place: 0 OR, 1 AND, 2 NOT,
// 3 ||, 4 &&, 5 !.
func printWords(w Words, place int) string {
	part := func(place int) func(Words) string { return func(w Words) string { return printWords(w, place) } }
	switch w := w.(type) {
	case CallOr:
		return enclosed(place > 0, chained(w, " OR ", part(1)))
	case CallAnd:
		return enclosed(place > 1, chained(w, " AND ", part(2)))
	case CallNot:
		return enclosed(place > 2, "NOT "+printWords(w.X, 2))
	case TurnOr:
		return enclosed(place > 3, chained(w, " || ", part(4)))
	case TurnAnd:
		return enclosed(place > 4, chained(w, " && ", part(5)))
	case TurnNot:
		return "!" + printWords(w.X, 5)
	case Group:
		return "(" + printWords(w.X, 0) + ")" + modifiers(w.Slop, w.Windows)
	case Term:
		return quote(phrase.Phrase{Places: w.Places}.String()) + modifiers(w.Slop, w.Windows)
	}
	return ""
}

func modifiers(slop *int, windows []Window) string {
	var out strings.Builder // a group with many windows repeats them after each phrase
	if slop != nil {
		out.WriteString("/" + strconv.Itoa(*slop))
	}
	for _, w := range windows {
		out.WriteString(w.String())
	}
	return out.String()
}

// String formats the window in the query language.
func (w Window) String() string {
	out := "["
	if w.From != nil {
		out += w.From.String()
	}
	if out += ", "; w.To != nil {
		out += w.To.String()
	}
	return out + "]"
}

// String formats the time in the query language.
func (t Time) String() string {
	out := strconv.FormatInt(t.Amount, 10) + "ms"
	switch {
	case t.Percent:
		out = strconv.FormatFloat(float64(t.Amount)/1000, 'f', -1, 64) + "%"
	case t.Amount%1000 == 0:
		out = strconv.FormatInt(t.Amount/1000, 10) + "s"
	}
	if t.FromEnd {
		return "-" + out
	}
	return out
}
