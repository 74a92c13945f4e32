package detect

import "strings"

// judge says what each group is: by what was asked for and said around it, by its digits, and by what came before.
func (c *call) judge(groups []group) {
	since := 0
	var before *group
	for i := range groups {
		g := &groups[i]
		readings := c.readings(g)
		g.main = strings.Join(readings[0], "")
		for _, r := range readings {
			g.sure = g.sure || checked(r)
		}
		e := c.around(g.span(), since)
		g.kind = c.decide(g, e, before)
		if g.kind == unknown {
			g.kind = echo(groups[:i], g, e)
		}
		if g.kind != unknown && g.kind != price {
			before = g
			if g.complete(g.kind) {
				since = g.chunks[0].from
			}
		}
		if e.tail && g.kind == unknown {
			since = g.chunks[0].from
		}
	}
}

// How many digits numbers have.
const (
	fewestOfCard = 12
	mostOfCard   = 40 // said twice, and more
)

func (c *call) decide(g *group, e *evidence, before *group) kind {
	n := len(g.main)
	if len(g.chunks) == 1 && g.chunks[0].ranged {
		return unknown
	}
	if g.sure = g.sure && c.believed(g, e); g.sure {
		return card
	}
	if n >= fewestOfCard {
		return decideLong(g, e)
	}
	best := e.best()
	if g.dated() && best != expiry && best != birth && best != card {
		return unknown
	}
	switch best {
	case card:
		if k := decideCard(g, e); k != unknown {
			return k
		}
	case expiry:
		if c.cardTalk(g) && (g.dated() || n >= 2 && n <= 8) {
			return expiry
		}
	case security:
		if n >= 2 && n <= 8 && c.cardTalk(g) {
			return security
		}
	case social:
		if n >= 3 {
			return social
		}
	case phone:
		if n >= 6 || n >= 3 && e.weight[phone] >= 1 {
			return phone
		}
	case birth:
		if g.dated() || n >= 4 || n >= 2 && e.weight[birth] >= 1 {
			return birth
		}
	}
	return c.byShape(g, e, before)
}

// believed reports whether digits that check are those of a card, and not by chance where they are called something else.
func (c *call) believed(g *group, e *evidence) bool {
	best := e.best()
	if best == unknown || best == card || e.weight[best] < 1 || e.weight[card] >= .5*e.weight[best] {
		return true
	}
	n := len(g.main)
	return (n == 15 || n == 16) && valid(g.main) && g.main[0] != '6' && !(g.main[0] == '5' && (g.main[1] == '0' || g.main[1] > '5'))
}

// decideLong says what a number of thirteen digits and more is, which do not check.
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
	case g.main[0] >= '2' && g.main[0] <= '6':
		return card
	}
	return unknown
}

// decideCard says whether fewer digits than a card has are a part of its number.
func decideCard(g *group, e *evidence) kind {
	n := len(g.main)
	switch {
	case g.dated():
		return expiry
	case e.tail && n <= 6:
		return unknown
	case dialled(g.main) && e.weight[phone] > .6*e.weight[card]:
		return phone
	case n >= 6 && e.weight[card] >= .3, n >= 3 && e.weight[card] >= 1:
		return card
	}
	return unknown
}

// near is how many tokens behind a card number what belongs to it is said without being named.
const near = 50

// byShape says what digits are that nothing around them names.
func (c *call) byShape(g *group, e *evidence, before *group) kind {
	n, named := len(g.main), e.best() != unknown && e.weight[e.best()] >= 1
	switch groups := c.written(g); {
	case groups == "324" && e.best() != phone:
		return social
	case groups == "334" || groups == "1334":
		return phone
	case named:
		return unknown
	case n == 9 && securityNumber(g.main):
		return social
	case dialled(g.main):
		return phone
	}
	if before != nil && (before.kind == card || before.kind == expiry) && g.chunks[0].from-before.span().to <= near && (n >= 3 && n <= 6 || g.dated()) && !e.tail && c.alone(&g.chunks[0]) {
		return security
	}
	return unknown
}

// written is how a number that is one word in figures is cut into groups: 324 of 123-45-6789.
func (c *call) written(g *group) string {
	k := g.chunks[0]
	groups := ""
	for i := k.from; i < k.to; i++ {
		if c.tokens[i].class != figures {
			return ""
		}
		groups += c.tokens[i].figure.groups
	}
	return groups
}

// dated reports whether a group is a date.
func (g *group) dated() bool { return g.chunks[0].dated }

// cardTalk reports whether cards are spoken of near a group.
func (c *call) cardTalk(g *group) bool {
	s := g.span()
	for i := c.cueBefore(s.from - 4*reach); i < len(c.cues) && c.cues[i].from < s.to+reach; i++ {
		if c.cues[i].kind == card {
			return true
		}
	}
	return false
}

// shortestEcho is how many digits of a number that were said before are recognised.
const shortestEcho = 4

// echo says what a number is of which the digits were said before.
func echo(before []group, g *group, e *evidence) kind {
	if len(g.main) < shortestEcho || g.dated() {
		return unknown
	}
	for i := len(before) - 1; i >= 0; i-- {
		b := &before[i]
		if b.kind != card && b.kind != social && b.kind != phone || !strings.Contains(b.main, g.main) || len(b.main) < 7 {
			continue
		}
		if b.kind == card && len(g.main) == 4 && e.tail {
			return unknown // the last four digits of a card are no secret
		}
		return b.kind
	}
	return unknown
}
