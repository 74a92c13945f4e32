package detect

import (
	"slices"
	"strings"

	"parley/internal/words/numeral"
)

// judge decides the kind of each group from the question, the surrounding words, its digits and the groups before it.
func (c *call) judge(groups []group) {
	var p history
	for i := range groups {
		g := &groups[i]
		c.understand(g)
		e := c.evidence(g, &p)
		g.kind = c.decide(g, e, p.found)
		if g.kind == unknown {
			g.kind = echo(groups[:i], g, e)
		}
		if g.kind == unknown && g.continued && len(g.main) >= 3 && p.last.kind != unknown && p.last.kind != birth {
			g.kind = p.last.kind
		}
		p.add(g)
	}
	c.resume(groups)
}

// history is the context before a group.
type history struct {
	since int    // cues before this token are already answered
	last  *group // the previous group, if it can be continued
	found *group // the last group with a kind
}

// add appends a judged group to the context.
func (p *history) add(g *group) {
	if p.last = g; g.kind != unknown {
		p.found = g
	}
	answered := g.kind != unknown && g.complete(g.kind) || g.said == private && g.weight >= 1 && len(g.main) >= 4
	if answered || g.tail {
		p.since = g.span().from
	}
	if g.tail && g.kind == unknown {
		p.last = nil
	}
}

// understand parses the digits of a group.
func (c *call) understand(g *group) {
	readings := c.readings(g)
	g.main = strings.Join(readings[0], "")
	g.most = max(len(strings.Join(g.loose(), "")), len(strings.Join(c.apart(g), "")))
	g.phone = slices.ContainsFunc(readings[:len(readings)-1], func(parts []string) bool {
		return numeral.Telephone(once(strings.Join(parts, ""))) != ""
	})
	g.sure = slices.ContainsFunc(readings, checked) || checked(c.inFigures(g))
}

// inFigures returns the parts of a group that are written in figures of several digits. It replaces every other part
// by zeros, too many for a card, so that no card number spans it.
func (c *call) inFigures(g *group) []string {
	var parts []string
	for _, k := range g.chunks {
		for _, it := range k.items {
			if len(it.digits) < 3 || c.tokens[it.from].Class != numeral.Figures {
				it.digits = strings.Repeat("0", mostOfCard)
			}
			parts = append(parts, it.digits)
		}
	}
	return parts
}

// evidence weighs the words around a group, or those around the previous group if this one continues it.
func (c *call) evidence(g *group, p *history) *evidence {
	e := c.around(g.span(), p.since)
	g.continued = p.last != nil && c.continues(p.last, g, e, span{p.last.span().to, g.span().from})
	if g.continued && p.last.said != unknown {
		e.weight[p.last.said] = max(e.weight[p.last.said], p.last.weight)
	}
	if len(g.main) >= 9 {
		e.weight[price] = 0 // prices do not have this many digits
	}
	g.said, g.tail = e.best(), e.tail
	g.weight = e.weight[g.said]
	return e
}

// resume gives an unnamed group directly before a number the kind of that number.
func (c *call) resume(groups []group) {
	for i := len(groups) - 2; i >= 0; i-- {
		g, next := &groups[i], &groups[i+1]
		if g.kind == unknown && g.said == unknown && len(g.main) >= 3 &&
			(next.kind == card || next.kind == social || next.kind == phone) && !next.sure &&
			c.continues(next, g, &evidence{}, span{g.span().to, next.span().from}) {
			g.kind = next.kind
		}
	}
}

// near is the maximum distance, in tokens after a card number, at which a number that belongs to it needs no name.
const nearby = 8

// continues reports whether an unnamed number directly follows another one.
func (c *call) continues(last, g *group, e *evidence, gap span) bool {
	if last.said == unknown && last.kind == unknown || e.best() != unknown && e.best() != last.said || last.dated() ||
		g.dated() || looksDated(g.main) || g.chunks[0].round || c.distance(gap.from, gap.to) > nearby ||
		len(g.main) < 2 {
		return false
	}
	parted, _ := c.parted(gap, last.said)
	return !parted
}

// Numbers of digits by kind.
const (
	fewestOfCard = 12
	mostOfCard   = 40 // including repetitions
)

func (c *call) decide(g *group, e *evidence, before *group) kind {
	n := len(g.main)
	best := e.best()
	if len(g.chunks) == 1 && g.chunks[0].ranged &&
		!(best == expiry || best == security || e.weight[best] >= 1.5 && !g.continued) {
		return unknown
	}
	if g.sure = g.sure && c.believed(g, e); g.sure {
		return card
	}
	if n >= fewestOfCard {
		return decideLong(g, e)
	}
	if g.dated() {
		return c.decideDate(g, e, before)
	}
	switch m := max(n, g.most); best {
	case card:
		if k := decideCard(g, e); k != unknown {
			return k
		}
	case expiry:
		if c.cardTalk(g) && m >= 2 && n <= 8 {
			return expiry
		}
	case security:
		if (m >= 3 || m == 2 && (c.alone(&g.chunks[0]) || e.weight[security] >= 2)) && n <= 8 && c.cardTalk(g) {
			return security
		}
	case social:
		if m >= 3 && (e.weight[social] >= 1 || !looksDated(g.main)) {
			return social
		}
	case phone:
		if n >= 7 && e.weight[phone] >= .4 || m >= 3 && e.weight[phone] >= 1 {
			return phone
		}
	case birth:
		if n >= 4 || n >= 2 && e.weight[birth] >= 1 {
			return birth
		}
	}
	return c.byShape(g, e, before)
}

// believed reports whether digits with a correct check digit are accepted as a card. The check digit may be correct by
// chance if the surrounding words name another kind or the digits are a telephone number.
func (c *call) believed(g *group, e *evidence) bool {
	best, n := e.best(), len(g.main)
	if e.weight[best] < .6 && e.weight[card] == 0 && g.phone && !(n == 15 || n == 16) {
		return false
	}
	if best == unknown || best == card || e.weight[best] < .5 || e.weight[card] >= .5*e.weight[best] {
		return true
	}
	return best == private && (n == 15 || n == 16) && valid(g.main) && g.main[0] != '6' &&
		!(g.main[0] == '5' && (g.main[1] == '0' || g.main[1] > '5'))
}

// decideDate decides the kind of a date: expiry of a card, date of birth, or other.
func (c *call) decideDate(g *group, e *evidence, before *group) kind {
	ofCard, ofBirth := max(e.weight[expiry], e.weight[security], e.weight[card]), e.weight[birth]
	switch {
	case ofBirth >= .3 && ofBirth >= ofCard:
		return birth
	case ofCard >= .5 && c.cardTalk(g) && (e.weight[expiry] > 0 || ofCard >= 1):
		return expiry
	}
	return c.byShape(g, e, before)
}

// decideLong decides the kind of a number of at least thirteen digits whose check digit is wrong.
func decideLong(g *group, e *evidence) kind {
	n, named := len(g.main), max(e.weight[private], e.weight[price])
	switch {
	case n <= mostOfCard && e.best() == phone && e.weight[phone] >= .3 && e.weight[card] < .5*e.weight[phone]:
		return phone
	case n <= mostOfCard && e.best() == social && e.weight[social] >= .3:
		return social
	case n > mostOfCard && e.weight[card] == 0:
		return unknown
	case e.weight[card] > 0 && e.weight[card] >= .5*named:
		return card
	case named >= .8 || e.best() == phone:
		return unknown
	case g.phone && e.weight[card] == 0:
		return phone
	case g.main[0] >= '2' && g.main[0] <= '6':
		return card
	}
	return unknown
}

// decideCard decides whether fewer digits than a card has are part of a card number.
func decideCard(g *group, e *evidence) kind {
	n := len(g.main)
	switch {
	case e.tail && n <= 6:
		return unknown
	case g.phone && e.weight[phone] > .6*e.weight[card]:
		return phone
	case n >= 6 && e.weight[card] >= .3, n >= 3 && e.weight[card] >= 1:
		return card
	}
	return unknown
}

// near is the maximum distance, in tokens after a card number, at which its expiry date or security code needs no name.
const near = 50

// byShape decides the kind of unnamed digits by their shape.
func (c *call) byShape(g *group, e *evidence, before *group) kind {
	n, best := len(g.main), e.best()
	ofCard := best == card || best == expiry || best == security
	named := best != unknown && e.weight[best] >= .6
	if (!named || ofCard) && !e.tail && before != nil && (before.kind == card || before.kind == expiry) &&
		g.span().from-before.span().to <= near &&
		(max(n, g.most) >= 3 && n <= 6 && c.alone(&g.chunks[0]) || g.dated() && c.leads(&g.chunks[0])) {
		return security
	}
	switch groups := c.layout(g); {
	case groups == "324" && best != phone:
		return social
	case groups == "334" || groups == "1334":
		return phone
	case g.phone && groups == "" && best == private && e.weight[private] <= vague:
		return phone
	case named, looksDated(g.main), looksDated(strings.TrimSuffix(g.main, "0")):
		return unknown
	case n == 9 && securityNumber(g.main) && !slices.ContainsFunc(g.chunks, func(k chunk) bool { return k.small() }):
		return social
	case n == 10 && g.main[0] < '2':
		return social // one digit too many
	case g.phone, n == 10, n == 11:
		return phone
	}
	return unknown
}

// looksDated reports whether digits may be a date with its year: 3142026.
func looksDated(digits string) bool {
	n := len(digits) - 4
	if n < 2 || n > 4 || digits[n:n+2] != "19" && digits[n:n+2] != "20" {
		return false
	}
	for cut := 1; cut < n; cut++ {
		if m, d := number(digits[:cut]), number(digits[cut:n]); m >= 1 && m <= 12 && d >= 1 && d <= 31 {
			return true
		}
	}
	return false
}

// layout returns the group lengths of a number that is one word in figures: 324 for 123-45-6789.
func (c *call) layout(g *group) string {
	k := g.chunks[0]
	groups := ""
	for i := k.from; i < k.to; i++ {
		if c.tokens[i].Class != numeral.Figures {
			return ""
		}
		groups += c.tokens[i].figure.groups
	}
	return groups
}

// dated reports whether a group is a date.
func (g *group) dated() bool { return g.chunks[0].dated }

// cardTalk reports whether the words near a group are about cards.
func (c *call) cardTalk(g *group) bool {
	s := g.span()
	for i := c.cueBefore(s.from - 4*reach); i < len(c.cues) && c.cues[i].from < s.to+reach; i++ {
		if c.cues[i].kind == card {
			return true
		}
	}
	return false
}

// shortestEcho is the minimum number of digits in which a repetition is recognised.
const shortestEcho = 4

// echo returns the kind of a number whose digits were said before.
func echo(before []group, g *group, e *evidence) kind {
	if len(g.main) < shortestEcho-1 || g.dated() {
		return unknown
	}
	for i := len(before) - 1; i >= 0; i-- {
		b := &before[i]
		if b.kind == security && b.main == g.main {
			return security
		}
		if len(g.main) < shortestEcho {
			continue
		}
		if b.kind != card && b.kind != social && b.kind != phone || !strings.Contains(b.main, g.main) ||
			len(b.main) < 7 {
			continue
		}
		if b.kind == card && len(g.main) == 4 && e.tail {
			return unknown // the last four digits of a card are not secret
		}
		return b.kind
	}
	return unknown
}
