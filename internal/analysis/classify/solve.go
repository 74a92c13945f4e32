package classify

import (
	"context"
	"math"
	"math/rand/v2"
)

const (
	cost   = 1.0 // penalty of an error, relative to that of large weights
	rounds = 30  // maximum number of passes over all texts
	enough = .02 // changes of a dual variable up to this are treated as convergence
)

// matrix holds weights: a row per feature, a column per support vector machine.
type matrix struct {
	columns int
	cells   []float32
}

func newMatrix(rows, columns int) matrix { return matrix{columns, make([]float32, rows*columns)} }

func (m matrix) row(i int32) []float32 {
	return m.cells[int(i)*m.columns : (int(i)+1)*m.columns : (int(i)+1)*m.columns]
}

// margins computes the margin of a text for each column.
func (m matrix) margins(x vector, margins []float32) {
	clear(margins)
	for i, f := range x.features {
		add(margins, x.values[i], m.row(f))
	}
}

func add(to []float32, times float32, list []float32) {
	to = to[:len(list)]
	for i, v := range list {
		to[i] += times * v
	}
}

// solve returns the weights of linear support vector machines with squared hinge loss. The machine of each column
// separates the texts whose class is the column's number plus offset from all others. The algorithm is dual coordinate
// descent on all columns together: Hsieh, Chang, Lin, Keerthi and Sundararajan, "A Dual Coordinate Descent Method for
// Large-scale Linear SVM", ICML 2008. The order of texts is drawn from a fixed seed. When the context ends, solve
// returns its error.
func solve(ctx context.Context, texts []vector, classes []int, features, columns, offset int) (matrix, error) {
	s := &solver{weights: newMatrix(features, columns), duals: newMatrix(len(texts), columns), texts: texts,
		classes: classes, offset: offset,
		margins: make([]float32, columns), steps: make([]float32, columns)}
	random := rand.New(rand.NewPCG(1, 1))
	for range rounds {
		largest := float32(0)
		for n, i := range random.Perm(len(texts)) {
			if n%256 == 0 && ctx.Err() != nil {
				return matrix{}, context.Cause(ctx)
			}
			largest = max(largest, s.step(i))
		}
		if largest < enough {
			break
		}
	}
	return s.weights, nil
}

type solver struct {
	weights, duals matrix
	texts          []vector
	classes        []int
	offset         int
	margins, steps []float32
}

// step updates the dual variables of one text and returns the largest change.
func (s *solver) step(i int) float32 {
	x, duals := s.texts[i], s.duals.row(int32(i))
	length := float32(0)
	for _, v := range x.values {
		length += v * v
	}
	s.weights.margins(x, s.margins)
	largest := float32(0)
	const softness = 1 / (2 * cost)
	for c := range duals {
		side := float32(-1)
		if s.classes[i] == c+s.offset {
			side = 1
		}
		better := max(0, duals[c]-(side*s.margins[c]-1+softness*duals[c])/(length+softness))
		s.steps[c] = side * (better - duals[c])
		largest = max(largest, float32(math.Abs(float64(s.steps[c]))))
		duals[c] = better
	}
	for k, f := range x.features {
		add(s.weights.row(f), x.values[k], s.steps)
	}
	return largest
}
