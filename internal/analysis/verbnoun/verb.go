package verbnoun

import (
	"cmp"

	"parley/internal/analysis/tagger"
)

// verbal reports whether a verb or an auxiliary starts here, possibly after adverbs.
func (b *builder) verbal() bool {
	t := b.tokens[b.at]
	switch t.Tag {
	case tagger.Aux:
		return true
	case tagger.Verb: // after a preposition, a form that can be a noun must end in -ing
		return !b.lastIs(preposition) || t.Kinds&tagger.IngForm != 0 || t.Kinds&tagger.NounForm == 0
	}
	if t.Tag != tagger.Adverb && t.Text != "not" {
		return false
	}
	n, neg := b.afterAdverbs(b.at)
	return b.verbAt(n) && (neg != "" || b.tokens[n].Tag == tagger.Verb && b.tokens[n].Kinds&tagger.IngForm == 0)
}

// afterAdverbs skips adverbs and negations, and returns the last negation.
func (b *builder) afterAdverbs(i int) (next int, neg string) {
	for ; i < len(b.tokens) && (b.tokens[i].Tag == tagger.Adverb || negations[b.tokens[i].Text] != ""); i++ {
		neg = cmp.Or(negations[b.tokens[i].Text], neg)
	}
	return i, neg
}

func (b *builder) verbAt(i int) bool {
	tag := b.tokens.tag(i)
	return tag == tagger.Verb || tag == tagger.Aux
}

// verb consumes a verb with its auxiliaries and negation, or auxiliaries alone.
func (b *builder) verb() {
	p := part{kind: auxiliary, bare: b.lastIs(to)}
	var auxiliaries []string
	for {
		t := b.tokens[b.at]
		p.past = t.Kinds&tagger.PastForm != 0
		if t.Tag == tagger.Verb {
			b.mainVerb(p, auxiliaries)
			return
		}
		if t.Tag == tagger.Aux {
			auxiliaries = append(auxiliaries, cmp.Or(forms[t.Text], t.Text))
		}
		next, neg := b.afterAdverbs(b.at + 1)
		p.neg = cmp.Or(neg, negations[t.Text], p.neg)
		if !b.verbAt(next) {
			b.bareAuxiliary(p, auxiliaries)
			b.at = next
			return
		}
		b.at = next
	}
}

// bareAuxiliary adds auxiliaries without a verb after them: be, have and do may be the main verb.
func (b *builder) bareAuxiliary(p part, auxiliaries []string) {
	if n := len(auxiliaries); n > 0 {
		p.base = auxiliaries[n-1]
	}
	p.finite, p.copula = true, p.base == "be"
	b.add(p)
}

func (b *builder) mainVerb(p part, auxiliaries []string) {
	t, n := b.tokens[b.at], len(auxiliaries)
	p.kind, p.base = verb, b.lexicon.VerbBase(t.Text)
	p.passive = n > 0 && auxiliaries[n-1] == "be" && p.past
	p.ing = n == 0 && t.Kinds&tagger.IngForm != 0
	p.finite = n > 0 || t.Kinds&(tagger.ThirdForm|tagger.PastForm) != 0
	b.add(p)
}

func (b *builder) lastIs(k kind) bool { return len(b.parts) > 0 && b.parts[len(b.parts)-1].kind == k }
