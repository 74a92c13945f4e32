package main

import (
	"fmt"
	"math"
	"time"

	"parley/internal/speech/punctuation"
)

// tally counts correct, wrong and missed marks of each kind.
type tally [4]struct{ correct, wrong, missed int }

func (t tally) f1(marks ...punctuation.Mark) float64 {
	correct, all := 0, 0
	for _, m := range marks {
		correct += t[m].correct
		all += 2*t[m].correct + t[m].wrong + t[m].missed
	}
	return 100 * 2 * float64(correct) / float64(max(all, 1))
}

func (t tally) micro() float64 {
	return t.f1(punctuation.Comma, punctuation.Period, punctuation.Question)
}

// String prints F1 in percent.
func (t tally) String() string {
	return fmt.Sprintf(". %.1f  , %.1f  ? %.1f  all %.1f", t.f1(punctuation.Period), t.f1(punctuation.Comma),
		t.f1(punctuation.Question), t.micro())
}

// measure scores a function that sets marks.
func measure(texts []text, set func(text) []punctuation.Mark) tally {
	var total tally
	for _, t := range texts {
		for i, m := range set(t) {
			if m == t.marks[i] {
				total[m].correct++
			} else {
				total[m].wrong++
				total[t.marks[i]].missed++
			}
		}
	}
	return total
}

// bestPause scores the baseline with a sentence end at each pause of at least the best length, chosen on the same
// texts.
func bestPause(texts []text) tally {
	var top tally
	for limit := 100 * time.Millisecond; limit <= 2*time.Second; limit += 100 * time.Millisecond {
		t := measure(texts, func(t text) []punctuation.Mark {
			marks := make([]punctuation.Mark, len(t.tokens))
			for i, token := range t.tokens {
				if token.Pause >= limit || token.Turn || i+1 == len(t.tokens) {
					marks[i] = punctuation.Period
				}
			}
			return marks
		})
		if t.micro() > top.micro() {
			top = t
		}
	}
	return top
}

// A shift must have a minimum gain and is limited, because the tuning dialogues do not represent all speech.
const (
	shiftGain  = 0.1 // points of F1
	shiftLimit = 0.9
)

// shift chooses the bias of each mark that maximises the mean of F1 over all marks and F1 of each.
func shift(model *punctuation.Model, texts []text) *punctuation.Model {
	var shifts [3]float64
	value := func(s [3]float64) float64 {
		m := model.Shifted(s[0], s[1], s[2])
		t := measure(texts, func(t text) []punctuation.Mark { return m.Marks(t.tokens, nil) })
		return t.micro() + (t.f1(punctuation.Period)+t.f1(punctuation.Comma)+t.f1(punctuation.Question))/3
	}
	top := value(shifts)
	for _, step := range []float64{0.4, 0.2} {
		for k := range shifts {
			for _, by := range []float64{step, -step} {
				for {
					tried := shifts
					tried[k] += by
					v := value(tried)
					if v <= top+shiftGain || math.Abs(tried[k]) > shiftLimit {
						break
					}
					shifts, top = tried, v
				}
			}
		}
	}
	fmt.Printf("shifts %.1f\n", shifts)
	return model.Shifted(shifts[0], shifts[1], shifts[2])
}
