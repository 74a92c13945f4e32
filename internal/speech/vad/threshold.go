package vad

import (
	"slices"
	"time"
)

// The threshold lies at a share of the way from the noise floor up to the level of speech. Where the way is
// short, noise is loud, and a smaller share catches soft sounds.
const (
	floorPercentile  = 10
	speechPercentile = 95
	shareWideband    = 0.25
	shareTelephone   = 0.5
	fullWay          = 60               // dB; a share is at most the way by this
	leastRise        = 5                // dB over the floor, so that steady noise is not speech
	mostFade         = 10               // dB that a passage may be quieter than the recording's speech
	passage          = 30 * time.Second // thresholds are set for each, from it and one before and behind
)

// mark tells for each frame whether it is loud enough for speech.
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

// rangeOf returns the level of the noise and of the speech in a stretch.
func rangeOf(levels []float32) (floor, speech float64) {
	sorted := slices.Clone(levels)
	slices.Sort(sorted)
	at := func(percentile int) float64 { return float64(sorted[len(sorted)*percentile/100]) }
	return at(floorPercentile), at(speechPercentile)
}
