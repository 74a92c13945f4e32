package verbnoun

import "parley/internal/words/phrase"

// exist finds the noun of "there is", and the verb of "is able to".
func (c *clause) exist(i int) {
	v := &c.parts[i]
	n := c.next(i)
	switch {
	case c.previousIs(i, there) && c.at(n).kind == noun:
		v.nouns = c.list(n)
	case c.at(n).kind == there:
		v.question = v.question || c.begins(i)
		if m := c.next(n); c.at(m).kind == noun {
			v.nouns = c.list(m)
		}
	case ables[c.at(n).text] && c.at(n+1).kind == to && c.at(n+2).kind == verb:
		c.hand(i, n+2)
	case (c.at(n).kind == pronoun || c.at(n).kind == noun) && ables[c.at(n+1).text] && c.at(n+2).kind == to &&
		c.at(n+3).kind == verb: // are you able to
		c.hand(i, n+3)
	}
	for _, n := range v.nouns {
		c.taken[n] = true
	}
}

// endsRelative reports whether the noun of a verb precedes its subject.
func (c *clause) endsRelative(i int) bool {
	v := &c.parts[i]
	return len(v.nouns) == 1 && c.subject[i] >= 0 && v.nouns[0] < c.subject[i] && !c.parts[v.nouns[0]].asks
}

// fronted returns the object that precedes the subject of a verb without an object after it: "the phone i bought",
// "what plan do you have".
func (c *clause) fronted(i int) int {
	s := c.subject[i]
	if s < 1 || c.parts[i].passive || c.parts[i].bare {
		return none
	}
	b := s - 1
	for c.at(b).kind == other && c.at(b).base != "" || c.at(b).kind == adverb && b > 0 { // the auxiliary of a question
		b--
	}
	if p := c.at(b); p.kind == noun && p.asks {
		return b
	}
	if c.parts[i].question || c.at(s).kind != pronoun {
		return none
	}
	if p := c.at(b); p.kind == connective && p.text == "that" || p.kind == which {
		b--
	}
	if p := c.at(b); p.kind == noun && !p.when && b >= 0 {
		return b
	}
	return none
}

// complements returns the complements after a verb: its objects, the first noun after a preposition, and the embedded verb.
func (c *clause) complements(i int) (objects []int, about, embeds int) {
	v, about, embeds := &c.parts[i], none, none
	n := c.next(i)
	if c.subject[i] >= 0 && c.subject[i] > i { // "is my phone": after the subject
		n = c.next(c.subject[i])
	}
	if p := c.at(n); p.kind == preposition && particles[p.text] &&
		(p.text != "on" && p.text != "in" && p.text != "over" && p.text != "through" || turning[v.base]) {
		n = c.next(n)
	}
	switch p := c.at(n); {
	case p.kind == pronoun:
		c.stands[i] = true
		n = c.next(n)
		if c.at(n).kind == noun && giving[v.base] && !c.at(n).when {
			objects = c.list(n)
		}
	case p.kind == noun && p.when && !dating[v.base]:
		n = c.next(n)
	case p.kind == noun && telling[v.base] && c.clauseFollows(n):
		c.stands[i] = true
		return nil, none, none
	case p.kind == noun:
		c.stands[i] = true
		if second := c.next(n); giving[v.base] && c.at(second).kind == noun && !c.at(second).when &&
			!c.at(second).joined && !c.clauseFollows(second) {
			n = second
		}
		objects = c.list(n)
		n = c.next(objects[len(objects)-1])
	}
	for c.at(n).kind == preposition && about < 0 {
		m := c.next(n)
		if c.at(m).kind == noun && !c.at(m).when && !around[c.at(n).text] {
			about = m
		}
		n = c.next(m)
	}
	if c.at(n).kind == to && c.at(n+1).kind == verb {
		embeds, c.stands[i] = n+1, true
	} else if p := c.at(n); p.kind == verb && p.ing && n == c.next(i) && embedding[v.base] {
		embeds, c.stands[i] = n, true
	} else if p.kind == connective && p.text == "that" || p.kind == which {
		c.stands[i] = true
	}
	return objects, about, embeds
}

var turning = phrase.Set(`turn put try switch log fill send call hand give take hold`)

// clauseFollows reports whether a verb with a subject follows a noun.
func (c *clause) clauseFollows(n int) bool {
	v := c.at(c.next(n))
	return (v.kind == verb || v.kind == auxiliary) && v.finite
}

// list returns a noun and the nouns that "and" joins to it.
func (c *clause) list(n int) []int {
	all := []int{n}
	for {
		m := n + 1
		for c.at(m).kind == preposition && c.at(m).text == "of" && c.at(m+1).kind == noun {
			m += 2
		}
		comma := c.at(m).kind == boundary && m < len(c.parts) && c.at(m+1).kind == noun && c.listed(m+1)
		if c.at(m).kind != and && !comma || c.at(m).text == "but" {
			return all
		}
		if c.at(m+1).kind != noun || c.at(m+1).when || c.clauseFollows(m+1) {
			return all
		}
		n = m + 1
		all = append(all, n)
	}
}

// listed reports whether a noun after a comma belongs to a list that ends with "and".
func (c *clause) listed(n int) bool {
	for c.at(n).kind == noun {
		switch n++; {
		case c.at(n).kind == and:
			return c.at(n+1).kind == noun
		case c.at(n).kind == boundary && n < len(c.parts):
			n++
		default:
			return false
		}
	}
	return false
}
