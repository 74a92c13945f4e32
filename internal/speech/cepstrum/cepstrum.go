// Package cepstrum computes the input features of CMU Sphinx's en-us acoustic model: mel-frequency cepstra with the
// noise removal of sphinxbase (Doblinger 1995; Kim and Stern 2010), equal to the output of sphinxbase to the last
// digit. For telephone audio it predicts the filters above the telephone band, which the model expects and the audio
// lacks.
//
// Mean normalisation and differences are left to the recogniser, and speech detection to package vad. The results are
// deterministic.
package cepstrum

import (
	"gonum.org/v1/gonum/dsp/fourier"

	"parley/internal/words/sound"
)

// Parameters of the acoustic model: its feat.params and the defaults of sphinxbase.
const (
	Rate         = 16000 // samples per second
	Coefficients = 13    // values per frame
	Filters      = 25    // mel filters from lowest to highest

	lowest   = 130   // Hz
	highest  = 6800  // Hz
	window   = 410   // samples per frame
	fftSize  = 512   // samples of the Fourier transform
	emphasis = 0.97  // of the pre-emphasis
	lifter   = 22    // period of the liftering window
	silence  = -10.0 // log power of an empty filter
)

// Request asks for the features of one stretch of audio.
type Request struct {
	PCM       *sound.PCM // Rate samples a second
	Shift     int        // samples between frames, Rate/100 in the acoustic model; less for fast speech
	Telephone bool       // the audio contains nothing above 4 kHz, so those filters are predicted
}

// Extractor computes features. It is not safe for concurrent use.
type Extractor struct {
	fft             *fourier.FFT
	shape           []float64
	filters         []filter
	cosines         [Coefficients][Filters]float32
	scales, lifters [Coefficients]float32
	extension, dull *Extension // for ordinary and for dull lines

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

// Find returns the features of each frame. Frames start every shift samples; the last ones are padded with silence.
func (e *Extractor) Find(r *Request) [][Coefficients]float32 {
	bands := e.Bands(r)
	out := make([][Coefficients]float32, len(bands))
	for i := range bands {
		out[i] = e.transform(&bands[i])
	}
	return out
}

// Band holds the natural logarithms of the powers of the mel filters.
type Band [Filters]float64

// Bands returns the log powers of each frame after noise removal.
func (e *Extractor) Bands(r *Request) []Band {
	bands := e.Narrowed(r)
	if r.Telephone {
		return e.extension.predict(bands, e.dull, dullness(bands))
	}
	return bands
}

// Narrowed returns the log powers like Bands, but predicts nothing. For telephone audio only the first Narrow filters
// are meaningful.
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

// Extension returns the predictor of the frequencies that telephones remove.
func (e *Extractor) Extension() *Extension { return e.extension }
