// Package cepstrum computes the features that CMU Sphinx's en-us acoustic model hears: mel-frequency cepstra
// with the noise removal of sphinxbase (Doblinger 1995; Kim and Stern 2010), to the last digits the same as
// sphinxbase computes them. For telephone audio it fills in the filters above the telephone band, which the
// model knows and the audio lacks.
//
// It does not normalise means and does not take differences: the recogniser does both. It does not find
// speech. Everything is deterministic.
package cepstrum

import (
	"gonum.org/v1/gonum/dsp/fourier"

	"parley/internal/words/sound"
)

// Of the acoustic model: its feat.params and the defaults of sphinxbase.
const (
	Rate         = 16000 // samples a second
	Coefficients = 13    // values of a frame
	Filters      = 25    // mel filters from lowest to highest

	lowest   = 130   // Hz
	highest  = 6800  // Hz
	window   = 410   // samples of a frame
	fftSize  = 512   // samples of the Fourier transform
	emphasis = 0.97  // of the pre-emphasis
	lifter   = 22    // period of the liftering
	silence  = -10.0 // log power of a filter in which there is nothing
)

// Request asks for the features of one stretch of audio.
type Request struct {
	PCM       *sound.PCM // Rate samples a second
	Shift     int        // samples from frame to frame, Rate/100 in the acoustic model; less for fast speech
	Telephone bool       // the audio holds nothing above 4 kHz: what should be there is predicted
}

// Extractor computes features. It belongs to one goroutine at a time.
type Extractor struct {
	fft             *fourier.FFT
	shape           []float64
	filters         []filter
	cosines         [Coefficients][Filters]float32
	scales, lifters [Coefficients]float32
	extension, dull *Extension // for usual lines and for dull ones

	frame    []float64
	spectrum []complex128
	power    []float64
}

// New returns an extractor.
func New() (*Extractor, error) {
	usual, err := builtIn(trained)
	if err != nil {
		return nil, err
	}
	dull, err := builtIn(trainedDull)
	if err != nil {
		return nil, err
	}
	return &Extractor{
		fft: fourier.NewFFT(fftSize), shape: hamming(), filters: melFilters(), cosines: cosines(), scales: scales(),
		lifters: lifters(), extension: usual, dull: dull,
		frame: make([]float64, fftSize), spectrum: make([]complex128, fftSize/2+1), power: make([]float64, fftSize/2+1),
	}, nil
}

// Find returns the features of each frame. There is a frame every shift, the last ones filled up with silence.
func (e *Extractor) Find(r *Request) [][Coefficients]float32 {
	bands := e.Bands(r)
	out := make([][Coefficients]float32, len(bands))
	for i := range bands {
		out[i] = e.transform(&bands[i])
	}
	return out
}

// Band is the natural logarithms of the powers in the mel filters.
type Band [Filters]float64

// Bands returns the log powers of each frame with the noise removed.
func (e *Extractor) Bands(r *Request) []Band {
	bands := e.Narrowed(r)
	if r.Telephone {
		return e.extension.predict(bands, e.dull, dullness(bands))
	}
	return bands
}

// Narrowed returns the log powers as Bands does, but nothing predicted: for telephone audio, the first Narrow
// ones count.
func (e *Extractor) Narrowed(r *Request) []Band {
	used := Filters
	if r.Telephone {
		used = Narrow
	}
	bands := e.powers(r.PCM.Samples, r.Shift)
	removeNoise(bands, used)
	logarithms(bands)
	return bands
}

// Extension returns the predictor of what telephones take away.
func (e *Extractor) Extension() *Extension { return e.extension }
