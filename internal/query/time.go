package query

import "time"

// Time is a position in a call, or a length of time. Its amount is in milliseconds, or in thousandths of a percent of
// the call's length. FromEnd counts back from the end.
type Time struct {
	Amount  int64
	Percent bool
	FromEnd bool
}

// longest is the maximum Amount: eleven days, or ten thousand times the length of the call.
const longest = 1_000_000_000

// In returns the position in a call of the given length.
func (t Time) In(length time.Duration) time.Duration {
	at := time.Duration(t.Amount) * time.Millisecond
	if t.Percent {
		at = time.Duration(float64(length) * float64(t.Amount) / 100_000)
	}
	if t.FromEnd {
		return length - at
	}
	return at
}

// of returns the bounds of a window in a call of the given length.
func (w Window) of(length time.Duration) (from, to time.Duration) {
	to = 1<<63 - 1
	if w.From != nil {
		from = w.From.In(length)
	}
	if w.To != nil {
		to = w.To.In(length)
	}
	return from, to
}

// scale returns the factor that converts a number with the given unit to an Amount.
func scale(unit string) (factor float64, percent, ok bool) {
	switch unit {
	case "", "s", "sec":
		return 1000, false, true
	case "ms":
		return 1, false, true
	case "m", "min":
		return 60_000, false, true
	case "%":
		return 1000, true, true
	}
	return 0, false, false
}
