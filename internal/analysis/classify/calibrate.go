package classify

import "math"

// scale converts margins to probabilities. Two classes use Platt scaling: the logistic function of slope*margin+shift.
// More classes use temperature scaling (Guo, Pleiss, Sun and Weinberger, "On Calibration of Modern Neural Networks",
// ICML 2017): the softmax of slope*margins.
type scale struct{ slope, shift float64 }

// probabilities returns one number per class; they sum to 1. For two classes there is one margin.
func (s scale) probabilities(margins []float32) []float64 {
	if len(margins) == 1 {
		p := logistic(s.slope*float64(margins[0]) + s.shift)
		return []float64{1 - p, p}
	}
	p, total := make([]float64, len(margins)), 0.0
	top := float64(margins[largest(margins)])
	for c, m := range margins {
		p[c] = math.Exp(s.slope * (float64(m) - top))
		total += p[c]
	}
	for c := range p {
		p[c] /= total
	}
	return p
}

func logistic(v float64) float64 { return 1 / (1 + math.Exp(-v)) }

// Bounds of the slope: a margin of 1 is always some evidence, but never certainty.
const (
	flattest = .1
	steepest = 20
)

// calibrate fits a scale to the margins of texts that the model was not trained on.
func calibrate(margins [][]float32, classes []int) scale {
	if len(margins) == 0 {
		return scale{slope: 1}
	}
	if len(margins[0]) == 1 {
		return platt(margins, classes)
	}
	loss := func(slope float64) float64 { return logLoss(scale{slope: slope}, margins, classes) }
	return scale{slope: math.Exp(lowest(math.Log(flattest), math.Log(steepest), func(x float64) float64 {
		return loss(math.Exp(x))
	}))}
}

// logLoss is the mean of the negative logarithm of the probabilities of the true classes.
func logLoss(s scale, margins [][]float32, classes []int) float64 {
	loss := 0.0
	for i, m := range margins {
		loss -= math.Log(max(s.probabilities(m)[classes[i]], 1e-12))
	}
	return loss / float64(len(margins))
}

// lowest returns the minimum of a unimodal function by golden-section search.
func lowest(low, high float64, f func(float64) float64) float64 {
	const golden = .6180339887498949
	a, b := high-golden*(high-low), low+golden*(high-low)
	fa, fb := f(a), f(b)
	for high-low > 1e-3 {
		if fa < fb {
			high, b, fb = b, a, fa
			a = high - golden*(high-low)
			fa = f(a)
		} else {
			low, a, fa = a, b, fb
			b = low + golden*(high-low)
			fb = f(b)
		}
	}
	return (low + high) / 2
}

// platt fits slope and shift to smoothed targets, as John Platt proposes ("Probabilistic Outputs for Support Vector
// Machines", 1999). It searches over the slope and takes the best shift for each.
func platt(margins [][]float32, classes []int) scale {
	ones := 0
	for _, c := range classes {
		ones += c
	}
	zeros := len(classes) - ones
	target := [2]float64{1 / float64(zeros+2), float64(ones+1) / float64(ones+2)}
	loss := func(s scale) float64 {
		sum := 0.0
		for i, m := range margins {
			v, t := s.slope*float64(m[0])+s.shift, target[classes[i]]
			sum += softplus(v) - t*v
		}
		return sum
	}
	shiftFor := func(slope float64) float64 {
		return lowest(-2*steepest, 2*steepest, func(shift float64) float64 { return loss(scale{slope, shift}) })
	}
	slope := math.Exp(lowest(math.Log(flattest), math.Log(steepest), func(x float64) float64 {
		slope := math.Exp(x)
		return loss(scale{slope, shiftFor(slope)})
	}))
	return scale{slope, shiftFor(slope)}
}

// softplus is log(1+exp(v)).
func softplus(v float64) float64 { return max(v, 0) + math.Log1p(math.Exp(-math.Abs(v))) }
