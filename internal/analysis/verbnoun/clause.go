package verbnoun

// clause holds the parts of a sentence, or of several whose boundaries are unknown.
type clause struct {
	parts   []part
	subject []int // index of each verb's subject; negative: no subject
	taken   []bool
	stands  []bool // whether a verb has an object, including pronouns
}

const none = -1

// understand finds the nouns of every verb.
func (c *clause) understand() {
	c.subject, c.taken, c.stands = make([]int, len(c.parts)), make([]bool, len(c.parts)), make([]bool, len(c.parts))
	for i := range c.subject {
		c.subject[i] = none
	}
	c.invert()
	for i := range c.parts {
		if c.parts[i].kind == auxiliary &&
			(c.parts[i].base == "have" || c.parts[i].base == "do" || c.parts[i].base == "be") {
			c.parts[i].kind = verb
		}
	}
	for i := range c.parts {
		if c.parts[i].kind == verb {
			c.find(i)
		}
	}
	c.ask()
}

// at returns a part, or a boundary outside the sentence.
func (c *clause) at(i int) *part {
	if i < 0 || i >= len(c.parts) {
		return &part{}
	}
	return &c.parts[i]
}

// next skips adverbs.
func (c *clause) next(i int) int {
	for i++; c.at(i).kind == adverb && i < len(c.parts); i++ {
	}
	return i
}

func (c *clause) previous(i int) int {
	for i--; c.at(i).kind == adverb && i >= 0; i-- {
	}
	return i
}

// find sets the subject and the nouns of a verb.
func (c *clause) find(i int) {
	v := &c.parts[i]
	if c.subject[i] == none {
		c.subject[i] = c.subjectBefore(i)
	}
	if v.copula {
		c.exist(i)
		return
	}
	if c.idle(i) {
		return
	}
	objects, about, embeds := c.complements(i)
	subject := c.subject[i]
	if subject >= 0 && c.taken[subject] && c.at(subject).kind == noun && !c.relative(i) && subject == c.previous(i) {
		subject = none
	}
	switch {
	case len(objects) > 0:
		v.nouns = objects
	case embeds >= 0 && (embedding[v.base] || v.passive):
		c.hand(i, embeds)
		return
	case !c.stands[i] && c.fronted(i) >= 0:
		v.nouns = []int{c.fronted(i)}
	case subject >= 0 && c.at(subject).kind == noun && !c.at(subject).when:
		v.nouns = []int{subject}
	case about >= 0 && v.base != "be":
		v.nouns = []int{about}
	}
	for _, n := range v.nouns {
		c.taken[n] = true
	}
	if embeds >= 0 {
		c.hand(i, embeds)
	}
}

// idle reports whether a verb is part of a filler: "you know", "i mean".
func (c *clause) idle(i int) bool {
	v, s := &c.parts[i], c.at(c.subject[i])
	return v.neg == "" && !v.question && (v.text == "know" && s.text == "you" || v.text == "mean" && s.text == "i") &&
		c.subject[i] == i-1
}

// hand passes the subject and the negation of a verb to its embedded verb.
func (c *clause) hand(i, embedded int) {
	v, w := &c.parts[i], &c.parts[embedded]
	if len(v.nouns) == 0 && c.subject[i] >= 0 {
		c.subject[embedded] = c.subject[i]
	} else {
		c.subject[embedded] = -2 // do not search for a subject
	}
	if v.neg != "" && w.neg == "" && (denying[v.base] || v.copula) {
		w.neg = v.neg
	}
	if v.question {
		w.question = true
	}
}

// subjectBefore returns the subject of a verb that has no subject after it.
func (c *clause) subjectBefore(i int) int {
	v := &c.parts[i]
	if v.bare || v.ing && c.at(i-1).kind != noun {
		return none
	}
	s := c.previous(i)
	if c.at(s).kind == which || c.at(s).kind == connective && c.at(s).text == "that" { // who called: the antecedent
		if c.at(s-1).kind == noun {
			return s - 1
		}
		return none
	}
	if c.at(s).kind == pronoun {
		// what you sold me broke
		if b := c.previous(s); c.at(b).kind == verb && !c.at(b).bare && v.finite && c.endsRelative(b) {
			return c.parts[b].nouns[0]
		}
		return s
	}
	if c.at(s).kind == verb && v.finite && c.endsRelative(s) { // the contract that i signed ended
		return c.parts[s].nouns[0]
	}
	if c.at(s).kind != noun {
		return none
	}
	// the status of the order
	for s >= 2 && c.at(s-1).kind == preposition && c.at(s-2).kind == noun &&
		(c.at(s-1).text == "of" || !c.taken[s-2] && c.at(s-1).text != "to") {
		s -= 2
	}
	if c.at(s-1).kind == preposition && c.at(s-1).text != "of" && v.finite && !c.parts[s].when && c.verbBetween(s) {
		return none
	}
	return s
}

// verbBetween reports whether a noun after a preposition belongs to a verb before it.
func (c *clause) verbBetween(s int) bool { return c.at(s-2).kind == verb }

// relative reports whether a relative "who" or "that" stands before a verb.
func (c *clause) relative(i int) bool {
	s := c.at(c.previous(i))
	return s.kind == which || s.kind == connective && s.text == "that"
}
