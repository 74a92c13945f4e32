package cepstrum

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
)

// Narrow is the number of filters, counted from the lowest, within the band of audio at 8,000 samples per second.
const Narrow = 19

// Parameters of the prediction.
const (
	context = 3                        // frames of context on each side
	inputs  = Narrow * (2*context + 1) // log powers, minus their means
	hidden  = 600                      // random features of the inputs
	Known   = 1 + inputs + hidden      // number of regressors: 1, the inputs, the features
	scale   = 1.0 / 3                  // of the inputs: about the inverse of their standard deviation
	spread  = 0.2                      // standard deviation of the random weights
	offset  = 3                        // of the random biases, as a multiple of spread
	seed    = 20                       // of both; the trained weights depend on it
)

// Extension predicts the value that each filter would have without the telephone from the filters that remain. It is
// a ridge regression on the log powers of several frames and on random features of them (extreme learning machine:
// Huang, Zhu and Siew 2006). All powers are relative to their means over the stretch of audio, so that line and
// loudness do not matter; the recogniser subtracts means anyway.
type Extension struct {
	random  []float32 // hidden rows of input weights and a bias
	weights [Filters]Weights
}

// Weights are the regression weights of one filter, as integer multiples of a step.
type Weights struct {
	Step  float32
	Times [Known]int16
}

//go:embed extension.bin
var trained []byte

//go:embed dull.bin
var trainedDull []byte

func builtIn(weights []byte) (*Extension, error) {
	e, err := ReadExtension(bytes.NewReader(weights))
	if err != nil {
		return nil, fmt.Errorf("weights of the band extension: %w", err)
	}
	return e, nil
}

// ReadExtension reads a predictor written by Write.
func ReadExtension(from io.Reader) (*Extension, error) {
	e := newExtension()
	return e, binary.Read(from, binary.LittleEndian, &e.weights)
}

// Write writes the trained part: the Weights of each filter, little-endian.
func (e *Extension) Write(to io.Writer) error {
	return binary.Write(to, binary.LittleEndian, &e.weights)
}

// NewExtension returns a predictor with trained weights, Known per filter.
func NewExtension(weights *[Filters][Known]float64) *Extension {
	e := newExtension()
	for j, row := range weights {
		most := 0.0
		for _, w := range row {
			most = max(most, math.Abs(w))
		}
		step := most / math.MaxInt16
		e.weights[j].Step = float32(step)
		for k, w := range row {
			e.weights[j].Times[k] = int16(math.Round(w / max(step, math.SmallestNonzeroFloat32)))
		}
	}
	return e
}

// newExtension returns an untrained predictor.
func newExtension() *Extension {
	random := rand.New(rand.NewPCG(seed, seed))
	e := &Extension{random: make([]float32, hidden*(inputs+1))}
	for i := range e.random {
		e.random[i] = float32((2*random.Float64() - 1) * math.Sqrt(3) * spread)
	}
	return e
}

// Know computes the regressors for a frame and stores them in known, whose length must be Known. The bands must be
// Relative to their means; only the first Narrow filters are used.
func (e *Extension) Know(bands []Band, frame int, known []float32) {
	known[0] = 1
	in := known[1 : 1+inputs]
	for k := range 2*context + 1 {
		b := &bands[min(max(frame+k-context, 0), len(bands)-1)]
		for j := range Narrow {
			in[k*Narrow+j] = float32(b[j] * scale)
		}
	}
	for h := range hidden {
		row := e.random[h*(inputs+1) : (h+1)*(inputs+1)]
		sum := offset * row[inputs]
		for i, x := range in {
			sum += row[i] * x
		}
		known[1+inputs+h] = float32(math.Tanh(float64(sum)))
	}
}

// Relative returns log powers minus the mean of their filter.
func Relative(bands []Band) []Band {
	var mean Band
	for i := range bands {
		for j, x := range bands[i] {
			mean[j] += x / float64(len(bands))
		}
	}
	out := make([]Band, len(bands))
	for i := range bands {
		for j, x := range bands[i] {
			out[i][j] = x - mean[j]
		}
	}
	return out
}

// predict returns log powers of all filters, relative to their means, from those of the first Narrow ones. share is
// the weight of the dull-line predictor, from 0 to 1.
func (e *Extension) predict(bands []Band, dull *Extension, share float64) []Band {
	relative := Relative(bands)
	known := make([]float32, Known)
	for i := range bands {
		e.Know(relative, i, known)
		for j := range bands[i] {
			x := 0.0
			if share < 1 {
				x = (1 - share) * e.weights[j].of(known)
			}
			if share > 0 {
				x += share * dull.weights[j].of(known)
			}
			bands[i][j] = x
		}
	}
	return bands
}

func (w *Weights) of(known []float32) float64 {
	sum := float32(0)
	for k, times := range w.Times {
		sum += float32(times) * known[k]
	}
	return float64(sum * w.Step)
}
