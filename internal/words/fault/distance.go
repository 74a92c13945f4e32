package fault

// maxCompared is the length limit in characters of names that are compared; longer names match nothing.
const maxCompared = 100

// Distance returns the number of insertions, deletions, substitutions and transpositions of neighbours that turn one
// name into the other (optimal string alignment). It is meant for suggestions in messages.
func Distance(name, other string) int {
	a, b := []rune(name), []rune(other)
	if len(a) > maxCompared || len(b) > maxCompared {
		return 1 << 20
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		before, last, row = last, row, before
		row[0] = i + 1
		for j := range b {
			d := last[j]
			if a[i] != b[j] {
				d++
			}
			d = min(d, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, before[j-1]+1)
			}
			row[j+1] = d
		}
	}
	return row[len(b)]
}
