package align

// said is one token of the way that was chosen for a slot.
type said struct {
	text  string
	heard int  // index of the heard token that stands for it, or None
	same  bool // whether they are the same word, nearly
}

// most is the size of a table that is searched whole: beyond it the stretch is cut at weaker anchors.
const most = 4 << 20

// match chooses, for each slot, the way it is said and what was heard of it.
func match(slots []Reading, heard []token) [][]said {
	m := &matcher{slots: slots, heard: heard, path: make([][]said, len(slots))}
	m.stretch(pair{0, 0}, pair{len(slots), len(heard)}, anchorLength)
	return m.path
}

type matcher struct {
	slots []Reading
	heard []token
	path  [][]said
}

// stretch matches the slots and tokens between two places.
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
			continue // overlaps the anchor before
		}
		m.stretch(at, a, length-1)
		for i := range length {
			m.path[a.slot+i] = []said{{m.heard[a.heard+i].text, a.heard + i, true}}
		}
		at = pair{a.slot + length, a.heard + length}
	}
	m.stretch(at, to, length-1)
}

// rows counts the tokens of all forms.
func (m *matcher) rows(from, to int) int {
	n := 0
	for _, s := range m.slots[from:to] {
		for _, f := range s.Forms {
			n += len(f)
		}
	}
	return n
}

// Scores of the search. A longer word that fits says more; what the recogniser is unsure of says less.
const (
	skipGiven = -10 // a given token that was not heard
	skipHeard = -8  // a heard token that is not in the text
	differs   = -5  // another word heard in its place
	fits      = 20
	perLetter = 5
	letters   = 6 // that count
)

// fit is the score of a heard token for a given one, and whether they are nearly the same word.
func fit(given string, t token) (score int, same bool) {
	likeness := alike(given, t.text)
	if likeness < nearly {
		return differs, false
	}
	weight := (0.4 + 0.6*min(max(t.confidence, 0), 1)) * likeness * likeness
	return int(weight * float64(fits+perLetter*min(len(given), letters))), true
}

// nearly is the likeness from which two words count as the same.
const nearly = 0.6

// alike is 1 for the same words, else 1 less the share of letters that differ (Levenshtein 1966).
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
