package align

import "parley/internal/speech/formatting"

// choice is one token of the form chosen for a slot.
type choice struct {
	text  string
	heard int  // index of the matching heard token, or None
	same  bool // whether the two are the same word, approximately
}

// most is the maximum number of cells of a table that is searched at once. Larger stretches are split at weaker
// anchors.
const most = 4 << 20

// match chooses the spoken form of each slot and assigns heard tokens to it.
func match(slots []formatting.Reading, heard []token) [][]choice {
	m := &matcher{slots: slots, heard: heard, path: make([][]choice, len(slots))}
	m.stretch(pair{0, 0}, pair{len(slots), len(heard)}, anchorLength)
	return m.path
}

type matcher struct {
	slots []formatting.Reading
	heard []token
	path  [][]choice
}

// stretch matches the slots and tokens between two positions.
func (m *matcher) stretch(from, to pair, length int) {
	slots, tokens := to.slot-from.slot, to.heard-from.heard
	if slots == 0 {
		return
	}
	small := (m.rows(from.slot, to.slot)+1)*(tokens+1) <= most
	if small && length < anchorLength || small && slots < 64 {
		m.search(from, to)
		return
	}
	if length == 0 {
		middle := pair{from.slot + slots/2, from.heard + tokens/2}
		if slots == 1 {
			middle = pair{to.slot, from.heard + most/(m.rows(from.slot, to.slot)+1) - 1}
		}
		m.stretch(from, middle, 0)
		m.stretch(middle, to, 0)
		return
	}
	at := from
	for _, a := range anchors(m.slots, m.heard, from, to, length) {
		if a.slot < at.slot || a.heard < at.heard {
			continue // overlaps the previous anchor
		}
		m.stretch(at, a, length-1)
		for i := range length {
			m.path[a.slot+i] = []choice{{m.heard[a.heard+i].text, a.heard + i, true}}
		}
		at = pair{a.slot + length, a.heard + length}
	}
	m.stretch(at, to, length-1)
}

// rows counts the tokens of all forms of the slots.
func (m *matcher) rows(from, to int) int {
	n := 0
	for _, s := range m.slots[from:to] {
		for _, f := range s.Forms {
			n += len(f)
		}
	}
	return n
}

// Scores of the search. Longer matching words score more, words of low confidence less.
const (
	skipGiven = -10 // a given token that was not heard
	skipHeard = -8  // a heard token that is not in the text
	differs   = -5  // a different word was heard in its place
	fits      = 20
	perLetter = 5
	letters   = 6 // number of letters that raise the score
)

// fit returns the score of a heard token for a given one, and whether they are approximately the same word.
func fit(given string, t token) (score int, same bool) {
	likeness := alike(given, t.text)
	if likeness < nearly {
		return differs, false
	}
	weight := (0.4 + 0.6*min(max(t.confidence, 0), 1)) * likeness * likeness
	return int(weight * float64(fits+perLetter*min(len(given), letters))), true
}

// nearly is the similarity at and above which two words count as the same.
const nearly = 0.6

// alike returns the similarity of two words: 1 minus the Levenshtein distance (1966) relative to their length.
func alike(a, b string) float64 {
	if a == b {
		return 1
	}
	longer := max(len(a), len(b))
	if shorter := min(len(a), len(b)); float64(shorter) < nearly*float64(longer) || longer > 64 {
		return 0
	}
	var row [65]int
	for j := range len(b) + 1 {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = min(diagonal, row[j], row[j+1]) + 1
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return 1 - float64(row[len(b)])/float64(longer)
}
