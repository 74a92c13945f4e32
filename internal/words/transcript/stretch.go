package transcript

import "time"

// Stretch is a stretch of time.
type Stretch struct{ From, To time.Duration }

// Length is negative for what ends before it begins.
func (s Stretch) Length() time.Duration { return s.To - s.From }

// Common returns what two stretches share; its length is zero or negative where they are apart.
func (s Stretch) Common(o Stretch) Stretch { return Stretch{max(s.From, o.From), min(s.To, o.To)} }

// Extended returns stretches of speech with the word that comes next. Less than gap behind the last one it belongs to
// that.
func Extended(list []Stretch, w *Word, gap time.Duration) []Stretch {
	if n := len(list); n > 0 && w.Start-list[n-1].To < gap {
		list[n-1].To = max(list[n-1].To, w.End)
		return list
	}
	return append(list, Stretch{w.Start, w.End})
}
