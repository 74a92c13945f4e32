// Package cmllr computes the affine transform of a speaker's features that fits them best to an acoustic model:
// constrained maximum likelihood linear regression (Gales, Maximum likelihood linear transformations for HMM-based
// speech recognition, 1998), with one transform for cepstra and their differences. It is independent of words and
// models: the caller determines the Gaussians of each frame. The results are deterministic.
package cmllr

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Size is the number of values per frame. Streams are the cepstra, their first and their second differences.
const (
	Size    = 13
	Streams = 3
)

// Vector is one stream of one frame.
type Vector = [Size]float64

// extended is the length of a vector with the factor of the offset appended: 1 for cepstra, 0 for differences.
const extended = Size + 1

// Statistics are the sums over frames from which the transform is computed. The zero value contains no frames.
// Statistics of several stretches of speech are combined with Plus.
type Statistics struct {
	Frames float64
	g      [Size][extended][extended]float64 // quadratic term of each row of the transform
	k      [Size][extended]float64           // linear term of each row
}

// Add adds one stream of a frame; a frame consists of three streams. precision is the sum over Gaussians of occupancy
// divided by variance, and pull the sum of occupancy times mean divided by variance.
func (s *Statistics) Add(stream int, x, precision, pull *Vector) {
	var e [extended]float64
	copy(e[:], x[:])
	if stream == 0 {
		e[Size] = 1
	}
	for i := range Size {
		for a, xa := range e {
			for b, xb := range e[:a+1] {
				s.g[i][a][b] += precision[i] * xa * xb
			}
			s.k[i][a] += pull[i] * xa
		}
	}
	s.Frames += 1.0 / Streams
}

// Plus adds the sums of o.
func (s *Statistics) Plus(o *Statistics) {
	s.Frames += o.Frames
	for i := range Size {
		for a := range extended {
			for b := range a + 1 {
				s.g[i][a][b] += o.g[i][a][b]
			}
			s.k[i][a] += o.k[i][a]
		}
	}
}

// encoded is the size of encoded statistics in bytes: the frame count, and for each row a triangle and a vector.
const encoded = 4 * (1 + Size*(extended*(extended+1)/2+extended))

// Encode encodes the statistics, rounded to float32; Decode is its inverse.
func (s *Statistics) Encode() []byte {
	out := make([]byte, 0, encoded)
	s.each(func(x *float64) { out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(*x))) })
	return out
}

// Decode decodes the output of Encode. It rejects other lengths and impossible sums.
func Decode(data []byte) (*Statistics, error) {
	if len(data) != encoded {
		return nil, fmt.Errorf("the statistics have %d bytes, not %d", len(data), encoded)
	}
	s, finite := &Statistics{}, true
	s.each(func(x *float64) {
		*x = float64(math.Float32frombits(binary.LittleEndian.Uint32(data)))
		data = data[4:]
		finite = finite && math.Abs(*x) <= math.MaxFloat32
	})
	if !finite || s.Frames < 0 {
		return nil, errors.New("the statistics contain invalid numbers")
	}
	return s, nil
}

// each calls take for all numbers in a fixed order.
func (s *Statistics) each(take func(*float64)) {
	take(&s.Frames)
	for i := range Size {
		for a := range extended {
			for b := range a + 1 {
				take(&s.g[i][a][b])
			}
			take(&s.k[i][a])
		}
	}
}

// Transform is a matrix whose last column is the offset.
type Transform [Size][extended]float64

// None returns the identity transform.
func None() *Transform {
	t := new(Transform)
	for i := range t {
		t[i][i] = 1
	}
	return t
}

// Apply transforms the cepstra of a frame in place.
func (t *Transform) Apply(x *[Size]float32) {
	in := *x
	for i := range t {
		sum := t[i][Size]
		for j, v := range in {
			sum += t[i][j] * float64(v)
		}
		x[i] = float32(sum)
	}
}

// passes is the number of iterations over the rows; further ones have no audible effect.
const passes = 20

// Solve returns the transform of maximum likelihood, computed row by row (Gales 1998, appendix B). prior is the
// weight, in frames, of a prior centred on the identity. Solve returns false if the statistics do not determine a
// transform.
func (s *Statistics) Solve(prior float64) (*Transform, bool) {
	s = s.shrunk(prior)
	var inverse [Size]mat.SymDense
	for i := range inverse {
		g := mat.NewSymDense(extended, nil)
		for a := range extended {
			for b := range a + 1 {
				g.SetSym(a, b, s.g[i][a][b])
			}
		}
		var c mat.Cholesky
		if !c.Factorize(g) || c.InverseTo(&inverse[i]) != nil {
			return nil, false
		}
	}
	t := None()
	for range passes {
		for i := range t {
			if !s.solveRow(t, i, &inverse[i]) {
				return nil, false
			}
		}
	}
	for i := range t {
		for _, x := range t[i] {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return nil, false
			}
		}
	}
	return t, true
}

// shrunk adds prior frames, distributed like the observed ones, for which the identity is optimal.
func (s *Statistics) shrunk(prior float64) *Statistics {
	more := prior / s.Frames
	out := &Statistics{Frames: s.Frames + prior}
	for i := range Size {
		for a := range extended {
			for b := range a + 1 {
				out.g[i][a][b] = s.g[i][a][b] * (1 + more)
			}
			out.k[i][a] = s.k[i][a] + more*s.g[i][max(a, i)][min(a, i)]
		}
		out.k[i][i] -= Streams * prior
	}
	return out
}

// solveRow optimises one row while the others are fixed.
func (s *Statistics) solveRow(t *Transform, i int, inverse *mat.SymDense) bool {
	cofactors, ok := t.cofactors(i)
	if !ok {
		return false
	}
	p, k := mat.NewVecDense(extended, cofactors[:]), mat.NewVecDense(extended, s.k[i][:])
	a, b := mat.Inner(p, inverse, p), mat.Inner(p, inverse, k)
	beta := Streams * s.Frames
	root := math.Sqrt(b*b + 4*a*beta)
	best, most := 0.0, math.Inf(-1)
	for _, alpha := range []float64{(-b + root) / (2 * a), (-b - root) / (2 * a)} {
		if l := beta*math.Log(math.Abs(alpha*a+b)) - alpha*alpha*a/2; l > most {
			best, most = alpha, l
		}
	}
	if math.IsInf(most, 0) || math.IsNaN(most) {
		return false
	}
	var pull, row mat.VecDense
	pull.AddScaledVec(k, best, p)
	row.MulVec(inverse, &pull)
	for j := range extended {
		t[i][j] = row.AtVec(j)
	}
	return true
}

// cofactors returns the cofactors of a row of the matrix, up to a common factor, and 0 for the offset.
func (t *Transform) cofactors(row int) (c [extended]float64, ok bool) {
	m := mat.NewDense(Size, Size, nil)
	for i := range Size {
		m.SetRow(i, t[i][:Size])
	}
	var inverse mat.Dense
	if inverse.Inverse(m) != nil {
		return c, false
	}
	for j := range Size {
		c[j] = inverse.At(j, row)
	}
	return c, true
}
