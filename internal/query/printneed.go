package query

import (
	"strings"

	"parley/internal/words/phrase"
)

// PrintNeed formats a need for display, such as `"thank" "you" AND ("lawyer" OR "sue*")`. It is empty if nothing is
// needed.
func PrintNeed(n phrase.Need) string { return printNeed(n, false) }

func printNeed(n phrase.Need, inner bool) string {
	operator, parts := " AND ", []string{}
	switch n := n.(type) {
	case phrase.NeedAll:
		for _, one := range n {
			if text := printNeed(one, len(n) > 1); text != "" {
				parts = append(parts, text)
			}
		}
	case phrase.NeedSome:
		operator = " OR "
		for _, one := range n {
			text := printNeed(one, len(n) > 1)
			if text == "" {
				return ""
			}
			parts = append(parts, text)
		}
	case phrase.NeedRun:
		operator = " "
		for _, p := range n.Patterns {
			text := p.Text
			if p.Kind == phrase.Prefix {
				text += "*"
			}
			parts = append(parts, `"`+text+`"`)
		}
		inner = false
	}
	if len(parts) > 1 && inner {
		return "(" + strings.Join(parts, operator) + ")"
	}
	return strings.Join(parts, operator)
}
