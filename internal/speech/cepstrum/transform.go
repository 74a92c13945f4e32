package cepstrum

import "math"

// cosines returns the rows of a discrete cosine transform (DCT-II).
func cosines() (rows [Coefficients][Filters]float32) {
	for i := range rows {
		for j := range rows[i] {
			rows[i][j] = float32(math.Cos(math.Pi / Filters * float64(i) * (float64(j) + 0.5)))
		}
	}
	return rows
}

// scales returns the factors that make the rows orthonormal.
func scales() (scales [Coefficients]float32) {
	for i := range scales {
		scales[i] = float32(math.Sqrt(2.0 / Filters))
	}
	scales[0] = float32(math.Sqrt(1.0 / Filters))
	return scales
}

func lifters() (weights [Coefficients]float32) {
	for i := range weights {
		weights[i] = float32(1 + lifter/2*math.Sin(float64(i)*math.Pi/lifter))
	}
	return weights
}

// transform returns the liftered cepstrum of a frame. It rounds at each step as sphinxbase does.
func (e *Extractor) transform(b *Band) (cepstrum [Coefficients]float32) {
	for i := range cepstrum {
		var sum float32
		for j, c := range e.cosines[i] {
			sum = float32(float64(sum) + b[j]*float64(c))
		}
		cepstrum[i] = sum * e.scales[i] * e.lifters[i]
	}
	return cepstrum
}
