package verbnoun

import (
	"slices"

	"parley/internal/tagger"
)

// kind is what a part of a sentence is.
type kind uint8

const (
	boundary  kind = iota // where something else begins: commas, interjections
	noun                  // a noun with what belongs to it
	pronoun               // also a noun that must not be known
	verb                  // a verb with its auxiliaries
	auxiliary             // an auxiliary without its verb
	preposition
	to         // before a verb
	and        // and, or, but
	connective // that, because, if, when
	which      // who, what, which
	there      // in "there is"
	adverb
	other
)

// part is a word, or several that belong together.
type part struct {
	kind kind
	text string // of its main word
	base string // its base form
	word int    // index of its main word in the sentence
	neg  string // what denies it

	// of nouns
	when   bool // it tells a time
	asks   bool // it begins with what or which
	joined bool // it is bare: nothing tells where it begins

	// of verbs
	passive  bool
	ing      bool // a form in -ing without an auxiliary
	bare     bool // behind "to"
	past     bool // it has a past form or is a participle
	finite   bool // it has an auxiliary or a form that only verbs with a subject have
	question bool
	nouns    []int // parts that are its nouns
	copula   bool  // a form of be, and no other verb
}

// partsOf puts the tokens of a sentence together.
func partsOf(tokens []tagger.Token, l *tagger.Lexicon) []part {
	b := builder{tokens: mend(fluent(tokens)), lexicon: l}
	for b.at < len(b.tokens) {
		b.step()
	}
	return b.parts
}

// fluent leaves out fillers and words that are said twice.
func fluent(tokens []tagger.Token) []tagger.Token {
	kept := make([]tagger.Token, 0, len(tokens))
	for _, t := range tokens {
		if fillers[t.Text] || len(kept) > 0 && kept[len(kept)-1].Text == t.Text && t.Text != "" && t.Tag != tagger.Number {
			continue
		}
		kept = append(kept, t)
	}
	return kept
}

func tagOf(tokens []tagger.Token, i int) tagger.Tag {
	if i < 0 || i >= len(tokens) {
		return tagger.Other
	}
	return tokens[i].Tag
}

func textOf(tokens []tagger.Token, i int) string {
	if i < 0 || i >= len(tokens) {
		return ""
	}
	return tokens[i].Text
}

// builder goes through the tokens.
type builder struct {
	tokens  []tagger.Token
	lexicon *tagger.Lexicon
	at      int
	parts   []part
}

func (b *builder) add(p part) {
	p.text, p.word = b.tokens[b.at].Text, b.tokens[b.at].Word
	b.parts = append(b.parts, p)
	b.at++
}

// step makes the next part.
func (b *builder) step() {
	t := b.tokens[b.at]
	switch {
	case t.Text == "" || vocatives[t.Text]:
		b.add(part{kind: boundary})
	case t.Text == "there" && b.beside():
		b.add(part{kind: there})
	case questionWords[t.Text]:
		if !b.noun() {
			b.add(part{kind: which})
		}
	case pronouns[t.Text] && tagOf(b.tokens, b.at+1) != tagger.Noun, t.Text == "no" && textOf(b.tokens, b.at+1) == "one":
		b.pronoun()
	case connectives[t.Text] && !(t.Text == "that" && b.demonstrates()):
		b.add(part{kind: connective})
	case t.Tag == tagger.And:
		b.add(part{kind: and})
	case t.Tag == tagger.Part && t.Text == "to":
		b.add(part{kind: to})
	case b.verbal():
		b.verb()
	case b.noun():
	default:
		b.add(part{kind: plainKinds[t.Tag]})
	}
}

var plainKinds = map[tagger.Tag]kind{
	tagger.Pronoun: pronoun, tagger.Preposition: preposition, tagger.Part: other, tagger.Subordinator: connective, tagger.Interjection: boundary,
	tagger.Adverb: adverb, tagger.Adjective: other, tagger.Determiner: pronoun, tagger.Number: pronoun,
}

// beside reports whether a form of be stands beside "there".
func (b *builder) beside() bool {
	for _, i := range []int{b.at - 1, b.at + 1} {
		if t := textOf(b.tokens, i); forms[t] == "be" || t == "'s" || t == "not" && forms[textOf(b.tokens, i-1)] == "be" {
			return true
		}
	}
	return tagOf(b.tokens, b.at+1) == tagger.Aux // there has been, there might be
}

// demonstrates reports whether "that" stands for something or before its noun.
func (b *builder) demonstrates() bool {
	switch tagOf(b.tokens, b.at+1) {
	case tagger.Aux:
		return len(b.parts) == 0 || b.parts[len(b.parts)-1].kind != noun
	case tagger.Noun:
		return b.tokens[b.at].Tag == tagger.Determiner || len(b.parts) == 0 || b.parts[len(b.parts)-1].kind != noun && b.parts[len(b.parts)-1].kind != verb
	case tagger.Other:
		return true
	}
	return false
}

func (b *builder) pronoun() {
	if b.tokens[b.at].Text == "no" {
		b.at++
	}
	b.add(part{kind: pronoun})
	if b.at < len(b.tokens) && b.tokens[b.at].Text == "guys" {
		b.at++
	}
}

// noun takes a noun with what stands before it; false, and nothing taken, where none is here.
func (b *builder) noun() bool {
	start, head, p := b.at, -1, part{kind: noun, joined: true}
	i := b.at
scan:
	for ; i < len(b.tokens); i++ {
		t := b.tokens[i]
		switch {
		case t.Text == "" || pronouns[t.Text] && t.Tag != tagger.Determiner && !possessives[t.Text]:
			break scan
		case denies[t.Text] && head < 0:
			p.neg = t.Text
		case head >= 0 && times[t.Text] && t.Tag == tagger.Noun && days[t.Text]: // my bill yesterday
			break scan
		case t.Tag == tagger.Noun || t.Tag == tagger.Name:
			head = i
		case t.Tag == tagger.Part && t.Text == "'s" && head >= 0:
			head = -1
			continue
		case head >= 0:
			break scan
		case questionWords[t.Text] && i == start:
			p.asks = true
		case t.Tag == tagger.Determiner || possessives[t.Text] || demonstratives[t.Text]:
			if i > start && !possessives[t.Text] && b.tokens[i-1].Tag != tagger.Determiner && !questionWords[b.tokens[i-1].Text] {
				break scan
			}
		case t.Tag == tagger.Adjective || t.Tag == tagger.Number || quantities[t.Text]:
		case t.Tag == tagger.Verb && i > start && t.Kinds&(tagger.PastForm|tagger.IngForm) != 0 && nounFollows(b.tokens, i): // "the broken phone"
		case t.Tag == tagger.Adverb && i > start && (tagOf(b.tokens, i+1) == tagger.Adjective || tagOf(b.tokens, i-1) == tagger.Determiner):
		default:
			break scan
		}
		if t.Tag != tagger.Noun && t.Tag != tagger.Name {
			p.joined = false
		}
	}
	if head < 0 {
		return false
	}
	b.at = head
	t := b.tokens[head]
	p.base = t.Text
	if t.Tag == tagger.Noun || t.Kinds&tagger.PluralForm != 0 {
		p.base = b.lexicon.NounBase(t.Text)
	}
	if measures[p.base] && textOf(b.tokens, head+1) == "of" { // a lot of money: the noun is what there is so much of
		b.at = head + 2
		if b.at < len(b.tokens) && !pronouns[b.tokens[b.at].Text] && b.noun() {
			last := &b.parts[len(b.parts)-1]
			last.asks, last.neg = last.asks || p.asks, last.neg+p.neg
			return true
		}
		b.at = head
	}
	p.when = times[p.base]
	b.add(p)
	return true
}

func nounFollows(tokens []tagger.Token, i int) bool {
	next := tagOf(tokens, i+1)
	return (next == tagger.Noun || next == tagger.Name || next == tagger.Adjective) && tagOf(tokens, i-1) != tagger.Pronoun && tagOf(tokens, i-1) != tagger.Noun
}

// verbal reports whether a verb or an auxiliary begins here.
func (b *builder) verbal() bool {
	t := b.tokens[b.at]
	if t.Tag == tagger.Verb || t.Tag == tagger.Aux {
		return !(t.Tag == tagger.Verb && len(b.parts) > 0 && b.parts[len(b.parts)-1].kind == preposition && t.Kinds&tagger.IngForm == 0 && t.Kinds&tagger.NounForm != 0)
	}
	if t.Tag == tagger.Adverb || t.Text == "not" {
		n := b.past(b.at)
		return n < len(b.tokens) && (b.tokens[n].Tag == tagger.Verb || b.tokens[n].Tag == tagger.Aux) && (negations[t.Text] != "" || slices.Contains([]tagger.Tag{tagger.Verb}, b.tokens[n].Tag) && b.tokens[n].Kinds&tagger.IngForm == 0)
	}
	return false
}

// past skips adverbs and negations.
func (b *builder) past(i int) int {
	for i < len(b.tokens) && (b.tokens[i].Tag == tagger.Adverb || b.tokens[i].Text == "not" || negations[b.tokens[i].Text] != "") {
		i++
	}
	return i
}

// verb takes a verb with its auxiliaries, or auxiliaries alone.
func (b *builder) verb() {
	p := part{kind: auxiliary}
	main, auxiliaries := -1, []string{}
	for b.at < len(b.tokens) && main < 0 {
		t := b.tokens[b.at]
		switch {
		case negations[t.Text] != "":
			p.neg = negations[t.Text]
		case t.Tag == tagger.Aux:
			auxiliaries = append(auxiliaries, auxiliaryBase(t.Text, b.tokens, b.at))
			main = -1
		case t.Tag == tagger.Verb:
			main = b.at
		}
		if main >= 0 {
			break
		}
		next := b.at + 1
		if n := b.past(next); n < len(b.tokens) && n > next && (b.tokens[n].Tag == tagger.Verb || b.tokens[n].Tag == tagger.Aux) {
			for ; next < n; next++ {
				if neg := negations[b.tokens[next].Text]; neg != "" {
					p.neg = neg
				}
			}
		} else if next < len(b.tokens) && negations[b.tokens[next].Text] != "" {
			p.neg = negations[b.tokens[next].Text]
			if n := b.past(next); n < len(b.tokens) && (b.tokens[n].Tag == tagger.Verb || b.tokens[n].Tag == tagger.Aux) {
				next = n
			} else {
				b.bareAuxiliary(p, auxiliaries, next)
				return
			}
		}
		if next >= len(b.tokens) || b.tokens[next].Tag != tagger.Verb && b.tokens[next].Tag != tagger.Aux {
			b.bareAuxiliary(p, auxiliaries, b.at)
			return
		}
		b.at = next
	}
	b.mainVerb(p, auxiliaries)
}

// bareAuxiliary adds auxiliaries that no verb follows: be, have and do may be the verb. The last token taken is at last.
func (b *builder) bareAuxiliary(p part, auxiliaries []string, last int) {
	p.base = ""
	if n := len(auxiliaries); n > 0 {
		p.base = auxiliaries[n-1]
	}
	p.finite = true
	p.copula = p.base == "be"
	p.bare = b.behindTo()
	p.past = b.tokens[b.at].Kinds&tagger.PastForm != 0
	b.add(p)
	b.at = max(b.at, last+1)
}

func (b *builder) mainVerb(p part, auxiliaries []string) {
	t := b.tokens[b.at]
	kinds := t.Kinds
	p.kind, p.base, p.past = verb, b.lexicon.VerbBase(t.Text), kinds&tagger.PastForm != 0
	n := len(auxiliaries)
	p.passive = n > 0 && auxiliaries[n-1] == "be" && kinds&tagger.PastForm != 0
	p.ing = n == 0 && kinds&tagger.IngForm != 0
	p.bare = b.behindTo()
	p.finite = n > 0 || kinds&(tagger.ThirdForm|tagger.PastForm) != 0
	b.add(p)
}

func (b *builder) behindTo() bool { return len(b.parts) > 0 && b.parts[len(b.parts)-1].kind == to }

// auxiliaryBase is the base form of an auxiliary.
func auxiliaryBase(text string, tokens []tagger.Token, i int) string {
	if base, ok := forms[text]; ok {
		return base
	}
	return text
}
