package knowledge

import (
	"strings"
	"time"
	"unicode"

	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// term describes a folded word, independent of its context.
type term struct {
	form            string
	lemma           string  // the key under which its occurrences are counted
	noun, verb, adj float64 // shares of its uses; their sum is 1, or 0 if the use is unknown
	weight          float64 // information content, 0..1
	kind            kind
	proper, known   bool
	topics          []Membership
}

// kind restricts the use of a word in keywords.
type kind uint8

const (
	content kind = iota
	weak         // not a keyword alone
	barred       // not part of a keyword
)

// token is a word of a turn.
type token struct {
	*term
	from, to int  // indices into the words of the transcript, to included
	gap      bool // something separates it from the previous token
	head     bool // the last word of a phrase of the lexicon
}

// Words of a rarity below plainRarity have weight 0, words above fullRarity weight 1; see Entry.Rarity.
const (
	plainRarity = 128 // 10^-3.2
	fullRarity  = 212 // 10^-5.3
	strangeness = .75 // weight of words that are not in the lexicon
)

// reader converts the words of one transcript to tokens.
type reader struct {
	lexicon *Lexicon
	noise   noise
	terms   map[string]*term
	scratch []string
}

// maxGap is the longest pause inside a phrase.
const maxGap = 900 * time.Millisecond

// tokens returns the words of a turn. Punctuation, pauses, redacted words and words in brackets leave gaps.
func (r *reader) tokens(t *transcript.Transcript, turn []int, into []token) []token {
	into = into[:0]
	gap, last := true, time.Duration(0)
	for _, i := range turn {
		w := &t.Words[i]
		if w.Kind == transcript.Punctuation || w.Hidden() {
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

// spelled joins letters that are said one by one: two or three are an acronym; more spell a name or a code and are
// dropped.
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

// likelier reports whether an acronym is more frequent without the letter in front of it, which is then a separate
// word: a t v.
func (r *reader) likelier(acronym, front string) bool {
	short, long := r.lexicon.lemmas.find(acronym), r.lexicon.lemmas.find(front+acronym)
	return short >= 0 && (long < 0 || r.lexicon.facts[short].rarity < r.lexicon.facts[long].rarity)
}

func letter(form string) bool { return len(form) == 1 && form[0] >= 'a' && form[0] <= 'z' }

// term returns the term of a folded word.
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

// look searches the lexicon for a word.
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
	} else { // WordNet lacks it: usually a name
		t.noun = 1
	}
	f := r.lexicon.facts[r.lexicon.lemmas.find(t.lemma)]
	t.known, t.proper = true, f.proper || sum == 0
	t.weight = min(1, max(.05, (float64(f.rarity)-plainRarity)/(fullRarity-plainRarity)))
	t.topics = r.lexicon.members[f.topics:f.topicsTo]
}
