package verbnoun

import "parley/internal/analysis/tagger"

// mend corrects tags that are impossible in their context.
func mend(m tokens) tokens {
	for i := range m {
		switch m[i].Text {
		case "'s":
			m[i].Tag = m.apostrophe(i)
		case "'d":
			m[i].Tag = tagger.Aux
		case "to":
			m[i].Tag = m.to(i)
		case "do", "does", "did", "can", "could", "will", "would", "should":
			m.verbOfQuestion(i)
		default:
			m[i].Tag = m.word(i)
		}
	}
	m.verbless()
	return m
}

// tokens are the tokens of a sentence. Those outside of it are empty. Corrections go from the first to the last.
type tokens []tagger.Token

func (m tokens) at(i int) tagger.Token {
	if i < 0 || i >= len(m) {
		return tagger.Token{}
	}
	return m[i]
}

func (m tokens) tag(i int) tagger.Tag { return m.at(i).Tag }

func (m tokens) text(i int) string { return m.at(i).Text }

func (m tokens) kinds(i int) tagger.Kinds { return m.at(i).Kinds }

// nominal reports whether a token is tagged as a noun.
func (m tokens) nominal(i int) bool { return m.tag(i) == tagger.Noun || m.tag(i) == tagger.Name }

// word returns the corrected tag of a word.
func (m tokens) word(i int) tagger.Tag {
	tag, before, kinds := m.tag(i), m.text(i-1), m.kinds(i)
	named := kinds&(tagger.NounForm|tagger.PluralForm) != 0
	switch {
	case tag == tagger.Verb && needing[before] && kinds&tagger.NounForm != 0, // need help
		tag == tagger.Verb && before == "to" && m.tag(i-1) == tagger.Preposition && named,
		tag == tagger.Verb && kinds&tagger.PluralForm != 0 && helping[before],
		tag == tagger.Verb && m.tag(i-1) == tagger.Determiner && named && kinds&tagger.PastForm == 0,
		tag == tagger.Verb && kinds&(tagger.VerbForm|tagger.ThirdForm|tagger.PastForm|tagger.IngForm) == 0 && named:
		return tagger.Noun
	case m.nominal(i) && kinds&tagger.AdjectiveForm != 0 && becoming[before], // went bankrupt
		// is empty
		tag == tagger.Verb && kinds&tagger.AdjectiveForm != 0 && kinds&(tagger.PastForm|tagger.IngForm) == 0 &&
			forms[before] == "be":
		return tagger.Adjective
	case tag == tagger.Noun && kinds != 0 && kinds&verbForms == kinds, // apply
		tag == tagger.Noun && kinds&tagger.ThirdForm != 0 && thirds[before], // who answers
		tag == tagger.Noun && before == "to" && m.tag(i-1) == tagger.Part && kinds&tagger.VerbForm != 0,
		m.nominal(i) && kinds&tagger.VerbForm != 0 && m.begins(i) && m.takesObject(i): // turn the modem off
		return tagger.Verb
	}
	return tag
}

const verbForms = tagger.VerbForm | tagger.ThirdForm | tagger.PastForm | tagger.IngForm

// verbless finds a verb in stretches without one: a form that agrees with the noun before it, because nouns before
// other nouns seldom do ("customers hate delays", "our team handles complaints").
func (m tokens) verbless() {
	for from, to := 0, 0; from < len(m); from = to + 1 {
		for to = from; to < len(m) && m.text(to) != "" && m.tag(to) != tagger.And &&
			m.tag(to) != tagger.Subordinator; to++ {
		}
		if !m.finite(from, to) {
			m.agreeing(from, to)
		}
	}
}

// finite reports whether some token of a stretch is a verb with a subject.
func (m tokens) finite(from, to int) bool {
	for i := from; i < to; i++ {
		switch k := m.kinds(i); {
		case m.tag(i) == tagger.Aux:
			return true
		case m.tag(i) == tagger.Verb && (k&tagger.IngForm == 0 || k&tagger.VerbForm != 0) && m.tag(i-1) != tagger.Part:
			return true
		}
	}
	return false
}

// agreeing tags as a verb the first noun that agrees with the noun before it.
func (m tokens) agreeing(from, to int) {
	for i := from + 1; i < to; i++ {
		named := m.nominal(i-1) || m.tag(i-1) == tagger.Adjective && m.kinds(i-1)&tagger.NounForm != 0 && i-2 >= from &&
			(m.tag(i-2) == tagger.Determiner || possessives[m.text(i-2)])
		if !m.nominal(i) || !named {
			continue
		}
		k, plural := m.kinds(i), m.kinds(i-1)&tagger.PluralForm != 0
		base := plural && k&tagger.VerbForm != 0 && k&tagger.PluralForm == 0
		third := !plural && k&tagger.ThirdForm != 0 && i+1 < to && m.tag(i+1) != tagger.Preposition
		if base || third {
			m[i].Tag = tagger.Verb
			m.name(i - 1)
			return
		}
	}
}

// begins reports whether a token starts a sentence.
func (m tokens) begins(i int) bool { return i == 0 || m.tag(i-1) == tagger.And || m.text(i-1) == "" }

// takesObject reports whether the words after a token can only be an object.
func (m tokens) takesObject(i int) bool {
	next := m.text(i + 1)
	return m.tag(i+1) == tagger.Determiner || possessives[next] || next == "me" || next == "it" || next == "them" ||
		next == "him"
}

// to returns the tag of "to", which is Part before a verb.
func (m tokens) to(i int) tagger.Tag {
	next := m.kinds(i + 1)
	switch {
	case next&tagger.IngForm != 0 && next&tagger.VerbForm == 0:
	case m.tag(i+1) == tagger.Verb || m.tag(i+1) == tagger.Aux:
		return tagger.Part
	case next&tagger.VerbForm != 0 && next&tagger.PluralForm == 0 && m.tag(i+1) == tagger.Noun && !m.nominal(i+2) &&
		!m.nominal(i-1) && verbsBefore[m.text(i-1)]:
		return tagger.Part
	}
	return tagger.Preposition
}

// verbOfQuestion finds the verb among words tagged as nouns: "does the plan cost", "does your bank offer loans".
func (m tokens) verbOfQuestion(i int) {
	first := i + 1
	for m.tag(first) == tagger.Determiner || possessives[m.text(first)] {
		first++
	}
	verb, end := none, first
	for ; m.nominal(end) || m.tag(end) == tagger.Adjective; end++ {
		if k := m.kinds(end); end > first && k&tagger.VerbForm != 0 && k&tagger.PluralForm == 0 {
			verb = end
		}
	}
	if next := m.tag(end); (first > i+1 || m.kinds(first)&tagger.PluralForm != 0) && verb >= 0 && next != tagger.Verb &&
		next != tagger.Aux && next != tagger.Adverb {
		m[verb].Tag = tagger.Verb
		m.name(verb - 1)
	}
}

// name tags as a noun an adjective that may be one.
func (m tokens) name(i int) {
	if m.tag(i) == tagger.Adjective && m.kinds(i)&tagger.NounForm != 0 {
		m[i].Tag = tagger.Noun
	}
}

// apostrophe returns the tag of 's: a form of be or a possessive.
func (m tokens) apostrophe(i int) tagger.Tag {
	if !m.nominal(i - 1) {
		return tagger.Aux
	}
	switch m.tag(i + 1) {
	case tagger.Noun, tagger.Name, tagger.Adjective, tagger.Number:
		return tagger.Part
	case tagger.Verb:
		if m.kinds(i+1)&tagger.IngForm == 0 {
			return tagger.Part
		}
	}
	return tagger.Aux
}
