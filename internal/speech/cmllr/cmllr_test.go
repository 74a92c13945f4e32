package cmllr

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"parley/internal/testkit/verify"
)

// model is a set of Gaussians from which frames are sampled.
type model [][Streams]struct{ mean, variance Vector }

func newModel(random *rand.Rand, gaussians int) model {
	m := make(model, gaussians)
	for g := range m {
		for s := range m[g] {
			for i := range Size {
				m[g][s].mean[i] = 5 * random.NormFloat64()
				m[g][s].variance[i] = 0.2 + random.Float64()
			}
		}
	}
	return m
}

// speak returns statistics of frames sampled from the model and then distorted; a transform can undo the distortion.
func (m model) speak(random *rand.Rand, frames int, distort func(x *Vector, stream int)) *Statistics {
	s := &Statistics{}
	for range frames {
		g := random.IntN(len(m))
		for stream := range Streams {
			q := &m[g][stream]
			var x, precision, pull Vector
			for i := range x {
				x[i] = q.mean[i] + math.Sqrt(q.variance[i])*random.NormFloat64()
				precision[i], pull[i] = 1/q.variance[i], q.mean[i]/q.variance[i]
			}
			distort(&x, stream)
			s.Add(stream, &x, &precision, &pull)
		}
	}
	return s
}

// twist returns a transform close to the identity, and the distortion that it undoes.
func twist(random *rand.Rand) (*Transform, func(*Vector, int)) {
	t := None()
	for i := range t {
		for j := range i { // a triangular matrix is inverted from its first row on
			t[i][j] = 0.1 * random.NormFloat64()
		}
		t[i][i] = 1 + 0.2*random.NormFloat64()
		t[i][Size] = random.NormFloat64()
	}
	return t, func(y *Vector, stream int) {
		for i := range y {
			if stream == 0 {
				y[i] -= t[i][Size]
			}
			for j := range i {
				y[i] -= t[i][j] * y[j]
			}
			y[i] /= t[i][i]
		}
	}
}

func distance(a, b *Transform) float64 {
	most := 0.0
	for i := range a {
		for j := range a[i] {
			most = max(most, math.Abs(a[i][j]-b[i][j]))
		}
	}
	return most
}

func TestTheTransformThatUndoesADistortionIsFound(t *testing.T) {
	verify.Long(t)
	for seed := range uint64(5) {
		random := rand.New(rand.NewPCG(seed, 1))
		want, distort := twist(random)
		got, ok := newModel(random, 40).speak(random, 20000, distort).Solve(0)
		if d := distance(got, want); !ok || d > 0.05 {
			t.Errorf("seed %d: it is off by %.3f", seed, d)
		}
	}
}

func TestFramesOfTheModelNeedNoTransform(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	got, ok := newModel(random, 40).speak(random, 20000, func(*Vector, int) {}).Solve(0)
	if d := distance(got, None()); !ok || d > 0.05 {
		t.Errorf("it is off by %.3f", d)
	}
}

func TestThePriorPullsTowardsNone(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 1))
	_, distort := twist(random)
	s := newModel(random, 40).speak(random, 2000, distort)
	before := math.Inf(1)
	for _, prior := range []float64{0, 200, 2000, 20000, 2e6} {
		got, ok := s.Solve(prior)
		d := distance(got, None())
		if !ok || d >= before {
			t.Errorf("with %g frames of prior the transform is %.4f from none, with less %.4f", prior, d, before)
		}
		before = d
	}
	if before > 0.01 {
		t.Errorf("with a prior of a thousand times as many frames it is %.4f from none", before)
	}
}

func TestStatisticsOfPartsAreThoseOfTheWhole(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	_, distort := twist(random)
	m := newModel(random, 40)
	first, second := m.speak(random, 1000, distort), m.speak(random, 500, distort)
	sum := &Statistics{}
	for _, s := range []*Statistics{first, second} {
		kept, err := Decode(s.Encode())
		if err != nil {
			t.Fatal(err)
		}
		sum.Plus(kept)
	}
	first.Plus(second)
	want, _ := first.Solve(200)
	got, ok := sum.Solve(200)
	if d := distance(got, want); !ok || d > 1e-3 || math.Abs(sum.Frames-1500) > 1e-3 {
		t.Errorf("%g frames, transform off by %g", sum.Frames, d)
	}
}

func TestNoFramesDetermineNoTransform(t *testing.T) {
	if got, ok := new(Statistics).Solve(200); ok {
		t.Errorf("got %v", got)
	}
}

func TestApplyIsThatOfAMatrixWithAnOffset(t *testing.T) {
	m := None()
	m[0][1], m[2][Size] = 2, 5
	x := [Size]float32{1, 3, 7}
	m.Apply(&x)
	if want := [Size]float32{7, 3, 12}; x != want {
		t.Errorf("got %v", x)
	}
}

func FuzzStatisticsAreRefusedOrWhole(f *testing.F) {
	random := rand.New(rand.NewPCG(4, 1))
	f.Add(newModel(random, 4).speak(random, 300, func(*Vector, int) {}).Encode())
	f.Add(make([]byte, encoded))
	f.Add(bytes.Repeat([]byte{0xff}, encoded))
	f.Add([]byte("short"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Decode(data)
		if err != nil {
			return
		}
		if !bytes.Equal(s.Encode(), data) {
			t.Error("statistics have other bytes than they were read from")
		}
		if m, ok := s.Solve(200); ok {
			for _, row := range m {
				for _, x := range row {
					if math.IsNaN(x) || math.IsInf(x, 0) {
						t.Fatalf("transform with %g", x)
					}
				}
			}
		}
	})
}
