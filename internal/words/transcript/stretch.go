package transcript

import (
	"cmp"
	"slices"
	"time"
)

// Stretch is a stretch of time.
type Stretch struct{ From, To time.Duration }

// Length returns the duration; it is negative if the stretch ends before it begins.
func (s Stretch) Length() time.Duration { return s.To - s.From }

// Common returns the intersection of two stretches; its length is zero or negative if they do not overlap.
func (s Stretch) Common(o Stretch) Stretch { return Stretch{max(s.From, o.From), min(s.To, o.To)} }

// Extended adds the next word to stretches of speech. A word less than gap after the last stretch extends it.
func Extended(list []Stretch, word Stretch, gap time.Duration) []Stretch {
	if n := len(list); n > 0 && word.From-list[n-1].To < gap {
		list[n-1].To = max(list[n-1].To, word.To)
		return list
	}
	return append(list, word)
}

// Talking returns the stretches in which at least one speaker talks, and those in which at least two do, given the
// stretches of speech of each speaker.
func Talking(speech [][]Stretch) (one, two []Stretch) {
	type change struct {
		at time.Duration
		by int
	}
	n := 0
	for _, list := range speech {
		n += 2 * len(list)
	}
	changes := make([]change, 0, n)
	for _, list := range speech {
		for _, s := range list {
			changes = append(changes, change{s.From, 1}, change{s.To, -1})
		}
	}
	slices.SortFunc(changes, func(a, b change) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(b.by, a.by)) })
	talking, began := 0, [3]time.Duration{}
	for _, c := range changes {
		talking += c.by
		switch {
		case c.by > 0 && talking <= 2:
			began[talking] = c.at
		case c.by < 0 && talking == 1 && c.at > began[2]:
			two = append(two, Stretch{began[2], c.at})
		case c.by < 0 && talking == 0:
			one = append(one, Stretch{began[1], c.at})
		}
	}
	return one, two
}
