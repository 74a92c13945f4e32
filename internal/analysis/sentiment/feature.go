package sentiment

import (
	"math"
	"slices"
	"strings"
)

// reading is a text parsed twice: with phrases, and word by word.
type reading struct {
	phrases, words []item
	marks          float64
	typed          bool
}

func (m *Model) read(text string) reading {
	written, folded := tokensOf(text)
	return reading{m.items(written, folded, false), m.items(written, folded, true), exclaimed(folded),
		typed(text, written)}
}

// neutralised reports whether a phrase is neutral although its words may not be.
func (r reading) neutralised() bool {
	return slices.ContainsFunc(r.phrases, func(it item) bool {
		return it.phrase && it.value == 0 && strings.Contains(it.folded, " ")
	})
}

// features returns the feature vector of a text; it is 0 where nothing carries sentiment. All features but the last two
// change sign with the sentiment; those two count negated and hypothetical statements.
//
// The text is read twice, with phrases and word by word, with each of several lexicons, and the values of the words are
// summarised in several ways. These features are correlated; the weights of the model combine them.
func (m *Model) features(r reading) []float64 {
	list := make([]float64, 0, features)
	for _, items := range [][]item{r.phrases, r.words} {
		values, entries := make([]float64, len(items)), m.entries(items)
		for _, read := range readings {
			for i := range items {
				values[i] = items[i].says(read(entries[i]))
			}
			list = append(list, summaries(values, r.marks)...)
		}
	}
	said := make([]float64, len(r.phrases))
	refused, thought := 0., 0.
	for i, it := range r.phrases {
		said[i] = it.says(it.value)
		if !it.phrase && refuses(it.folded) {
			refused++
		}
		if !it.phrase && unreal[it.folded] {
			thought++
		}
	}
	return append(append(list, summaries(said, r.marks)...), refused, thought)
}

// Indices of features.
const (
	summed     = 7          // number of summaries per reading
	plainRules = 6 * summed // the score of the rules, word by word
	features   = 13*summed + 2
)

// entries returns the lexicon entry of each item.
func (m *Model) entries(items []item) []entry {
	list := make([]entry, len(items))
	for i, it := range items {
		switch {
		case it.phrase:
			list[i] = of(it.value)
		case it.folded != "no": // "no" may be a plain answer; as a negation it acts on other items
			list[i] = m.lexicon.entries[it.folded]
		}
	}
	return list
}

const (
	spread  = 15.
	mark    = .292 // weight of an exclamation mark; at most four count
	marks   = .18  // weight of question marks, if there are several
	loudest = .96
)

// exclaimed returns the contribution of the punctuation of a text.
func exclaimed(folded []string) float64 {
	calls, questions := 0, 0
	for _, w := range folded {
		switch w {
		case "!":
			calls++
		case "?":
			questions++
		}
	}
	more := mark * float64(min(calls, 4))
	if questions > 1 {
		more += min(marks*float64(questions), loudest)
	}
	return more
}

// summaries returns summaries of the values of the words of a text: squashed sum, relative to the length, relative to
// all values, difference of the roots of positive and negative sums, extremes, end, beginning.
func summaries(values []float64, marks float64) []float64 {
	total, all, good, bad, high, low := 0., 0., 0., 0., 0., 0.
	for _, v := range values {
		total, all = total+v, all+math.Abs(v)
		good, bad = good+max(v, 0), bad-min(v, 0)
		high, low = max(high, v), min(low, v)
	}
	n := len(values)
	end, beginning := sum(values[max(0, n-6):]), sum(values[:min(6, n)])
	if total != 0 {
		marks *= math.Copysign(1, total)
		total, all, end = total+marks, all+math.Abs(marks), end+marks
		good, bad = good+max(marks, 0), bad-min(marks, 0)
		high, low = max(high, marks), min(low, marks)
	}
	return []float64{
		squash(total), total / math.Sqrt(float64(n+1)), total / (all + 3), math.Sqrt(good) - math.Sqrt(bad),
		high + low, end, beginning,
	}
}

// squash maps a sum of valences to -1..1, as the rules do.
func squash(sum float64) float64 { return sum / math.Sqrt(sum*sum+spread) }

func sum(values []float64) float64 {
	s := 0.0
	for _, v := range values {
		s += v
	}
	return s
}
