package query

import "parley/internal/phrase"

// Need is words without which no call matches, for an index to look up candidates by. It may ask for less than
// the condition, never for more. It is one of the types below.
type Need interface{ need() }

type (
	// NeedAll asks for each of its elements. Without any it asks for nothing: every call is a candidate.
	NeedAll []Need
	// NeedSome asks for at least one of its elements.
	NeedSome []Need
	// NeedRun asks for words of the transcript that follow each other. Its patterns are Exact, but the last may be Prefix.
	NeedRun []phrase.Pattern
)

func (NeedAll) need()  {}
func (NeedSome) need() {}
func (NeedRun) need()  {}

// Need returns words without which no call matches.
func (p *Program) Need() Need { return needOf(p.root) }

func needOf(n node) Need {
	switch n := n.(type) {
	case allOf:
		return NeedAll(mapped(n, needOf))
	case someOf:
		return NeedSome(mapped(n, needOf))
	case *says:
		return needOfWords(n.what)
	case *followed:
		all := NeedAll{needOf(n.first)}
		for _, s := range n.steps {
			if !s.not {
				all = append(all, needOf(s.says))
			}
		}
		return all
	}
	return NeedAll(nil)
}

func needOfWords(n turnNode) Need {
	switch n := n.(type) {
	case turnAll:
		return NeedAll(mapped(n, needOfWords))
	case turnSome:
		return NeedSome(mapped(n, needOfWords))
	case *inCall:
		return needOf(n.node)
	case *term:
		return needOfPhrase(n.phrase)
	}
	return NeedAll(nil)
}

// needOfPhrase asks for the words of a phrase: those without gaps between them together, others each by itself.
func needOfPhrase(p phrase.Phrase) Need {
	var all NeedAll
	var run NeedRun
	end := func() {
		if len(run) > 0 {
			all = append(all, run)
		}
		run = nil
	}
	for _, place := range p.Places {
		if place.Kind == phrase.Any {
			end()
			continue
		}
		run = append(run, place)
		if place.Kind == phrase.Prefix || p.Slop > 0 {
			end()
		}
	}
	end()
	return all
}
