package talk

import (
	"math"
	"slices"
	"time"

	"parley/internal/words/list"
	"parley/internal/words/transcript"
)

// round rounds to a number of decimals. NaN, infinities and negative zero become 0.
func round(value float64, decimals int) float64 {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return 0
	}
	scale := math.Pow10(decimals)
	return math.Round(value*scale)/scale + 0
}

// ratio divides two durations; it is 0 if the whole is 0.
func ratio(part, whole time.Duration) float64 { return round(part.Seconds()/whole.Seconds(), 2) }

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

func longest(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	return slices.Max(values)
}

// deviation returns the population standard deviation.
func deviation(values []float64) float64 {
	m, sum := mean(values), 0.0
	for _, v := range values {
		sum += (v - m) * (v - m)
	}
	return math.Sqrt(sum / float64(len(values)))
}

// first and last return the outer thirds of a list: at least one element, unless the list is empty.
func first[T any](list []T) []T { return list[:third(len(list))] }
func last[T any](list []T) []T  { return list[len(list)-third(len(list)):] }

func third(n int) int { return (n + 2) / 3 }

// rate returns a party's words per minute within a window of the call, not rounded. It divides the number of words
// outside overtalk by the time the party talks, including pauses up to ratePause, minus overtalk. Redacted words are
// ignored, because their number is unknown.
func (c *call) rate(p party, window stretch) float64 {
	overtalk := list.Map(c.incidents, func(in incident) stretch { return in.stretch })
	words, next := 0, 0
	known := spoken(p.words)
	for _, w := range known {
		for next < len(overtalk) && overtalk[next].To <= w.Start {
			next++
		}
		free := next == len(overtalk) || overtalk[next].From >= w.End
		if free && w.Start >= window.From && w.Start < window.To {
			words++
		}
	}
	talk := time.Duration(0)
	for _, s := range clip(joined(known, ratePause+within), window) {
		talk += s.Length() - total(clip(overtalk, s))
	}
	if talk <= 0 {
		return 0
	}
	return float64(words) / talk.Minutes()
}

// spoken returns the words that are not redacted.
func spoken(words []transcript.Word) []transcript.Word {
	return slices.DeleteFunc(slices.Clone(words), func(w transcript.Word) bool { return w.Kind != transcript.Spoken })
}

func (c *call) whole() stretch { return stretch{From: 0, To: c.length + within} }

// rateChange divides the rate in the last third of the call by the rate in its first third.
func (c *call) rateChange(p party) float64 {
	third := c.length / 3
	return round(c.rate(p, stretch{From: c.length - third, To: c.length + within})/c.rate(p,
		stretch{From: 0, To: third}), 2)
}

// share returns the share of the call that is overtalk started in one of the given ways.
func (c *call) share(by ...interrupter) float64 {
	var sum time.Duration
	for _, in := range c.incidents {
		if slices.Contains(by, in.by) {
			sum += in.Length()
		}
	}
	return ratio(sum, c.length)
}

func (c *call) count(by interrupter) float64 {
	n := 0
	for _, in := range c.incidents {
		if in.by == by {
			n++
		}
	}
	return float64(n)
}

// talkRatio returns a party's share of the time in which the agent or the caller talks.
func (c *call) talkRatio(p party) float64 {
	either, _ := transcript.Talking([][]stretch{c.agent.speech, c.caller.speech})
	return ratio(total(p.speech), total(either))
}

func (c *call) streaks() []float64 {
	var all []float64
	for _, p := range c.parties {
		all = append(all, p.streaks...)
	}
	return all
}

// volumes returns the volume of every word that has voice features.
func volumes(words []transcript.Word) []float64 {
	var list []float64
	for _, w := range words {
		if w.Voice != nil {
			list = append(list, w.Voice.Volume)
		}
	}
	return list
}

// pitches returns the dominant frequency of the voiced words.
func pitches(words []transcript.Word) []float64 {
	var list []float64
	for _, w := range words {
		if w.Voice == nil || len(w.Voice.Peaks) == 0 {
			continue
		}
		if f := w.Voice.Peaks[0].Frequency; f >= lowestPitch && f <= highestPitch {
			list = append(list, f)
		}
	}
	return list
}

// toneChange divides the mean of a feature over the last third of a party's words by its mean over the first third; 1
// if there are fewer than three words, 0 without voice features.
func (c *call) toneChange(p party, feature func([]transcript.Word) []float64) float64 {
	if !c.stereo || !c.voiced {
		return 0
	}
	words := withVoice(p.words)
	if len(words) < 3 {
		return 1
	}
	return round(mean(feature(last(words)))/mean(feature(first(words))), 2)
}

// withVoice returns the words with voice features. Redacted words have none.
func withVoice(words []transcript.Word) []transcript.Word {
	return slices.DeleteFunc(slices.Clone(words), func(w transcript.Word) bool { return w.Voice == nil })
}

// sentimentChange returns start minus end of the rounded scores, so that the displayed numbers add up.
func sentimentChange(scores []float64) float64 {
	return round(score(first(scores))-score(last(scores)), 2)
}

func score(scores []float64) float64 { return round(mean(scores), 2) }
