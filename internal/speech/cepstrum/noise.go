package cepstrum

// Constants of sphinxbase's noise removal.
const (
	smoothing  = 0.7   // of the power over time
	rising     = 0.995 // of an envelope below the power, per frame
	falling    = 0.5   // of an envelope above the power, per frame
	fading     = 0.85  // of the masking peak, per frame
	masked     = 0.2   // masked power is raised to this share of the peak
	greatest   = 20    // maximum gain
	neighbours = 4     // filters on each side over which gains are smoothed
)

// removeNoise removes steady noise from the powers of the first used filters. A lower envelope of the smoothed power
// estimates the noise (Doblinger 1995); power shortly after a peak is masked (Kim and Stern 2010).
func removeNoise(bands []Band, used int) {
	if len(bands) == 0 {
		return
	}
	n := &noise{used: used, power: bands[0]}
	for i, p := range n.power {
		n.level[i], n.floor[i] = p/greatest, p/greatest
	}
	for i := range bands {
		n.remove(&bands[i])
	}
}

// noise is the state of the noise removal.
type noise struct {
	used                      int
	power, level, floor, peak Band
}

// remove removes the noise from the next frame.
func (n *noise) remove(b *Band) {
	var gains Band
	for i := range n.used {
		n.power[i] = smoothing*n.power[i] + (1-smoothing)*b[i]
		follow(&n.level[i], n.power[i])
		signal := max(n.power[i]-n.level[i], 1)
		follow(&n.floor[i], signal)
		signal = max(n.mask(i, signal), n.floor[i])
		gains[i] = greatest
		if signal < greatest*n.power[i] {
			gains[i] = signal / n.power[i]
		}
		gains[i] = max(gains[i], 1.0/greatest)
	}
	for i := range n.used {
		from, to := max(i-neighbours, 0), min(i+neighbours, n.used-1)
		sum := 0.0
		for _, g := range gains[from : to+1] {
			sum += g
		}
		b[i] *= sum / float64(to-from+1)
	}
}

// follow updates a lower envelope: slowly upwards, quickly downwards.
func follow(envelope *float64, value float64) {
	speed := rising
	if value < *envelope {
		speed = falling
	}
	*envelope = speed**envelope + (1-speed)*value
}

// mask raises a signal that is masked by a recent peak.
func (n *noise) mask(i int, signal float64) float64 {
	n.peak[i] *= fading
	heard := signal
	if signal < fading*n.peak[i] {
		heard = n.peak[i] * masked
	}
	n.peak[i] = max(n.peak[i], signal)
	return heard
}
