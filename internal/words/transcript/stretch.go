package transcript

import "time"

// Stretch is a stretch of time.
type Stretch struct{ From, To time.Duration }

// Length returns the duration; it is negative if the stretch ends before it begins.
func (s Stretch) Length() time.Duration { return s.To - s.From }

// Common returns the intersection of two stretches; its length is zero or negative if they do not overlap.
func (s Stretch) Common(o Stretch) Stretch { return Stretch{max(s.From, o.From), min(s.To, o.To)} }

// Extended adds the next word to stretches of speech. A word less than gap after the last stretch extends it.
func Extended(list []Stretch, w *Word, gap time.Duration) []Stretch {
	if n := len(list); n > 0 && w.Start-list[n-1].To < gap {
		list[n-1].To = max(list[n-1].To, w.End)
		return list
	}
	return append(list, Stretch{w.Start, w.End})
}
