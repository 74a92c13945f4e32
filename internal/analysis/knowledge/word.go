package knowledge

import (
	"strings"
	"time"
	"unicode"

	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// term is what is known of a folded word, wherever it stands.
type term struct {
	form            string
	lemma           string  // what its occurrences are counted under
	noun, verb, adj float64 // shares of its uses, the sum 1, of no use 0
	weight          float64 // how much it says, 0..1
	kind            kind
	proper, known   bool
	topics          []Membership
}

// kind says what may become of a word.
type kind uint8

const (
	content kind = iota
	weak         // no keyword alone
	barred       // no part of a keyword either
)

// token is a word of a turn.
type token struct {
	*term
	from, to int  // words of the transcript, to included
	gap      bool // something lies between it and the token before
	head     bool // the last word of a phrase of the lexicon
}

// Words of less rarity say nothing, those of more say all; see Entry.Rarity.
const (
	plainRarity = 128 // 10^-3.2
	fullRarity  = 212 // 10^-5.3
	strangeness = .75 // weight of words that the lexicon lacks
)

// reader makes tokens of the words of one transcript.
type reader struct {
	lexicon *Lexicon
	noise   noise
	terms   map[string]*term
	scratch []string
}

// maxGap is the pause within a phrase; a longer one ends it.
const maxGap = 900 * time.Millisecond

// tokens returns the words of a turn. Marks, pauses, redacted words and words in brackets leave gaps.
func (r *reader) tokens(t *transcript.Transcript, turn []int, into []token) []token {
	into = into[:0]
	gap, last := true, time.Duration(0)
	for _, i := range turn {
		w := &t.Words[i]
		if w.Kind != transcript.Spoken || strings.HasPrefix(w.Text, "[") && strings.HasSuffix(w.Text, "]") {
			gap = true
			continue
		}
		gap = gap || w.Start-last > maxGap
		last = w.End
		r.scratch = phrase.Append(r.scratch[:0], w.Text)
		for _, form := range r.scratch {
			into = append(into, token{r.term(form), i, i, gap, false})
			gap = false
		}
		gap = gap || len(r.scratch) == 0
	}
	return r.spelled(into)
}

// spelled joins letters said one by one: two or three are an acronym, more are somebody's name or code and no words.
func (r *reader) spelled(tokens []token) []token {
	kept := tokens[:0]
	for i := 0; i < len(tokens); {
		n := i
		for n < len(tokens) && letter(tokens[n].form) && (n == i || !tokens[n].gap) {
			n++
		}
		if n-i == 3 && (tokens[i].form == "a" || tokens[i].form == "i") &&
			r.likelier(tokens[i+1].form+tokens[i+2].form, tokens[i].form) {
			kept = append(kept, tokens[i])
			i++
		}
		switch letters := n - i; {
		case letters < 2:
			kept = append(kept, tokens[i])
			n = i + 1
		case letters > 3:
			kept = append(kept, token{&term{kind: barred}, tokens[i].from, tokens[n-1].to, true, false})
		default:
			var form strings.Builder
			for _, t := range tokens[i:n] {
				form.WriteString(t.form)
			}
			kept = append(kept, token{r.term(form.String()), tokens[i].from, tokens[n-1].to, tokens[i].gap, false})
		}
		i = n
	}
	return kept
}

// likelier reports whether an acronym is more usual than with a letter in front, which is a word of its own then: a t
// v.
func (r *reader) likelier(acronym, front string) bool {
	short, long := r.lexicon.lemmas.find(acronym), r.lexicon.lemmas.find(front+acronym)
	return short >= 0 && (long < 0 || r.lexicon.facts[short].rarity < r.lexicon.facts[long].rarity)
}

func letter(form string) bool { return len(form) == 1 && form[0] >= 'a' && form[0] <= 'z' }

// term returns what is known of a folded word.
func (r *reader) term(form string) *term {
	if t := r.terms[form]; t != nil {
		return t
	}
	t := &term{form: form, lemma: form}
	r.terms[form] = t
	bare := strings.TrimSuffix(form, "'s")
	if len(bare) < 2 || r.noise.never[form] || r.noise.never[bare] || strings.ContainsFunc(bare, unicode.IsDigit) {
		t.kind = barred
		return t
	}
	r.look(t, bare)
	if r.noise.alone[form] || r.noise.alone[t.lemma] {
		t.kind = weak
	}
	return t
}

// look finds a word in the lexicon.
func (r *reader) look(t *term, bare string) {
	readings := r.lexicon.readings(bare)
	sum, best := 0., -1.
	for _, is := range readings {
		t.noun, t.verb, t.adj = t.noun+is.noun, t.verb+is.verb, t.adj+is.adj
		sum += is.noun + is.verb + is.adj
		if use := is.noun + is.verb + is.adj; use > best {
			best, t.lemma = use, is.lemma
		}
	}
	if len(readings) == 0 {
		t.lemma, t.noun, t.weight = bare, 1, strangeness
		return
	}
	if sum > 0 {
		t.noun, t.verb, t.adj = t.noun/sum, t.verb/sum, t.adj/sum
	} else { // WordNet lacks it: most often a name
		t.noun = 1
	}
	f := r.lexicon.facts[r.lexicon.lemmas.find(t.lemma)]
	t.known, t.proper = true, f.proper || sum == 0
	t.weight = min(1, max(.05, (float64(f.rarity)-plainRarity)/(fullRarity-plainRarity)))
	t.topics = r.lexicon.members[f.topics:f.topicsTo]
}
