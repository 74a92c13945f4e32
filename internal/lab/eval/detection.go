package eval

import (
	"time"

	"parley/internal/words/sound"
)

// Detection compares found speech with a reference.
type Detection struct {
	Speech, Silence    time.Duration // of the reference
	Missed, FalseAlarm time.Duration // speech that was not found; silence classified as speech
}

// MissRate returns the share of the speech that was missed.
func (d Detection) MissRate() float64 { return float64(d.Missed) / float64(max(d.Speech, 1)) }

// FalseAlarmRate returns the share of the silence that was classified as speech.
func (d Detection) FalseAlarmRate() float64 {
	return float64(d.FalseAlarm) / float64(max(d.Silence, 1))
}

// Detect compares found speech with the reference in steps of 10 ms. Reference segments may overlap where several
// people speak at the same time.
func Detect(reference, found []sound.Segment, length time.Duration) Detection {
	const step = 10 * time.Millisecond
	there, heard := raster(reference, length, step), raster(found, length, step)
	var d Detection
	for i := range there {
		switch {
		case there[i] && heard[i]:
			d.Speech += step
		case there[i]:
			d.Speech, d.Missed = d.Speech+step, d.Missed+step
		case heard[i]:
			d.Silence, d.FalseAlarm = d.Silence+step, d.FalseAlarm+step
		default:
			d.Silence += step
		}
	}
	return d
}

func raster(segments []sound.Segment, length, step time.Duration) []bool {
	marks := make([]bool, length/step)
	for _, s := range segments {
		for i := max(s.Start, 0) / step; i < min(s.End/step, time.Duration(len(marks))); i++ {
			marks[i] = true
		}
	}
	return marks
}
