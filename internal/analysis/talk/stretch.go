package talk

import (
	"slices"
	"time"

	"parley/internal/words/list"
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
	for _, w := range words {
		list = transcript.Extended(list, stretch{From: w.Start, To: w.End}, gap)
	}
	return list
}

// streaks returns the length of each streak in seconds: from its first word to the end of the last word before a long
// pause.
func streaks(words []transcript.Word) []float64 {
	return list.Map(joined(words, streakPause), func(s stretch) float64 { return s.Length().Seconds() })
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

func began(agent, caller stretch) interrupter {
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
