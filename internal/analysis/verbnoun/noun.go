package verbnoun

import "parley/internal/analysis/tagger"

// noun takes a noun with what stands before it; false, and nothing taken, where none is here.
func (b *builder) noun() bool {
	p, head := b.phrase()
	if head < 0 {
		return false
	}
	t := b.tokens[head]
	p.base = t.Text
	if t.Tag == tagger.Noun || t.Kinds&tagger.PluralForm != 0 {
		p.base = b.lexicon.NounBase(t.Text)
	}
	if measures[p.base] && textOf(b.tokens, head+1) == "of" && b.measured(head+2, p) {
		return true
	}
	p.when = times[p.base]
	b.at = head
	b.add(p)
	return true
}

// measured takes the noun that another one says how much there is of: of "a lot of money" money.
func (b *builder) measured(at int, p part) bool {
	before := b.at
	b.at = at
	if at >= len(b.tokens) || pronouns[b.tokens[at].Text] || !b.noun() {
		b.at = before
		return false
	}
	last := &b.parts[len(b.parts)-1]
	last.asks, last.neg = last.asks || p.asks, last.neg+p.neg
	return true
}

// phrase looks for a noun with what stands before it, and returns where the noun is, a negative number where none is.
func (b *builder) phrase() (p part, head int) {
	p, head = part{kind: noun, joined: true}, none
	for i := b.at; i < len(b.tokens); i++ {
		t := b.tokens[i]
		switch {
		case t.Tag == tagger.Part && t.Text == "'s" && head >= 0: // my son's
			head = none
			continue
		case head >= 0 && (!nominal(t) || days[t.Text]) || head < 0 && !nominal(t) && !b.attributes(i):
			return p, head
		case head < 0 && denies[t.Text]:
			p.neg = t.Text
		case head < 0 && questionWords[t.Text]:
			p.asks = true
		case nominal(t):
			head = i
			continue
		}
		p.joined = false
	}
	return p, head
}

func nominal(t tagger.Token) bool { return t.Tag == tagger.Noun || t.Tag == tagger.Name }

// attributes reports whether a token may stand before the noun of the phrase that begins where the builder is.
func (b *builder) attributes(i int) bool {
	t, first := b.tokens[i], i == b.at
	before, after := tagOf(b.tokens, i-1), tagOf(b.tokens, i+1)
	switch {
	case t.Text == "" || pronouns[t.Text] && t.Tag != tagger.Determiner && !possessives[t.Text]:
		return false
	case denies[t.Text]:
		return true
	case questionWords[t.Text]:
		return first
	case t.Tag == tagger.Determiner || possessives[t.Text] || demonstratives[t.Text]:
		return first || possessives[t.Text] || before == tagger.Determiner || questionWords[b.tokens[i-1].Text]
	case t.Tag == tagger.Adjective || t.Tag == tagger.Number || quantities[t.Text]:
		return true
	case t.Tag == tagger.Verb: // the broken phone
		return !first && t.Kinds&(tagger.PastForm|tagger.IngForm) != 0 &&
			(nominal(tokenAt(b.tokens, i+1)) || after == tagger.Adjective) &&
			before != tagger.Pronoun && before != tagger.Noun
	case t.Tag == tagger.Adverb: // a very good phone
		return !first && (after == tagger.Adjective || before == tagger.Determiner)
	}
	return false
}
