package align

import "parley/internal/speech/formatting"

// step is the last step of the best path to a cell.
type step byte

const (
	skip   step = iota // the given token was not heard
	insert             // the heard token is not in the text
	take               // the heard token matches the given one
)

// row holds the scores of one given token of a form. Cell j is the best path that ends with this token and uses j
// heard tokens.
type row struct {
	text  string
	steps []step
}

// form is one spoken form of a slot: a row per token.
type form struct {
	rows   []row
	scores []int32 // of the last row
}

// table holds the search of one stretch.
type table struct {
	heard  []token
	known  map[string][]int32 // by given token, its scores against all heard tokens
	forms  [][]form
	chosen [][]uint8 // by slot and cell, the index of the best form
}

// search finds the best path through a stretch and writes it to m.
func (m *matcher) search(from, to pair) {
	t := &table{heard: m.heard[from.heard:to.heard], known: map[string][]int32{}}
	above := make([]int32, len(t.heard)+1)
	for j := range above {
		above[j] = int32(j * skipHeard)
	}
	for _, s := range m.slots[from.slot:to.slot] {
		above = t.slot(s, above)
	}
	m.trace(t, from)
}

// slot adds the forms of a slot and returns the best score of each cell.
func (t *table) slot(s formatting.Reading, above []int32) []int32 {
	var forms []form
	best := make([]int32, len(above))
	chosen := make([]uint8, len(above))
	for n, words := range s.Forms[:min(len(s.Forms), 255)] {
		f := t.form(words, above)
		forms = append(forms, f)
		for j, score := range f.scores {
			if n == 0 || score > best[j] {
				best[j], chosen[j] = score, uint8(n)
			}
		}
	}
	t.forms, t.chosen = append(t.forms, forms), append(t.chosen, chosen)
	return best
}

func (t *table) form(words []string, above []int32) form {
	f := form{scores: above}
	for _, w := range words {
		w = fold(w)
		fits := t.fits(w)
		scores, steps := make([]int32, len(above)), make([]step, len(above))
		for j := range scores {
			scores[j], steps[j] = f.scores[j]+skipGiven, skip
			if j == 0 {
				continue
			}
			if s := f.scores[j-1] + fits[j-1]; s >= scores[j] {
				scores[j], steps[j] = s, take
			}
			if s := scores[j-1] + skipHeard; s > scores[j] {
				scores[j], steps[j] = s, insert
			}
		}
		f.rows = append(f.rows, row{w, steps})
		f.scores = scores
	}
	return f
}

func (t *table) fits(word string) []int32 {
	if known := t.known[word]; known != nil {
		return known
	}
	scores := make([]int32, len(t.heard))
	for j, h := range t.heard {
		s, _ := fit(word, h)
		scores[j] = int32(s)
	}
	t.known[word] = scores
	return scores
}

// trace follows the best path backwards from the end.
func (m *matcher) trace(t *table, from pair) {
	j := len(t.heard)
	for i := len(t.forms) - 1; i >= 0; i-- {
		f := t.forms[i][t.chosen[i][j]]
		way := make([]choice, len(f.rows))
		for k := len(f.rows) - 1; k >= 0; {
			switch r := f.rows[k]; r.steps[j] {
			case insert:
				j--
			case take:
				j--
				_, same := fit(r.text, t.heard[j])
				way[k] = choice{r.text, from.heard + j, same}
				k--
			default:
				way[k] = choice{r.text, None, false}
				k--
			}
		}
		m.path[from.slot+i] = way
	}
}
