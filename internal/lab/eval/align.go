package eval

import "slices"

// Pair is one step of an alignment: indices into both sequences, −1 for an insertion or deletion.
type Pair struct{ Reference, Heard int }

// Align returns a minimum-cost alignment of two sequences (Levenshtein 1966: substitution, insertion and deletion cost
// one each), in order. It needs len(reference)·len(heard) bytes.
func Align(reference, heard []Token) []Pair {
	steps := fill(reference, heard)
	var pairs []Pair
	for i, j := len(reference), len(heard); i > 0 || j > 0; {
		switch steps[i][j] {
		case diagonal:
			i, j = i-1, j-1
			pairs = append(pairs, Pair{i, j})
		case deletion:
			i--
			pairs = append(pairs, Pair{i, -1})
		default:
			j--
			pairs = append(pairs, Pair{-1, j})
		}
	}
	slices.Reverse(pairs)
	return pairs
}

const (
	insertion byte = iota
	deletion
	diagonal
)

// fill returns the last step of the cheapest path to each cell.
func fill(reference, heard []Token) [][]byte {
	steps := make([][]byte, len(reference)+1)
	before, row := make([]int, len(heard)+1), make([]int, len(heard)+1)
	for i := range steps {
		steps[i] = make([]byte, len(heard)+1)
		for j := range row {
			row[j], steps[i][j] = cheapest(reference, heard, i, j, before, row)
		}
		before, row = row, before
	}
	return steps
}

func cheapest(reference, heard []Token, i, j int, before, row []int) (int, byte) {
	switch {
	case i == 0:
		return j, insertion
	case j == 0:
		return i, deletion
	}
	cost, step := before[j-1], diagonal
	if reference[i-1].Text != heard[j-1].Text {
		cost++
	}
	if c := before[j] + 1; c < cost {
		cost, step = c, deletion
	}
	if c := row[j-1] + 1; c < cost {
		cost, step = c, insertion
	}
	return cost, step
}
