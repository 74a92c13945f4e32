package eval

import (
	"math"
	"time"
)

// assign maps rows to columns one to one so that the sum of the values is maximal (Hungarian method: Kuhn 1955, with
// the potentials of Jonker and Volgenant 1987). It returns each row's column, −1 for none.
func assign(values [][]time.Duration) []int {
	columns := 0
	for _, row := range values {
		columns = len(row)
	}
	size := max(len(values), columns)
	cost := func(i, j int) int64 {
		if i < len(values) && j < columns {
			return -int64(values[i][j])
		}
		return 0
	}
	rowOf := hungarian(size, cost)
	partner := make([]int, len(values))
	for i := range partner {
		partner[i] = -1
	}
	for j, i := range rowOf {
		if i < len(values) && j < columns && values[i][j] > 0 {
			partner[i] = j
		}
	}
	return partner
}

// hungarian returns the row of each column of a square matrix so that the sum of the costs is minimal, in O(size³)
// steps.
func hungarian(size int, cost func(i, j int) int64) []int {
	u, v := make([]int64, size+1), make([]int64, size+1) // potentials of rows and columns; index 0 is unused
	rowOf := make([]int, size+1)                         // counted from 1; 0 is unassigned
	for i := 1; i <= size; i++ {
		rowOf[0] = i
		last := 0
		least, before, used := make([]int64, size+1), make([]int, size+1), make([]bool, size+1)
		for j := range least {
			least[j] = math.MaxInt64
		}
		for rowOf[last] != 0 {
			used[last] = true
			row, delta, next := rowOf[last], int64(math.MaxInt64), 0
			for j := 1; j <= size; j++ {
				if used[j] {
					continue
				}
				if c := cost(row-1, j-1) - u[row] - v[j]; c < least[j] {
					least[j], before[j] = c, last
				}
				if least[j] < delta {
					delta, next = least[j], j
				}
			}
			for j := range used {
				if used[j] {
					u[rowOf[j]] += delta
					v[j] -= delta
				} else {
					least[j] -= delta
				}
			}
			last = next
		}
		for last != 0 {
			rowOf[last] = rowOf[before[last]]
			last = before[last]
		}
	}
	for j := range rowOf {
		rowOf[j]--
	}
	return rowOf[1:]
}
