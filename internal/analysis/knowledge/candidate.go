package knowledge

import (
	"slices"
	"strings"

	"parley/internal/words/transcript"
)

// longest is the maximum number of words of a phrase.
const longest = 4

// candidate is a possible keyword: a word or phrase with all its inflected forms.
type candidate struct {
	key      string // lemmas, separated by spaces
	terms    []*term
	class    class
	fixed    bool // a phrase of the lexicon
	whole    bool // at least once it was a whole run of nouns and adjectives
	proper   bool
	topics   []Membership
	places   []place
	nested   int // number of places inside a longer candidate
	inFixed  int // number of places inside a phrase of the lexicon
	score    float64
	rejected bool
}

// place is one occurrence of a candidate.
type place struct {
	speaker  int
	from, to int  // indices into the words of the transcript, to included
	opens    bool // it starts its sentence, so that its capital is no evidence
	form     string
}

// collection holds the candidates of a transcript.
type collection struct {
	transcript *transcript.Transcript
	lexicon    *Lexicon
	byKey      map[string]*candidate
	ordered    []*candidate // in order of first occurrence, then by score
	words      int
}

func collect(t *transcript.Transcript, r *reader) *collection {
	c := &collection{transcript: t, lexicon: r.lexicon, byKey: map[string]*candidate{}}
	var tokens []token
	for _, turn := range t.Turns() {
		tokens = r.tokens(t, turn.Words, tokens)
		c.words += len(tokens)
		s := stretch{c, turn.Speaker, tokens}
		s.fixed()
		s.runs()
	}
	return c
}

// stretch is the tokens of one turn.
type stretch struct {
	*collection
	speaker int
	tokens  []token
}

// runs collects the candidates: runs of nouns and adjectives, and single verbs.
func (s *stretch) runs() {
	for i := 0; i < len(s.tokens); {
		if s.tokens[i].kind == barred {
			i++
			continue
		}
		end := i
		for end < len(s.tokens) && s.tokens[end].kind != barred && (end == i || !s.tokens[end].gap) {
			if classOf(s.tokens, end) == verb {
				break
			}
			end++
		}
		if end == i { // a verb
			s.single(i, verb)
			i++
			continue
		}
		s.run(i, end)
		i = end
	}
}

// run collects the candidates in tokens[from:to], a run of nouns and adjectives.
func (s *stretch) run(from, to int) {
	last := to
	for last > from && classOf(s.tokens, last-1) != noun {
		last--
		s.single(last, adjective)
	}
	for end := last; end > from; end-- {
		if classOf(s.tokens, end-1) != noun {
			s.single(end-1, adjective)
			continue
		}
		s.single(end-1, noun)
		for start := end - 2; start >= max(from, end-longest); start-- {
			s.phrase(start, end, start == from && end == last)
		}
	}
}

// single adds a single word.
func (s *stretch) single(i int, as class) {
	t := s.tokens[i]
	if t.kind != content {
		return
	}
	found := s.note(t.lemma, s.tokens[i:i+1])
	if found.class == other || as == noun {
		found.class = as
	}
	found.proper = t.proper
	found.topics = t.topics
}

// phrase adds tokens[from:to], a whole run or a part of one.
func (s *stretch) phrase(from, to int, whole bool) {
	words := s.tokens[from:to]
	named := words[0].kind == weak && words[len(words)-1].proper // first name anthony
	if named || !slices.ContainsFunc(words, func(t token) bool { return t.kind == content }) {
		return
	}
	found := s.note(joined(words, token.lemmaText), words)
	found.class, found.whole = noun, found.whole || whole
	found.proper = !slices.ContainsFunc(words, func(t token) bool { return !t.proper })
}

// joined joins a text of each word with spaces.
func joined(words []token, text func(token) string) string {
	texts := make([]string, len(words))
	for i, t := range words {
		texts[i] = text(t)
	}
	return strings.Join(texts, " ")
}

func (t token) formText() string  { return t.form }
func (t token) lemmaText() string { return t.lemma }

// fixed adds the phrases of the lexicon, including those with words that cannot be in other keywords: president of the
// united states.
func (s *stretch) fixed() {
	for i := 0; i < len(s.tokens); i++ {
		if s.tokens[i].kind == barred {
			continue
		}
		for n := min(longest, len(s.tokens)-i); n >= 2; n-- {
			if s.fixedAt(s.tokens[i : i+n]) {
				break
			}
		}
	}
}

func (s *stretch) fixedAt(words []token) bool {
	last := words[len(words)-1]
	if last.kind == barred || !slices.ContainsFunc(words, func(t token) bool { return t.kind == content }) ||
		slices.ContainsFunc(words[1:], func(t token) bool { return t.gap }) {
		return false
	}
	head := joined(words[:len(words)-1], token.formText) + " "
	at := s.lexicon.lemmas.find(head + last.form)
	if at < 0 && last.lemma != last.form {
		at = s.lexicon.lemmas.find(head + last.lemma)
	}
	if at < 0 || !s.lexicon.facts[at].compound {
		return false
	}
	words[len(words)-1].head = true
	s.settle(s.note(joined(words, token.lemmaText), words), at)
	return true
}

// settle marks a candidate as a phrase of the lexicon.
func (s *stretch) settle(c *candidate, at int) {
	f := s.lexicon.facts[at]
	c.fixed, c.class, c.proper = true, noun, f.proper
	c.topics = s.lexicon.members[f.topics:f.topicsTo]
}

// note adds a place to the candidate with this key, unless the candidate already has it.
func (s *stretch) note(key string, words []token) *candidate {
	c := s.byKey[key]
	if c == nil {
		c = &candidate{key: key}
		for _, t := range words {
			c.terms = append(c.terms, t.term)
		}
		s.byKey[key] = c
		s.ordered = append(s.ordered, c)
	}
	from, to := words[0].from, words[len(words)-1].to
	if slices.ContainsFunc(c.places, func(p place) bool { return p.from == from && p.to == to }) {
		return c
	}
	c.places = append(c.places, place{s.speaker, from, to, words[0].gap, joined(words, token.formText)})
	return c
}
