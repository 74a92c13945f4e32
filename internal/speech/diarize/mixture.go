package diarize

import "math"

// mixture is a Gaussian mixture with diagonal covariances that models the voice of one speaker.
type mixture []component

type component struct {
	weight         float64 // logarithm, including the constant of the Gaussian
	mean, inverted [width]float64
}

// logLikelihood returns the log-likelihood of the most likely component, which approximates that of the mixture.
func (m mixture) logLikelihood(row *[width]float32) float64 {
	best := math.Inf(-1)
	for c := range m {
		best = max(best, m[c].logLikelihood(row))
	}
	return best
}

func (c *component) logLikelihood(row *[width]float32) float64 {
	sum := 0.0
	for i, x := range row {
		d := float64(x) - c.mean[i]
		sum += d * d * c.inverted[i]
	}
	return c.weight - 0.5*sum
}

// train fits a mixture with up to size components by expectation maximisation. Components are split until there are
// enough (Linde, Buzo and Gray 1980), and those without frames are dropped; very few frames give none. floor is the
// minimum variance.
func train(rows [][width]float32, size int, floor [width]float64) mixture {
	all := make(shares, 1)
	for i := range rows {
		all[0].add(&rows[i], 1)
	}
	m := all.fit(floor)
	for goal := 1; goal < size && len(m) > 0; {
		goal = min(2*goal, size)
		m = m.split(goal)
		for range 4 {
			m = m.improve(rows, floor)
		}
	}
	return m
}

// shares are the sums over the frames assigned to each component.
type shares []share

type share struct {
	n           float64
	sum, square [width]float64
}

func (s *share) add(row *[width]float32, weight float64) {
	s.n += weight
	for i := range width {
		x := float64(row[i])
		s.sum[i] += weight * x
		s.square[i] += weight * x * x
	}
}

func (s shares) fit(floor [width]float64) mixture {
	total := 0.0
	for i := range s {
		total += s[i].n
	}
	var m mixture
	for i := range s {
		if s[i].n < 2 {
			continue
		}
		var c component
		c.weight = math.Log(s[i].n / total)
		for k := range width {
			c.mean[k] = s[i].sum[k] / s[i].n
			variance := max(s[i].square[k]/s[i].n-c.mean[k]*c.mean[k], floor[k])
			c.inverted[k] = 1 / variance
			c.weight -= 0.5 * math.Log(2*math.Pi*variance)
		}
		m = append(m, c)
	}
	return m
}

func (m mixture) split(size int) mixture {
	out := append(mixture{}, m...)
	for i := range m {
		if len(out) == size {
			break
		}
		other := m[i]
		for k := range width {
			shift := 0.2 / math.Sqrt(m[i].inverted[k])
			out[i].mean[k] -= shift
			other.mean[k] += shift
		}
		out[i].weight -= math.Ln2
		other.weight -= math.Ln2
		out = append(out, other)
	}
	return out
}

func (m mixture) improve(rows [][width]float32, floor [width]float64) mixture {
	s := make(shares, len(m))
	part := make([]float64, len(m))
	for i := range rows {
		row := &rows[i]
		total := 0.0
		best := math.Inf(-1)
		for c := range m {
			part[c] = m[c].logLikelihood(row)
			best = max(best, part[c])
		}
		for c := range m {
			part[c] = math.Exp(part[c] - best)
			total += part[c]
		}
		for c := range m {
			if p := part[c] / total; p > 1e-3 {
				s[c].add(row, p)
			}
		}
	}
	return s.fit(floor)
}
