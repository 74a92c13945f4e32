package knowledge

import "parley/internal/words/phrase"

// Likelihood ratios of word classes, by the words before and after. Set by hand.
const (
	afterArticle = 5 // a noun or adjective: my charge
	afterPronoun = 5 // a verb: I charge
	beforeObject = 2 // a verb: charge me
)

var (
	articles = phrase.Set("a an the my your his her its our their this that these those any some no of for with in on at " +
		"every each another about")
	subjects = phrase.Set("i you we they he she it to will would can could should must i'll you'll we'll they'll he'll " +
		"she'll don't didn't doesn't won't can't gonna wanna let's please i'd we'd you'd not who")
	objects = phrase.Set("me you it him us them the a an my your his our their this that")
)

// class is the part of speech of a token.
type class uint8

const (
	other class = iota
	noun
	verb
	adjective
)

// classOf returns the most likely class of token i of a turn.
func classOf(tokens []token, i int) class {
	t := &tokens[i]
	if t.head {
		return noun
	}
	n, v, a := t.noun, t.verb, t.adj
	if i > 0 && !t.gap {
		switch before := tokens[i-1].form; {
		case articles[before]:
			n, a = n*afterArticle, a*afterArticle
		case subjects[before]:
			v *= afterPronoun
		}
	}
	if i+1 < len(tokens) && !tokens[i+1].gap && objects[tokens[i+1].form] {
		v *= beforeObject
	}
	switch {
	case n >= v && n >= a:
		return noun
	case v >= a:
		return verb
	}
	return adjective
}
