package verbnoun

import "parley/internal/analysis/tagger"

// noun consumes a noun phrase. It returns false and consumes nothing if there is none.
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
	if measures[p.base] && b.tokens.text(head+1) == "of" && b.measured(head+2, p) {
		return true
	}
	p.when = times[p.base]
	b.at = head
	b.add(p)
	return true
}

// measured consumes the noun that a measure counts: money in "a lot of money".
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

// phrase parses a noun phrase and returns the index of its head noun, negative if there is none.
func (b *builder) phrase() (p part, head int) {
	p, head = part{kind: noun, joined: true}, none
	for i := b.at; i < len(b.tokens); i++ {
		t := b.tokens[i]
		switch {
		case t.Tag == tagger.Part && t.Text == "'s" && head >= 0: // my son's
			head = none
			continue
		case head >= 0 && (!b.tokens.nominal(i) || days[t.Text]) || head < 0 && !b.tokens.nominal(i) && !b.attributes(i):
			return p, head
		case head < 0 && denies[t.Text]:
			p.neg = t.Text
		case head < 0 && questionWords[t.Text]:
			p.asks = true
		case b.tokens.nominal(i):
			head = i
			continue
		}
		p.joined = false
	}
	return p, head
}

// attributes reports whether a token may be an attribute in the noun phrase at the builder's position.
func (b *builder) attributes(i int) bool {
	t, first := b.tokens[i], i == b.at
	before, after := b.tokens.tag(i-1), b.tokens.tag(i+1)
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
			(b.tokens.nominal(i+1) || after == tagger.Adjective) &&
			before != tagger.Pronoun && before != tagger.Noun
	case t.Tag == tagger.Adverb: // a very good phone
		return !first && (after == tagger.Adjective || before == tagger.Determiner)
	}
	return false
}
