package tagger

import "strings"

// A feature of a word is a number computed from its template and its content. Its row of the table holds the weight of
// each tag. Different features may share a row; the table is large enough to make that rare.
const (
	rowBits = 16
	rowsAll = 1 << rowBits
)

// row holds the weights of the tags, padded to 16 bytes so that a row does not cross a cache line.
type row [16]int8

// sentence is the tokens with the cached inputs of their features.
type sentence struct {
	*Tagger
	tokens []Token
	inputs []wordInput
	scores [tags]int32
}

// wordInput is the cached feature input of a token.
type wordInput struct {
	word, suffix2, suffix3, prefix, kinds uint32
	can                                   Kinds
	fixed                                 Tag // of closed words
	certain                               bool
}

// outside stands for positions beyond the sentence.
const outside uint32 = 0x9e3779b9

func (g *Tagger) read(tokens []Token) *sentence {
	s := &sentence{Tagger: g, tokens: tokens, inputs: make([]wordInput, len(tokens))}
	for i, t := range tokens {
		s.inputs[i] = g.recall(t.Text)
		tokens[i].Kinds = s.inputs[i].can
	}
	return s
}

// recall is look with the cache, if the tagger has one.
func (g *Tagger) recall(text string) wordInput {
	if w, ok := g.memory[text]; ok {
		return w
	}
	w := g.look(text)
	if g.memory != nil {
		g.memory[text] = w
	}
	return w
}

// look computes the feature input of a word.
func (g *Tagger) look(text string) wordInput {
	if text == "" {
		return wordInput{word: outside, kinds: outside, certain: true, fixed: Other}
	}
	if strings.ContainsAny(text, "0123456789") {
		return wordInput{word: sum("0"), suffix3: sum(text[max(0, len(text)-2):]), kinds: outside, certain: true,
			fixed: Number}
	}
	n := len(text)
	w := wordInput{word: sum(text), suffix2: sum(text[max(0, n-2):]), suffix3: sum(text[max(0, n-3):]),
		prefix: sum(text[:min(n, 3)]), can: g.lexicon.Kinds(text)}
	w.kinds = uint32(w.can) + 1
	w.fixed, w.certain = closed[text]
	return w
}

func sum(text string) uint32 {
	h := uint32(2166136261)
	for i := range len(text) {
		h = (h ^ uint32(text[i])) * 16777619
	}
	return h
}

// around returns the feature input at position i, also outside the sentence.
func (s *sentence) around(i int) *wordInput {
	if i < 0 || i >= len(s.inputs) {
		return &wordInput{word: outside + 1, suffix2: outside, suffix3: outside, kinds: outside}
	}
	return &s.inputs[i]
}

func (s *sentence) tagAt(i int) uint32 {
	if i < 0 {
		return uint32(tags)
	}
	return uint32(s.tokens[i].Tag)
}

// templates is the number of features of a token.
const templates = 24

// features returns the rows of token i. The tokens before it must be tagged.
func (s *sentence) features(i int) [templates]uint32 {
	w, b1, b2, n1, n2 := &s.inputs[i], s.around(i-1), s.around(i-2), s.around(i+1), s.around(i+2)
	t1, t2 := s.tagAt(i-1), s.tagAt(i-2)
	list := [templates]uint32{
		0, w.word, b1.word, n1.word, b2.word, n2.word, t1, t2, t1<<8 | t2, mix(t1, w.word), w.suffix3, w.suffix2,
		w.prefix,
		w.kinds, mix(w.kinds, t1), mix(w.kinds, n1.kinds), n1.kinds, n1.suffix3, mix(b1.word, w.kinds),
		mix(w.word, n1.word), mix(b1.word, w.word),
		mix(w.kinds, n1.word), mix(mix(t1, w.kinds), n1.kinds), mix(mix(t1<<8|t2, w.kinds), 7),
	}
	for k := range list {
		list[k] = mix(list[k], uint32(k)*0x85ebca6b) >> (32 - rowBits)
	}
	return list
}

func mix(a, b uint32) uint32 {
	h := (a ^ b*0xcc9e2d51) * 0x1b873593
	h ^= h >> 15
	h *= 0x2c1b3c6d
	return h ^ h>>13
}

// tag returns the best tag of a token.
func (s *sentence) tag(i int) Tag {
	if s.inputs[i].certain {
		return s.inputs[i].fixed
	}
	s.scores = [tags]int32{}
	for _, f := range s.features(i) {
		r := &s.rows[f]
		for t := range s.scores {
			s.scores[t] += int32(r[t])
		}
	}
	return highest(&s.scores)
}

// highest returns the tag with the highest score, other than Other.
func highest[N int32 | float32](scores *[tags]N) Tag {
	best := Noun
	for t := Noun; t < tags; t++ {
		if scores[t] > scores[best] {
			best = t
		}
	}
	return best
}
