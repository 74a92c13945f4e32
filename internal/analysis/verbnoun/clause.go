package verbnoun

// clause is the parts of a sentence, or of several where nobody knows where they end.
type clause struct {
	parts   []part
	subject []int // of each verb: the part that is its subject, none without
	taken   []bool
	stands  []bool // whether a verb has an object, be it a pronoun
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
		if c.parts[i].kind == auxiliary && (c.parts[i].base == "have" || c.parts[i].base == "do" || c.parts[i].base == "be") {
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

// at returns a part, one that is a boundary outside the sentence.
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

// invert finds auxiliaries whose subject stands behind them, before the verb: "do they like".
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
		if c.at(s).kind == noun && (!c.begins(i) || c.parts[i].base == "be" && c.previousIs(i, there)) || c.parts[i].copula && !c.begins(i) {
			continue
		}
		v := c.next(s)
		for c.at(v).kind == preposition && c.at(v+1).kind == noun && c.at(s).kind == noun { // the status of my order
			v = c.next(v + 1)
		}
		w := c.at(v)
		if (w.kind != verb && w.kind != auxiliary) || w.bare || a.copula && w.kind == verb && !w.ing && !w.past || a.base == "have" && !w.past {
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

// begins reports whether a part may be the first of a sentence.
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

// find finds the subject and the nouns of a verb.
func (c *clause) find(i int) {
	v := &c.parts[i]
	if c.subject[i] == none {
		c.subject[i] = c.before(i)
	}
	if v.copula {
		c.exist(i)
		return
	}
	if c.idle(i) {
		return
	}
	objects, about, embeds := c.behind(i)
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

// idle reports whether a verb is said for nothing: "you know", "i mean".
func (c *clause) idle(i int) bool {
	v, s := &c.parts[i], c.at(c.subject[i])
	return v.neg == "" && !v.question && (v.text == "know" && s.text == "you" || v.text == "mean" && s.text == "i") && c.subject[i] == i-1
}

// hand gives the verb within another its subject and what denies it.
func (c *clause) hand(i, embedded int) {
	v, w := &c.parts[i], &c.parts[embedded]
	if len(v.nouns) == 0 && c.subject[i] >= 0 {
		c.subject[embedded] = c.subject[i]
	} else {
		c.subject[embedded] = -2 // none to be looked for
	}
	if v.neg != "" && w.neg == "" && (denying[v.base] || v.copula) {
		w.neg = v.neg
	}
	if v.question {
		w.question = true
	}
}

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
	case (c.at(n).kind == pronoun || c.at(n).kind == noun) && ables[c.at(n+1).text] && c.at(n+2).kind == to && c.at(n+3).kind == verb: // are you able to
		c.hand(i, n+3)
	}
	for _, n := range v.nouns {
		c.taken[n] = true
	}
}

// before returns the part that is the subject of a verb with none behind it.
func (c *clause) before(i int) int {
	v := &c.parts[i]
	if v.bare || v.ing && c.at(i-1).kind != noun {
		return none
	}
	s := c.previous(i)
	if c.at(s).kind == which || c.at(s).kind == connective && c.at(s).text == "that" { // who called: what stands before
		if c.at(s-1).kind == noun {
			return s - 1
		}
		return none
	}
	if c.at(s).kind == pronoun {
		if b := c.previous(s); c.at(b).kind == verb && !c.at(b).bare && v.finite && c.endsRelative(b) { // what you sold me broke
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
	for s >= 2 && c.at(s-1).kind == preposition && c.at(s-2).kind == noun && (c.at(s-1).text == "of" || !c.taken[s-2] && c.at(s-1).text != "to") { // the status of the order
		s -= 2
	}
	if c.at(s-1).kind == preposition && c.at(s-1).text != "of" && v.finite && !c.parts[s].when && c.verbBetween(s) {
		return none
	}
	return s
}

// endsRelative reports whether the noun of a verb stands before its subject.
func (c *clause) endsRelative(i int) bool {
	v := &c.parts[i]
	return len(v.nouns) == 1 && c.subject[i] >= 0 && v.nouns[0] < c.subject[i] && !c.parts[v.nouns[0]].asks
}

// verbBetween reports whether a noun behind a preposition belongs to a verb before it.
func (c *clause) verbBetween(s int) bool { return c.at(s-2).kind == verb }

// relative reports whether who or that stands before a verb.
func (c *clause) relative(i int) bool {
	s := c.at(c.previous(i))
	return s.kind == which || s.kind == connective && s.text == "that"
}

// fronted returns the noun that a verb without an object has before its subject: "the phone i bought", "what plan do you have".
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

// behind returns what stands behind a verb: its objects, the first noun behind a preposition, and the verb within it.
func (c *clause) behind(i int) (objects []int, about, embeds int) {
	v, about, embeds := &c.parts[i], none, none
	n := c.next(i)
	if c.subject[i] >= 0 && c.subject[i] > i { // "is my phone": behind the subject
		n = c.next(c.subject[i])
	}
	if p := c.at(n); p.kind == preposition && particles[p.text] && (p.text != "on" && p.text != "in" && p.text != "over" && p.text != "through" || turning[v.base]) {
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
		if second := c.next(n); giving[v.base] && c.at(second).kind == noun && !c.at(second).when && !c.at(second).joined && !c.clauseFollows(second) {
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

var turning = set(`turn put try switch log fill send call hand give take hold`)

// clauseFollows reports whether a verb with a subject stands behind a noun.
func (c *clause) clauseFollows(n int) bool {
	v := c.at(c.next(n))
	return (v.kind == verb || v.kind == auxiliary) && v.finite
}

// list returns a noun with those that "and" joins to it.
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

// listed reports whether a noun behind a comma is one of a list that "and" ends.
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

// ask marks the verbs of questions: those whose auxiliary stands before the subject, who and what as subjects, and what hangs on them.
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

// starts reports whether a part is the first of a sentence.
func (c *clause) starts(i int) bool {
	k := c.at(c.previous(i)).kind
	return k == boundary || k == and
}

// restarts reports whether a pronoun begins another sentence.
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

var nominative = set(`i he she we they it you`)
