package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"parley/internal/lab/telephone"
	"parley/internal/speech/cepstrum"
	"parley/internal/words/sound"
)

// lesson accumulates the sums of a linear regression: of the products of the inputs, and of inputs and targets.
type lesson struct {
	extractor    *cepstrum.Extractor
	lines        []telephone.Line
	known, asked *mat.Dense
	frames       int
	pieces       int
	ratios       []float64 // signal-to-noise ratios in dB, assigned to pieces in turn
	random       *rand.Rand
	dull         bool // simulate a voice muffled before it enters the line
}

func newLesson(dull bool) (*lesson, error) {
	extractor, err := cepstrum.New()
	return &lesson{
		extractor: extractor, dull: dull, ratios: []float64{60, 30, 20, 12}, random: rand.New(rand.NewPCG(1, 2)),
		// real lines differ from each other
		lines: []telephone.Line{telephone.Usual(), {Lowest: 200, Highest: 3700}, {Lowest: 20, Highest: 3900}},
		known: mat.NewDense(cepstrum.Known, cepstrum.Known, nil),
		asked: mat.NewDense(cepstrum.Known, cepstrum.Filters, nil),
	}, err
}

// add adds a piece of a clean recording.
func (l *lesson) add(pcm *sound.PCM) {
	const shift = cepstrum.Rate / 100
	good := cepstrum.Relative(l.extractor.Bands(&cepstrum.Request{PCM: pcm, Shift: shift}))
	for i, line := range l.lines {
		noisy := l.noisy(pcm, l.ratios[(l.pieces+i)%len(l.ratios)])
		if l.dull {
			noisy = muffled(noisy, 1+(l.pieces+i)%2)
		}
		heard := &cepstrum.Request{PCM: line.Through(noisy), Shift: shift, Telephone: true}
		narrow := cepstrum.Relative(l.extractor.Narrowed(heard))
		n := min(len(good), len(narrow))
		known, asked := mat.NewDense(n, cepstrum.Known, nil), mat.NewDense(n, cepstrum.Filters, nil)
		row := make([]float32, cepstrum.Known)
		for i := range n {
			l.extractor.Extension().Know(narrow, i, row)
			for k, x := range row {
				known.Set(i, k, float64(x))
			}
			asked.SetRow(i, good[i][:])
		}
		var products mat.Dense
		products.Mul(known.T(), known)
		l.known.Add(l.known, &products)
		products.Reset()
		products.Mul(known.T(), asked)
		l.asked.Add(l.asked, &products)
		l.frames += n
	}
	l.pieces++
}

// noisy returns a piece mixed with street or car noise, which falls by 6 dB per octave above 300 Hz.
func (l *lesson) noisy(pcm *sound.PCM, ratio float64) *sound.PCM {
	noise := make([]float64, len(pcm.Samples))
	speech, loud, low := 0.0, 0.0, 0.0
	for i, s := range pcm.Samples {
		low += 0.11 * (l.random.NormFloat64() - low)
		noise[i] = low + 0.1*l.random.NormFloat64()
		speech, loud = speech+float64(s)*float64(s), loud+noise[i]*noise[i]
	}
	gain := math.Sqrt(speech/max(loud, 1)) * math.Pow(10, -ratio/20)
	out := &sound.PCM{Rate: pcm.Rate, Samples: make([]int16, len(pcm.Samples))}
	for i, s := range pcm.Samples {
		out.Samples[i] = int16(max(min(float64(s)+gain*noise[i], math.MaxInt16), math.MinInt16))
	}
	return out
}

// muffled returns the sound after this many first-order low-pass filters at 900 Hz.
func muffled(pcm *sound.PCM, times int) *sound.PCM {
	share := 1 - math.Exp(-2*math.Pi*900/cepstrum.Rate)
	low := make([]float64, times)
	out := &sound.PCM{Rate: pcm.Rate, Samples: make([]int16, len(pcm.Samples))}
	for i, s := range pcm.Samples {
		x := float64(s)
		for k := range low {
			low[k] += share * (x - low[k])
			x = low[k]
		}
		out.Samples[i] = int16(math.Round(x))
	}
	return out
}

// learn solves the regression with a ridge penalty on all weights except the constant.
func (l *lesson) learn(penalty float64) (*cepstrum.Extension, error) {
	for i := 1; i < cepstrum.Known; i++ {
		l.known.Set(i, i, l.known.At(i, i)+penalty)
	}
	var solved mat.Dense
	if err := solved.Solve(l.known, l.asked); err != nil {
		return nil, fmt.Errorf("too few recordings, or all alike: %w", err)
	}
	weights := new([cepstrum.Filters][cepstrum.Known]float64)
	for j := range weights {
		for k := range weights[j] {
			weights[j][k] = solved.At(k, j)
		}
	}
	return cepstrum.NewExtension(weights), nil
}
