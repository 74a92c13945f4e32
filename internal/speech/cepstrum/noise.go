package cepstrum

// Constants of sphinxbase's noise removal.
const (
	smoothing  = 0.7   // of the power over time
	rising     = 0.995 // of an envelope below the power
	falling    = 0.5   // of an envelope above it
	fading     = 0.85  // of the peak that masks what follows
	masked     = 0.2   // share of the peak that masked power is lifted to
	greatest   = 20    // gain
	neighbours = 4     // filters on each side over which gains are averaged
)

// removeNoise takes steady noise out of the powers of the first so many filters: a lower envelope of the
// smoothed power is the noise (Doblinger 1995); what follows a peak closely is masked (Kim and Stern 2010).
func removeNoise(bands []Band, used int) {
	if len(bands) == 0 {
		return
	}
	n := newNoise(bands[0], used)
	for i := range bands {
		n.remove(&bands[i])
	}
}

// noise is what is known of the frames so far.
type noise struct {
	used                      int
	power, level, floor, peak Band
}

func newNoise(first Band, used int) *noise {
	n := &noise{used: used, power: first}
	for i, p := range first {
		n.level[i], n.floor[i] = p/greatest, p/greatest
	}
	return n
}

// remove takes the noise out of the next frame.
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

// follow moves a lower envelope: slowly up, quickly down.
func follow(envelope *float64, value float64) {
	speed := rising
	if value < *envelope {
		speed = falling
	}
	*envelope = speed**envelope + (1-speed)*value
}

// mask lifts a signal that is hidden behind a peak shortly before.
func (n *noise) mask(i int, signal float64) float64 {
	n.peak[i] *= fading
	heard := signal
	if signal < fading*n.peak[i] {
		heard = n.peak[i] * masked
	}
	n.peak[i] = max(n.peak[i], signal)
	return heard
}
