package query

import "parley/internal/words/phrase"

// Need returns the words that every matching call must contain.
func (p *Program) Need() phrase.Need { return needOf(p.root) }

func needOf(n node) phrase.Need {
	switch n := n.(type) {
	case allOf:
		return phrase.NeedAll(mapped(n, needOf))
	case someOf:
		return phrase.NeedSome(mapped(n, needOf))
	case *says:
		return needOf(n.what)
	case *sequence:
		all := phrase.NeedAll{needOf(n.first)}
		for _, s := range n.steps {
			if !s.not {
				all = append(all, needOf(s.says))
			}
		}
		return all
	case *inCall:
		return needOf(n.node)
	case *contains:
		return n.phrase.Need(n.in)
	case *term:
		return n.phrase.Need(phrase.Only(phrase.Transcript))
	}
	return phrase.NeedAll(nil)
}
