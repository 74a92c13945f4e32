package diarize

import (
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/dsp/fourier"
)

const (
	hop          = 10 * time.Millisecond
	window       = 32 * time.Millisecond
	coefficients = 19 // cepstral coefficients 1 to 19; 0 is the loudness
	width        = coefficients
	filters      = 24
	lowest       = 150.0  // Hz, lower edge of the filters
	highest      = 7000.0 // Hz, or the limit of the source
	emphasis     = 0.97
	quietest     = 1e-3 // added to the energy of a filter, for digital silence; full scale is 1<<15
	grain        = 256  // coefficients are stored as multiples of 1/256; their magnitude is at most 60
)

// Features computes mel-frequency cepstral coefficients of one channel every 10 ms (Davis and Mermelstein 1980). The
// package needs no other data of the audio. It accepts audio while it is decoded, in order and in pieces of any size,
// and needs 14 MB of memory per hour.
type Features struct {
	rate   int
	rest   []float64
	last   float64
	rows   []int16 // width values per frame
	fft    *fourier.FFT
	shape  []float64 // the window
	frame  []float64
	bins   []complex128
	mel    []filter
	cosine [coefficients][filters]float64
}

// NewFeatures returns Features without audio. rate is in samples per second, at least 8000; sourceRate is the rate
// before resampling, and there is no signal above half of it.
func NewFeatures(rate, sourceRate int) *Features {
	size := samplesIn(window, rate)
	f := &Features{rate: rate, fft: fourier.NewFFT(size), shape: make([]float64, size), frame: make([]float64, size)}
	for i := range f.shape {
		f.shape[i] = 0.54 - 0.46*math.Cos(2*math.Pi*float64(i)/float64(size-1))
	}
	f.mel = melFilters(size, rate, min(highest, 0.475*float64(min(rate, sourceRate))))
	for c := range f.cosine {
		for m := range filters {
			f.cosine[c][m] = math.Sqrt(2.0/filters) * math.Cos(math.Pi*float64(c+1)*(float64(m)+0.5)/filters)
		}
	}
	return f
}

// Reserve allocates memory for the given length of further audio at once, so that appending does not overallocate.
func (f *Features) Reserve(length time.Duration) {
	f.rows = slices.Grow(f.rows, width*int(length/hop))
}

func samplesIn(d time.Duration, rate int) int {
	return int(int64(d) * int64(rate) / int64(time.Second))
}

// Add processes the next samples.
func (f *Features) Add(samples []int16) {
	for _, s := range samples {
		x := float64(s)
		f.rest = append(f.rest, x-emphasis*f.last)
		f.last = x
	}
	step := samplesIn(hop, f.rate)
	from := 0
	for ; from+len(f.frame) <= len(f.rest); from += step {
		row := f.describe(f.rest[from : from+len(f.frame)])
		f.rows = append(f.rows, row[:]...)
	}
	f.rest = append(f.rest[:0], f.rest[from:]...)
}

func (f *Features) describe(samples []float64) (row [width]int16) {
	for i, x := range samples {
		f.frame[i] = x * f.shape[i]
	}
	f.bins = f.fft.Coefficients(f.bins, f.frame)
	var logs [filters]float64
	for m, filter := range f.mel {
		logs[m] = math.Log(quietest + filter.energy(f.bins))
	}
	for c := range coefficients {
		sum := 0.0
		for m, l := range logs {
			sum += f.cosine[c][m] * l
		}
		row[c] = int16(max(min(math.Round(grain*sum), math.MaxInt16), math.MinInt16))
	}
	return row
}

// filter is one triangular filter of the mel filter bank.
type filter struct {
	first   int // bin of the spectrum
	weights []float64
}

func (f filter) energy(bins []complex128) float64 {
	sum := 0.0
	for i, w := range f.weights {
		b := bins[f.first+i]
		sum += w * (real(b)*real(b) + imag(b)*imag(b))
	}
	return sum / float64(len(bins)*len(bins))
}

func melFilters(size, rate int, top float64) []filter {
	mel := func(hertz float64) float64 { return 1127 * math.Log1p(hertz/700) }
	bank := make([]filter, filters)
	step := (mel(top) - mel(lowest)) / (filters + 1)
	for m := range bank {
		center := mel(lowest) + float64(m+1)*step
		for bin := 1; bin <= size/2; bin++ {
			weight := 1 - math.Abs(mel(float64(bin*rate)/float64(size))-center)/step
			if weight <= 0 {
				continue
			}
			if bank[m].weights == nil {
				bank[m].first = bin
			}
			bank[m].weights = append(bank[m].weights, weight)
		}
	}
	return bank
}
