package cepstrum

import "math"

// hamming returns the Hamming window.
func hamming() []float64 {
	w := make([]float64, window)
	for i := range w {
		w[i] = 0.54 - 0.46*math.Cos(2*math.Pi*float64(i)/(window-1))
	}
	return w
}

// powers returns the power in each mel filter for each frame; the last frame is padded with silence.
func (e *Extractor) powers(samples []int16, shift int) []Band {
	var bands []Band
	for at := 0; at < len(samples); at += shift {
		bands = append(bands, e.bandAt(samples, at))
		if at+window > len(samples) {
			break
		}
	}
	return bands
}

// bandAt returns the filter powers of the frame that starts at the given sample.
func (e *Extractor) bandAt(samples []int16, at int) Band {
	before := 0.0
	if at > 0 {
		before = float64(samples[at-1])
	}
	clear(e.frame)
	for i, s := range samples[at:min(at+window, len(samples))] {
		x := float64(s)
		e.frame[i] = (x - before*float64(float32(emphasis))) * e.shape[i]
		before = x
	}
	e.fft.Coefficients(e.spectrum, e.frame)
	for i, c := range e.spectrum {
		e.power[i] = real(c)*real(c) + imag(c)*imag(c)
	}
	var b Band
	for i := range b {
		b[i] = e.filters[i].of(e.power)
	}
	return b
}

// filter is one triangular filter of the mel filter bank.
type filter struct {
	first   int // bin of the spectrum
	weights []float32
}

func (f *filter) of(power []float64) float64 {
	sum := 0.0
	for i, w := range f.weights {
		sum += power[f.first+i] * float64(w)
	}
	return sum
}

// melFilters returns triangular filters of unit area with edges on bins of the spectrum, computed with the precision
// of sphinxbase.
func melFilters() []filter {
	const bin = float32(Rate) / fftSize
	from, to := mel(lowest), mel(highest)
	width := (to - from) / (Filters + 1)
	edge := func(i int) float32 {
		return float32(int(float64(hertz(float32(i)*width+from)/bin)+0.5)) * bin
	}
	filters := make([]filter, Filters)
	for i := range filters {
		filters[i] = triangle(edge(i), edge(i+1), edge(i+2), bin)
	}
	return filters
}

func triangle(left, top, right, bin float32) filter {
	f := filter{first: -1}
	for j := range fftSize / 2 {
		at := float32(j) * bin
		if at < left || at > right {
			continue
		}
		if f.first < 0 {
			f.first = j
		}
		area := 2 / (right - left)
		f.weights = append(f.weights, min((at-left)/(top-left)*area, (right-at)/(right-top)*area))
	}
	return f
}

func mel(hertz float32) float32 { return float32(2595 * math.Log10(1+float64(hertz)/700)) }

func hertz(mel float32) float32 { return float32(700 * (math.Pow(10, float64(mel)/2595) - 1)) }

// logarithms replaces powers by their natural logarithms.
func logarithms(bands []Band) {
	for i := range bands {
		for j, p := range bands[i] {
			bands[i][j] = silence
			if p > 0 {
				bands[i][j] = math.Log(p)
			}
		}
	}
}
