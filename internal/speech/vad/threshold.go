package vad

import (
	"slices"
	"time"
)

// The threshold is a share of the distance from the noise floor to the level of speech, in dB. A short distance means
// loud noise; a smaller share then catches soft sounds.
const (
	floorPercentile  = 10
	speechPercentile = 95
	shareWideband    = 0.25
	shareTelephone   = 0.5
	fullWay          = 60               // dB; the share is at most the distance divided by this
	leastRise        = 5                // dB over the floor, so that steady noise is not detected as speech
	mostFade         = 10               // dB by which a passage may be quieter than the recording's speech
	passage          = 30 * time.Second // has its own threshold, computed from it and its two neighbours
)

// mark reports for each frame whether it is loud enough to be speech.
func mark(levels []float32, kind Kind) []bool {
	marks := make([]bool, len(levels))
	if len(marks) == 0 {
		return marks
	}
	share := shareWideband
	if kind == Telephone {
		share = shareTelephone
	}
	_, overall := rangeOf(levels)
	step := int(passage / hop)
	for from := 0; from < len(marks); from += step {
		to := min(from+step, len(marks))
		floor, speech := rangeOf(levels[max(from-step, 0):min(to+step, len(marks))])
		way := max(speech, overall-mostFade) - floor
		rise := max(min(share, way/fullWay)*way, leastRise)
		for i := from; i < to; i++ {
			marks[i] = float64(levels[i]) > floor+rise
		}
	}
	return marks
}

// rangeOf returns the levels of noise and speech in a stretch.
func rangeOf(levels []float32) (floor, speech float64) {
	sorted := slices.Clone(levels)
	slices.Sort(sorted)
	at := func(percentile int) float64 { return float64(sorted[len(sorted)*percentile/100]) }
	return at(floorPercentile), at(speechPercentile)
}
