package ngram

import "math"

// normalize sets the back-off factors of all contexts so that the probabilities after each sum to one.
func (m *Model) normalize() {
	for order := 2; order <= len(m.tables); order++ {
		for context, s := range m.sums(order) {
			e := m.tables[order-2][context]
			e.backoff = s.factor()
			m.tables[order-2][context] = e
		}
	}
	for order := 1; order < len(m.tables); order++ {
		sums := m.sums(order + 1)
		for g, e := range m.tables[order-1] {
			if _, isContext := sums[g]; !isContext {
				e.backoff = 1
				m.tables[order-1][g] = e
			}
		}
	}
}

// sum holds, for the known n-grams of a context, their total probability and that of their last words in the shorter
// context.
type sum struct{ long, short float64 }

// factor returns the back-off factor of the context.
func (s sum) factor() float64 {
	const least = 1e-9 // guards against rounding errors
	return max(1-s.long, least) / max(1-s.short, least)
}

// sums returns the sum of each context of the n-grams of one order.
func (m *Model) sums(order int) map[gram]sum {
	sums := map[gram]sum{}
	for _, g := range ordered(m.tables[order-1]) {
		s := sums[g.prefix(order-1)]
		s.long += m.tables[order-1][g].p
		s.short += m.probability(g.suffix(), order-1)
		sums[g.prefix(order-1)] = s
	}
	return sums
}

// prune drops n-grams whose removal raises the perplexity by less than a share, the longest first. It keeps the
// contexts of the remaining n-grams.
func (m *Model) prune(share float64) {
	for order := len(m.tables); order >= 2; order-- {
		needed := map[gram]bool{}
		if order < len(m.tables) {
			for g := range m.tables[order] {
				needed[g.prefix(order)] = true
			}
		}
		sums := m.sums(order)
		for _, g := range ordered(m.tables[order-1]) {
			context := g.prefix(order - 1)
			if !needed[g] && m.loss(g, order, sums[context]) < share {
				delete(m.tables[order-1], g)
			}
		}
		m.normalize()
	}
}

// loss returns the share by which the perplexity rises without an n-gram: its relative entropy (Stolcke 1998, eq. 3).
func (m *Model) loss(g gram, order int, s sum) float64 {
	p, q := m.tables[order-1][g].p, m.probability(g.suffix(), order-1)
	factor := s.factor()
	without := sum{s.long - p, s.short - q}.factor()
	left := max(1-s.long, 0)
	d := p*(math.Log(q*without)-math.Log(p)) + left*(math.Log(without)-math.Log(factor))
	return math.Exp(-d*m.joint(g.prefix(order-1), order-1)) - 1
}

// joint returns the joint probability of the words of a context. The start mark has the
// probability of the end mark: both occur once per sentence.
func (m *Model) joint(g gram, n int) float64 {
	p := 1.0
	for i := 1; i <= n; i++ {
		part := g.prefix(i)
		if i == 1 && m.words[part[0]] == Start {
			p *= m.tables[0][gram{m.number[End]}].p
			continue
		}
		p *= m.probability(part, i)
	}
	return p
}
