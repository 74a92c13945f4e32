package verbnoun

import "parley/internal/words/phrase"

// invert finds auxiliaries whose subject follows them, before the verb: "do they like".
func (c *clause) invert() {
	for i := range c.parts {
		a := &c.parts[i]
		if a.kind != auxiliary || a.base == "" {
			continue
		}
		s := c.next(i)
		switch c.at(s).kind {
		case there:
			a.question = c.begins(i)
			continue
		case pronoun, noun:
		default:
			continue
		}
		if c.at(s).kind == noun && (!c.begins(i) || c.parts[i].base == "be" && c.previousIs(i, there)) ||
			c.parts[i].copula && !c.begins(i) {
			continue
		}
		v := c.next(s)
		for c.at(v).kind == preposition && c.at(v+1).kind == noun && c.at(s).kind == noun { // the status of my order
			v = c.next(v + 1)
		}
		w := c.at(v)
		if (w.kind != verb && w.kind != auxiliary) || w.bare || a.copula && w.kind == verb && !w.ing && !w.past ||
			a.base == "have" && !w.past {
			if a.copula && c.begins(i) {
				a.question = true
			}
			continue
		}
		a.kind, w.question, w.finite = other, true, true
		w.passive = w.passive || a.copula && !w.ing && w.past
		w.ing = false
		if w.neg == "" {
			w.neg = a.neg
		}
		c.subject[v] = s
		if w.kind == auxiliary && (w.base == "have" || w.base == "do" || w.base == "be") {
			w.kind = verb
		}
	}
}

func (c *clause) previousIs(i int, k kind) bool { return c.at(c.previous(i)).kind == k }

// begins reports whether a part may start a sentence.
func (c *clause) begins(i int) bool {
	switch p := c.at(c.previous(i)); p.kind {
	case boundary, and, which:
		return true
	case connective:
		return p.text != "that"
	case noun:
		return p.asks
	case other:
		return c.at(c.previous(i)-1).kind == connective && c.at(c.previous(i)-1).text == "how" // how much does
	}
	return false
}

// ask marks the verbs of questions: those with an auxiliary before the subject, those with who or what as subject, and
// their dependent verbs.
func (c *clause) ask() {
	asking := false
	for i := range c.parts {
		v := &c.parts[i]
		switch v.kind {
		case verb, auxiliary, other:
			s := c.previous(i)
			if v.kind == verb && (c.at(s).kind == which || c.at(s).kind == noun && c.at(s).asks) && c.starts(s) {
				v.question = true
			}
			if v.question {
				asking = true
			} else if asking && v.kind == verb {
				v.question = true
			}
		case boundary, and:
			asking = false
		case pronoun:
			if asking && c.restarts(i) {
				asking = false
			}
		}
	}
}

// starts reports whether a part starts a sentence.
func (c *clause) starts(i int) bool {
	k := c.at(c.previous(i)).kind
	return k == boundary || k == and
}

// restarts reports whether a pronoun starts another sentence.
func (c *clause) restarts(i int) bool {
	v := c.at(c.next(i))
	if v.kind != verb && v.kind != auxiliary || v.question {
		return false
	}
	switch b := c.at(i - 1); b.kind {
	case connective, which, preposition, verb, other, auxiliary:
		return false
	}
	return nominative[c.parts[i].text]
}

var nominative = phrase.Set(`i he she we they it you`)
