// Package voice measures the sound of words: the relative volume and the strongest frequencies of each.
//
// A word is divided into frames of 64 ms, 16 ms apart, with a Hann window. The amplitude spectrum S of a frame is
// scaled so that a full-scale sine at the frequency of a bin has the amplitude 1. S(t,k) is its value in frame t and
// bin k.
//
//	M = max S(t,k), A = mean S(t,k) over all frames and all bins from 50 Hz to 8 kHz
//	v = A·M·scale, unbounded; scale puts speech of the usual level into 0..2
//	f = the frequency of a peak of the mean spectrum of the frames that are at least as loud as the word's
//	    median frame, refined by a parabola through the logarithms of three bins
//	e = the amplitude of that peak divided by the word's highest, 0..1
//
// Words are found by package asr; conversations are rated by package analysis/talk.
package voice

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/dsp/fourier"

	"parley/internal/words/sound"
	"parley/internal/words/transcript"
)

const (
	window  = 1024  // samples at 16 kHz: 64 ms
	hop     = 256   // 16 ms
	lowest  = 50.0  // Hz; below are hum and handling noise
	highest = 8000. // Hz; the upper limit of 16 kHz audio
	apart   = 4     // bins; the width of the main lobe of a Hann window, within which two peaks are one
	peaks   = 2     // the dominant one and the secondary one
	scale   = 100.0
)

// Meter measures words. It is not safe for concurrent use.
type Meter struct {
	fft      *fourier.FFT
	taper    []float64
	rate     int
	from, to int // bins searched for peaks
	all      int // bins over which amplitudes are averaged
	frame    []float64
	bins     []complex128
}

// NewMeter returns a meter for audio at the given rate that was resampled from sourceRate. There is no signal above
// half of sourceRate.
func NewMeter(rate, sourceRate int) *Meter {
	m := &Meter{fft: fourier.NewFFT(window), rate: rate, taper: make([]float64, window), frame: make([]float64, window)}
	for i := range m.taper {
		m.taper[i] = .5 - .5*math.Cos(2*math.Pi*float64(i)/window)
	}
	m.from = int(math.Ceil(lowest * window / float64(rate)))
	m.all = min(int(highest*window/float64(rate)), window/2-1)
	m.to = min(m.all, int(float64(min(sourceRate, rate))/2*window/float64(rate))-1)
	return m
}

// Measure returns the features of a word whose audio is pcm. A word without a signal has volume 0 and no peaks.
func (m *Meter) Measure(pcm *sound.PCM) *transcript.Voice {
	spectra := m.spectra(pcm.Samples)
	sum, highest := 0.0, 0.0
	for _, s := range spectra {
		for _, amplitude := range s[m.from : m.all+1] {
			sum += math.Sqrt(amplitude)
			highest = max(highest, amplitude)
		}
	}
	if highest == 0 {
		return &transcript.Voice{}
	}
	mean := sum / float64(len(spectra)*(m.all+1-m.from))
	return &transcript.Voice{Volume: mean * math.Sqrt(highest) * scale, Peaks: m.peaks(loud(spectra), highest)}
}

// spectra returns the amplitude spectrum of each frame; a word shorter than a frame is padded with silence to one
// frame.
func (m *Meter) spectra(samples []int16) [][]float64 {
	var all [][]float64
	for at := 0; at == 0 || at+window <= len(samples); at += hop {
		all = append(all, m.spectrum(samples[at:min(at+window, len(samples))]))
	}
	return all
}

func (m *Meter) spectrum(samples []int16) []float64 {
	clear(m.frame)
	for i, s := range samples {
		m.frame[i] = float64(s) / -math.MinInt16 * m.taper[i]
	}
	m.bins = m.fft.Coefficients(m.bins, m.frame)
	amplitudes := make([]float64, len(m.bins))
	for k, c := range m.bins {
		// half of a sine's energy is at negative frequencies, and the window takes half
		amplitudes[k] = math.Sqrt(real(c)*real(c)+imag(c)*imag(c)) * 4 / window
	}
	return amplitudes
}

// loud returns the mean of the spectra whose loudness is at least that of the median spectrum.
func loud(spectra [][]float64) []float64 {
	energies := make([]float64, len(spectra))
	for i, s := range spectra {
		for _, a := range s {
			energies[i] += a * a
		}
	}
	median := slices.Sorted(slices.Values(energies))[len(energies)/2]
	mean, n := make([]float64, len(spectra[0])), 0.0
	for i, s := range spectra {
		if energies[i] < median {
			continue
		}
		n++
		for k, a := range s {
			mean[k] += a
		}
	}
	for k := range mean {
		mean[k] /= n
	}
	return mean
}

// peaks returns the highest maxima of a spectrum, dominant first.
func (m *Meter) peaks(spectrum []float64, highest float64) []transcript.Peak {
	var found []transcript.Peak
	taken := []int{}
	for len(found) < peaks {
		best := -1
		for k := m.from; k <= m.to; k++ {
			near := slices.ContainsFunc(taken, func(t int) bool { return k-t < apart && t-k < apart })
			if near || spectrum[k] < spectrum[k-1] || spectrum[k] < spectrum[k+1] {
				continue
			}
			if spectrum[k] > 0 && (best < 0 || spectrum[k] > spectrum[best]) {
				best = k
			}
		}
		if best < 0 {
			break
		}
		taken = append(taken, best)
		offset, amplitude := parabola(spectrum[best-1], spectrum[best], spectrum[best+1])
		found = append(found, transcript.Peak{
			Frequency: (float64(best) + offset) * float64(m.rate) / window,
			Energy:    min(amplitude/highest, 1),
		})
	}
	return found
}

// parabola returns the summit of the parabola through the logarithms of three amplitudes, as an offset
// from the middle one in bins, and its height.
// Source: J. O. Smith, Spectral Audio Signal Processing, "Quadratic Interpolation of Spectral Peaks".
func parabola(left, middle, right float64) (offset, height float64) {
	if left <= 0 || right <= 0 {
		return 0, middle
	}
	a, b, c := math.Log(left), math.Log(middle), math.Log(right)
	curve := a - 2*b + c
	if curve >= 0 {
		return 0, middle
	}
	offset = (a - c) / 2 / curve
	return offset, math.Exp(b - (a-c)*offset/4)
}
