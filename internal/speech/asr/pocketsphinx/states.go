package pocketsphinx

import (
	"math"
	"strings"

	"parley/internal/speech/cmllr"
)

// observation is a frame of the utterance with its first and second differences.
type observation [cmllr.Streams]cmllr.Vector

// observe appends differences to cepstra as the model defines them: first differences over four frames, second ones
// over two. Frames beyond the ends repeat the end.
func observe(cepstra [][cmllr.Size]float32) []observation {
	at := func(i, j int) float64 { return float64(cepstra[min(max(i, 0), len(cepstra)-1)][j]) }
	o := make([]observation, len(cepstra))
	for t := range o {
		for j := range cmllr.Size {
			o[t][0][j] = at(t, j)
			o[t][1][j] = at(t+2, j) - at(t-2, j)
			o[t][2][j] = at(t+3, j) - at(t-1, j) - at(t+1, j) + at(t-3, j)
		}
	}
	return o
}

// state is one state in the state sequence of a word.
type state struct {
	phone int
	index int // in the model
}

// word returns the states of a pronunciation; nil if the model lacks a phone.
func (m *acousticModel) word(phones string) []state {
	silence, ok := m.phones["SIL"]
	if !ok {
		return nil
	}
	names := strings.Fields(phones)
	numbers := make([]int, len(names))
	for i, n := range names {
		if numbers[i], ok = m.phones[n]; !ok {
			return nil
		}
	}
	var states []state
	for i, p := range numbers {
		before, after, place := silence, silence, inside
		if i > 0 {
			before = numbers[i-1]
		} else {
			place = first
		}
		switch {
		case i < len(numbers)-1:
			after = numbers[i+1]
		case place == first:
			place = single
		default:
			place = last
		}
		for _, s := range m.sequence(p, before, after, place) {
			states = append(states, state{p, int(s)})
		}
	}
	return states
}

// scores are the log densities of a phone's Gaussians at a frame.
type scores [cmllr.Streams][]float64

func (m *acousticModel) score(phone int, o *observation) *scores {
	var s scores
	for stream := range s {
		s[stream] = make([]float64, m.density)
		for g := range s[stream] {
			q := &m.gaussians[phone][stream][g]
			sum := q.norm
			for i, x := range o[stream] {
				d := x - q.mean[i]
				sum -= d * d / (2 * q.variance[i])
			}
			s[stream][g] = sum
		}
	}
	return &s
}

// shares computes the share of each Gaussian of a stream in a state's density, and returns the log density.
func (m *acousticModel) shares(s *scores, stream, index int, into []float64) float64 {
	most := math.Inf(-1)
	for g := range into {
		into[g] = s[stream][g] - weightStep*float64(m.weights[stream][g*m.states+index])
		most = max(most, into[g])
	}
	sum := 0.0
	for g := range into {
		into[g] = math.Exp(into[g] - most)
		sum += into[g]
	}
	for g := range into {
		into[g] /= sum
	}
	return most + math.Log(sum)
}

// way is the most likely state sequence for some frames.
type way struct {
	states []state   // by frame
	scores []*scores // of the phone of each frame
	log    float64
}

// align finds the best path through all states of a word. It returns false if there are fewer frames than states.
// Each state can be followed by itself or the next one.
func (m *acousticModel) align(states []state, frames []observation) (*way, bool) {
	if len(states) == 0 || len(frames) < len(states) {
		return nil, false
	}
	scratch := make([]float64, m.density)
	known := make([]map[int]*scores, len(frames))
	best := make([]float64, len(states))
	moved := make([][]bool, len(frames))
	for t := range frames {
		known[t], moved[t] = map[int]*scores{}, make([]bool, len(states))
		for i := len(states) - 1; i >= 0; i-- {
			from := math.Inf(-1)
			switch {
			case t == 0 && i == 0:
				from = 0
			case t > 0:
				from = best[i]
				if i > 0 && best[i-1] > from {
					from, moved[t][i] = best[i-1], true
				}
			}
			if math.IsInf(from, -1) {
				best[i] = from
				continue
			}
			s := known[t][states[i].phone]
			if s == nil {
				s = m.score(states[i].phone, &frames[t])
				known[t][states[i].phone] = s
			}
			for stream := range s {
				from += m.shares(s, stream, states[i].index, scratch)
			}
			best[i] = from
		}
	}
	p := &way{states: make([]state, len(frames)), scores: make([]*scores, len(frames)), log: best[len(states)-1]}
	for t, i := len(frames)-1, len(states)-1; t >= 0; t-- {
		p.states[t], p.scores[t] = states[i], known[t][states[i].phone]
		if moved[t][i] {
			i--
		}
	}
	return p, !math.IsInf(p.log, -1)
}

// gather adds the statistics of a path's frames.
func (m *acousticModel) gather(s *cmllr.Statistics, p *way, frames []observation) {
	shares := make([]float64, m.density)
	for t, at := range p.states {
		for stream := range cmllr.Streams {
			m.shares(p.scores[t], stream, at.index, shares)
			var precision, pull cmllr.Vector
			for g, share := range shares {
				if share < 1e-4 {
					continue
				}
				q := &m.gaussians[at.phone][stream][g]
				for i := range precision {
					precision[i] += share / q.variance[i]
					pull[i] += share * q.mean[i] / q.variance[i]
				}
			}
			s.Add(stream, &frames[t][stream], &precision, &pull)
		}
	}
}
