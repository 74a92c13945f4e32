package diarize

import "math"

// triangle is the number of entries of the lower triangle of a symmetric matrix.
const triangle = width * (width + 1) / 2

// gaussian holds the sums from which a full-covariance Gaussian is estimated. The sums of two sets of frames can be
// added.
type gaussian struct {
	n      float64
	sum    [width]float64
	square [triangle]float64 // lower triangle, row by row
	cost   float64           // of coding the frames under this Gaussian, without constants: n/2·log|Σ|
}

func (g *gaussian) add(row []float32) {
	g.n++
	k := 0
	for i := range width {
		x := float64(row[i])
		g.sum[i] += x
		for j := range i + 1 {
			g.square[k] += x * float64(row[j])
			k++
		}
	}
}

func (g *gaussian) plus(o *gaussian) gaussian {
	sum := *g
	sum.n += o.n
	for i := range sum.sum {
		sum.sum[i] += o.sum[i]
	}
	for i := range sum.square {
		sum.square[i] += o.square[i]
	}
	return sum
}

// covariance returns the lower triangle, regularised by a prior with the weight of worth frames.
func (g *gaussian) covariance(prior *[triangle]float64, worth float64) [triangle]float64 {
	var c [triangle]float64
	k := 0
	for i := range width {
		for j := range i + 1 {
			c[k] = (g.square[k] - g.sum[i]*g.sum[j]/g.n + worth*prior[k]) / (g.n + worth)
			k++
		}
	}
	return c
}

// logDeterminant returns the log determinant of a positive definite matrix, by Cholesky decomposition.
func logDeterminant(c [triangle]float64) float64 {
	sum := 0.0
	for i := range width {
		row := c[i*(i+1)/2:]
		for j := range i + 1 {
			other := c[j*(j+1)/2:]
			x := row[j]
			for k := range j {
				x -= row[k] * other[k]
			}
			if i == j {
				row[i] = math.Sqrt(max(x, 1e-12))
				sum += 2 * math.Log(row[i])
			} else {
				row[j] = x / other[j]
			}
		}
	}
	return sum
}
