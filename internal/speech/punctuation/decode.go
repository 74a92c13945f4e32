package punctuation

import "math"

// longest is the maximum number of words in a sentence.
const longest = 40

// scores are the log probabilities of the marks after a word.
type scores [marks]float64

// improbable is the cost of a mark that is allowed only if nothing else is possible.
const improbable = 1000

// restrict makes marks improbable after token i. If a mark is given, these are all others; otherwise any mark inside
// a number spoken digit by digit, and all but sentence ends at the end of the text.
func (d *decoder) restrict(i int) {
	last := i == len(d.given)-1
	for m := range Mark(marks) {
		var excluded bool
		switch given := d.given[i]; {
		case given != None:
			excluded = m != given
		case last:
			excluded = !m.ends()
		default:
			excluded = d.text.joined[i] && m != None
		}
		if excluded {
			d.step[m] -= improbable
		}
	}
}

// pick returns the more probable of two marks.
func (s *scores) pick(a, b Mark) Mark {
	if s[b] > s[a] {
		return b
	}
	return a
}

// Marks returns the most probable marks after the tokens of one speaker. The result is exact over all segmentations
// into sentences, because the mark of a word depends on the start of its sentence (a semi-Markov model, Sarawagi &
// Cohen 2004). given holds marks that must stay, and None elsewhere; nil means no marks. The last token ends a
// sentence. The running time is longest steps per token.
func (m *Model) Marks(tokens []Token, given []Mark) []Mark {
	if given == nil {
		given = make([]Mark, len(tokens))
	}
	d := &decoder{model: m, text: newSentence(tokens), given: given}
	d.around = make([]points, len(tokens))
	for i := range tokens {
		d.features = d.text.around(i, d.features[:0])
		d.around[i] = m.bias
		m.sum(d.features, &d.around[i])
	}
	chosen := d.trace(d.cut())
	for i, g := range given {
		if g != None {
			chosen[i] = g
		}
	}
	return chosen
}

type decoder struct {
	model    *Model
	text     *sentence
	given    []Mark
	around   []points
	step     scores // of the current token, for a given start of its sentence
	features []uint32
}

// cut returns, for each sentence end (the index after it), the start of the best sentence that ends there.
func (d *decoder) cut() []int {
	n := len(d.around)
	best, from := make([]float64, n+1), make([]int, n+1)
	for i := range best[1:] {
		best[i+1] = math.Inf(-1)
	}
	for first := range n {
		total := best[first]
		d.walk(first, min(n, first+longest), func(i int, s *scores) {
			if closed := total + s[s.pick(Period, Question)]; closed > best[i+1] {
				best[i+1], from[i+1] = closed, first
			}
			total += s[s.pick(None, Comma)]
		})
	}
	return from
}

// walk calls visit for the tokens of a sentence that starts at first.
func (d *decoder) walk(first, end int, visit func(i int, s *scores)) {
	var head points
	d.features = d.text.from(first, d.features[:0])
	d.model.sum(d.features, &head)
	for i := first; i < end; i++ {
		p := head
		for m, v := range d.around[i] {
			p[m] += v
		}
		d.features = d.text.within(first, i, d.features[:0])
		d.model.sum(d.features, &p)
		d.step = d.model.normalize(&p)
		d.restrict(i)
		visit(i, &d.step)
	}
}

// trace returns the marks of the best segmentation.
func (d *decoder) trace(from []int) []Mark {
	chosen := make([]Mark, len(d.around))
	for end := len(chosen); end > 0; end = from[end] {
		d.walk(from[end], end, func(i int, s *scores) {
			if i == end-1 {
				chosen[i] = s.pick(Period, Question)
			} else {
				chosen[i] = s.pick(None, Comma)
			}
		})
	}
	return chosen
}
