package diarize

import "slices"

const (
	mostComponents  = 8     // per mixture
	componentFrames = 300   // minimum per component
	mostTraining    = 30000 // maximum number of frames to train a mixture on; more are sampled evenly
	takeover        = 66.0  // negative log probability of a speaker change within speech
	answer          = 33.0  // negative log probability of a speaker change after a pause
)

// resegment trains a mixture on each speaker's frames and computes the most likely labels under them (Viterbi 1967),
// the given number of times.
func (t *timeline) resegment(l labels, times int) labels {
	for range times {
		models := t.mixtures(l)
		if len(models) < 2 {
			return make(labels, len(t.cells))
		}
		l = t.decode(models)
	}
	return l
}

func (t *timeline) decode(models []mixture) labels {
	score, next := make([]float64, len(models)), make([]float64, len(models))
	before := make([]uint8, len(t.cells)*len(models))
	for i, c := range t.cells {
		top := slices.Index(score, slices.Max(score))
		change := takeover
		if c.first {
			change = answer
		}
		for s, m := range models {
			from := s
			if score[top]-change > score[s] {
				from, next[s] = top, score[top]-change
			} else {
				next[s] = score[s]
			}
			before[i*len(models)+s] = uint8(from)
			for k := c.from; k < c.to; k++ {
				row := t.row(k)
				next[s] += m.logLikelihood(&row)
			}
		}
		score, next = next, score
	}
	return trace(score, before)
}

// trace follows the best path backwards.
func trace(score []float64, before []uint8) labels {
	best := slices.Index(score, slices.Max(score))
	l := make(labels, len(before)/len(score))
	for i := len(l) - 1; i >= 0; i-- {
		l[i] = best
		best = int(before[i*len(score)+best])
	}
	return l.compact()
}

// mixtures trains a mixture per speaker, on at most mostTraining evenly spaced frames.
func (t *timeline) mixtures(l labels) []mixture {
	frames := make([]int, l.count())
	for i, speaker := range l {
		if speaker >= 0 {
			frames[speaker] += t.cells[i].to - t.cells[i].from
		}
	}
	var models []mixture
	for speaker, n := range frames {
		rows := t.some(l, speaker, (n+mostTraining-1)/mostTraining, n)
		if m := train(rows, min(mostComponents, max(n/componentFrames, 1)), t.floor); m != nil {
			models = append(models, m)
		}
	}
	return models
}

// some returns every step-th of the n frames of a speaker.
func (t *timeline) some(l labels, speaker, step, n int) [][width]float32 {
	rows := make([][width]float32, 0, min(n, mostTraining))
	at := 0
	for i, who := range l {
		if who != speaker {
			continue
		}
		for k := t.cells[i].from; k < t.cells[i].to; k++ {
			if at%step == 0 {
				rows = append(rows, t.row(k))
			}
			at++
		}
	}
	return rows
}
