package align

// step is how the best way came to a cell.
type step byte

const (
	skip   step = iota // the given token was not heard
	insert             // the heard token is not in the text
	take               // the heard token stands for the given one
)

// row is one given token of a form: cell j is the best way to have it done with j heard tokens used.
type row struct {
	text  string
	steps []step
}

// form is one way of saying a slot: a row for each of its tokens.
type form struct {
	rows   []row
	scores []int32 // of its last row
}

// table is the search over one stretch.
type table struct {
	heard  []token
	known  map[string][]int32 // scores of a given token against all heard ones
	forms  [][]form
	chosen [][]uint8 // for each slot and cell, the form that is best
}

// search finds the best way through a stretch and writes it to the path.
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

// slot adds a slot's forms and returns the best score of each cell.
func (t *table) slot(s Reading, above []int32) []int32 {
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

// trace walks the best way back from the end.
func (m *matcher) trace(t *table, from pair) {
	j := len(t.heard)
	for i := len(t.forms) - 1; i >= 0; i-- {
		f := t.forms[i][t.chosen[i][j]]
		way := make([]said, len(f.rows))
		for k := len(f.rows) - 1; k >= 0; {
			switch r := f.rows[k]; r.steps[j] {
			case insert:
				j--
			case take:
				j--
				_, same := fit(r.text, t.heard[j])
				way[k] = said{r.text, from.heard + j, same}
				k--
			default:
				way[k] = said{r.text, None, false}
				k--
			}
		}
		m.path[from.slot+i] = way
	}
}
