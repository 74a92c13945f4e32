package talk

import (
	"cmp"
	"slices"
	"time"

	"parley/internal/transcript"
)

// stretch is a stretch of time.
type stretch struct{ from, to time.Duration }

func (s stretch) length() time.Duration { return s.to - s.from }

// common returns what two stretches share; it is empty or negative where they are apart.
func (s stretch) common(o stretch) stretch { return stretch{max(s.from, o.from), min(s.to, o.to)} }

func total(list []stretch) time.Duration {
	var sum time.Duration
	for _, s := range list {
		sum += s.length()
	}
	return sum
}

// clip returns the parts of stretches that lie inside a window.
func clip(list []stretch, window stretch) []stretch {
	var inside []stretch
	for _, s := range list {
		if c := s.common(window); c.length() > 0 {
			inside = append(inside, c)
		}
	}
	return inside
}

// joined returns the stretches in which words less than gap apart follow each other.
func joined(words []transcript.Word, gap time.Duration) []stretch {
	var list []stretch
	for _, w := range words {
		if n := len(list); n > 0 && w.Start-list[n-1].to < gap {
			list[n-1].to = max(list[n-1].to, w.End)
			continue
		}
		list = append(list, stretch{w.Start, w.End})
	}
	return list
}

// streaks returns the seconds of each streak: from a first word to the end of the last one before a long pause.
func streaks(words []transcript.Word) []float64 {
	var seconds []float64
	for _, s := range joined(words, streakPause) {
		seconds = append(seconds, s.length().Seconds())
	}
	return seconds
}

// sweep returns the stretches in which at least one party talks, and those in which at least two do.
func sweep(parties []party) (one, two []stretch) {
	type change struct {
		at time.Duration
		by int
	}
	var changes []change
	for _, p := range parties {
		for _, s := range p.speech {
			changes = append(changes, change{s.from, 1}, change{s.to, -1})
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
			two = append(two, stretch{began[2], c.at})
		case c.by < 0 && talking == 0:
			one = append(one, stretch{began[1], c.at})
		}
	}
	return one, two
}

// incidents returns where both parties talk, in order.
func incidents(agent, caller []stretch) []incident {
	var list []incident
	for a, c := 0, 0; a < len(agent) && c < len(caller); {
		if both := agent[a].common(caller[c]); both.length() > 0 {
			list = append(list, incident{both, began(agent[a], caller[c])})
		}
		if agent[a].to < caller[c].to {
			a++
		} else {
			c++
		}
	}
	return list
}

func began(agent, caller stretch) later {
	switch {
	case agent.from > caller.from:
		return byAgent
	case caller.from > agent.from:
		return byCaller
	}
	return together
}

// silences returns how many silences of a call are longer than the given time.
func silences(talk []stretch, length, longer time.Duration) int {
	n, end := 0, time.Duration(0)
	for _, s := range append(slices.Clone(talk), stretch{length, length}) {
		if s.from-end > longer {
			n++
		}
		end = max(end, s.to)
	}
	return n
}
