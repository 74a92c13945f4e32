package verbnoun

import "parley/internal/analysis/tagger"

// kind is the kind of a part of a sentence.
type kind uint8

const (
	boundary  kind = iota // a break: commas, interjections
	noun                  // a noun phrase
	pronoun               // also the placeholder of a redacted word
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

// part is a word, or several words that form a unit.
type part struct {
	kind kind
	text string // of its main word
	base string // its base form
	word int    // index of its main word in the sentence
	neg  string // its negation

	// of nouns
	when   bool // names a time
	asks   bool // starts with what or which
	joined bool // has no determiner, so its start is ambiguous

	// of verbs
	passive  bool
	ing      bool // a form in -ing without an auxiliary
	bare     bool // after "to"
	past     bool // has a past form or is a participle
	finite   bool // has an auxiliary, or a form that requires a subject
	question bool
	nouns    []int // indices of the parts that are its nouns
	copula   bool  // a form of be without another verb
}

// partsOf groups the tokens of a sentence into parts.
func partsOf(list tokens, l *tagger.Lexicon) []part {
	b := builder{tokens: mend(fluent(list)), lexicon: l}
	for b.at < len(b.tokens) {
		b.step()
	}
	return b.parts
}

// fluent removes fillers and repeated words.
func fluent(list tokens) tokens {
	kept := make(tokens, 0, len(list))
	for _, t := range list {
		if fillers[t.Text] || len(kept) > 0 && kept[len(kept)-1].Text == t.Text && t.Text != "" &&
			t.Tag != tagger.Number {
			continue
		}
		kept = append(kept, t)
	}
	return kept
}

// builder groups tokens into parts.
type builder struct {
	tokens  tokens
	lexicon *tagger.Lexicon
	at      int
	parts   []part
}

func (b *builder) add(p part) {
	p.text, p.word = b.tokens[b.at].Text, b.tokens[b.at].Word
	b.parts = append(b.parts, p)
	b.at++
}

// step builds the next part.
func (b *builder) step() {
	t, next := b.tokens[b.at], b.tokens.text(b.at+1)
	switch {
	case t.Text == "" || vocatives[t.Text]:
		b.add(part{kind: boundary})
	case t.Text == "there" && b.beside():
		b.add(part{kind: there})
	case questionWords[t.Text]:
		if !b.noun() {
			b.add(part{kind: which})
		}
	case pronouns[t.Text] && b.tokens.tag(b.at+1) != tagger.Noun, t.Text == "no" && next == "one":
		b.pronoun()
	case (t.Text == "so" || t.Text == "too") && quantities[next] && next != "much": // so many problems
		b.at++
	case degrees[t.Text] && (next == "much" || next == "far"):
		b.at++
		b.add(part{kind: adverb})
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
	tagger.Pronoun: pronoun, tagger.Preposition: preposition, tagger.Part: other, tagger.Subordinator: connective,
	tagger.Interjection: boundary,
	tagger.Adverb:       adverb, tagger.Adjective: other, tagger.Determiner: pronoun, tagger.Number: pronoun,
}

// beside reports whether "there" is next to a form of be.
func (b *builder) beside() bool {
	for _, i := range []int{b.at - 1, b.at + 1} {
		if t := b.tokens.text(i); forms[t] == "be" || t == "'s" || t == "not" &&
			forms[b.tokens.text(i-1)] == "be" {
			return true
		}
	}
	return b.tokens.tag(b.at+1) == tagger.Aux // there has been, there might be
}

// demonstrates reports whether "that" is a demonstrative pronoun or determiner.
func (b *builder) demonstrates() bool {
	switch b.tokens.tag(b.at + 1) {
	case tagger.Aux:
		return !b.lastIs(noun)
	case tagger.Noun:
		return b.tokens[b.at].Tag == tagger.Determiner || !b.lastIs(noun) && !b.lastIs(verb)
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
