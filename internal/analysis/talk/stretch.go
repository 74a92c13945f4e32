package talk

import (
	"cmp"
	"slices"
	"time"

	"parley/internal/words/transcript"
)

type stretch = transcript.Stretch

func total(list []stretch) time.Duration {
	var sum time.Duration
	for _, s := range list {
		sum += s.Length()
	}
	return sum
}

// clip returns the parts of stretches inside a window.
func clip(list []stretch, window stretch) []stretch {
	var inside []stretch
	for _, s := range list {
		if c := s.Common(window); c.Length() > 0 {
			inside = append(inside, c)
		}
	}
	return inside
}

// joined merges words that are less than gap apart into stretches.
func joined(words []transcript.Word, gap time.Duration) []stretch {
	var list []stretch
	for i := range words {
		list = transcript.Extended(list, &words[i], gap)
	}
	return list
}

// streaks returns the length of each streak in seconds: from its first word to the end of the last word before a long
// pause.
func streaks(words []transcript.Word) []float64 {
	var seconds []float64
	for _, s := range joined(words, streakPause) {
		seconds = append(seconds, s.Length().Seconds())
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
			two = append(two, stretch{From: began[2], To: c.at})
		case c.by < 0 && talking == 0:
			one = append(one, stretch{From: began[1], To: c.at})
		}
	}
	return one, two
}

// incidents returns the stretches in which both parties talk, in order.
func incidents(agent, caller []stretch) []incident {
	var list []incident
	for a, c := 0, 0; a < len(agent) && c < len(caller); {
		if both := agent[a].Common(caller[c]); both.Length() > 0 {
			list = append(list, incident{both, began(agent[a], caller[c])})
		}
		if agent[a].To < caller[c].To {
			a++
		} else {
			c++
		}
	}
	return list
}

func began(agent, caller stretch) later {
	switch {
	case agent.From > caller.From:
		return byAgent
	case caller.From > agent.From:
		return byCaller
	}
	return together
}

// silences counts the silences of a call that are longer than the given time.
func silences(talk []stretch, length, longer time.Duration) int {
	n, end := 0, time.Duration(0)
	for _, s := range append(slices.Clone(talk), stretch{From: length, To: length}) {
		if s.From-end > longer {
			n++
		}
		end = max(end, s.To)
	}
	return n
}
