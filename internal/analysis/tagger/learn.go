package tagger

import (
	"compress/gzip"
	"io"
	"math"
	"math/rand/v2"
	"slices"
)

// Learn trains a tagger on tagged sentences. It does not learn from tokens with the tag Other. The algorithm is an
// averaged perceptron (Collins, "Discriminative training methods for hidden Markov models", EMNLP 2002) that tags from
// left to right. It is deterministic.
func Learn(l *Lexicon, sentences [][]Token, rounds int) *Tagger {
	p := &perceptron{weights: make([][tags]float32, rowsAll), sums: make([][tags]float64, rowsAll),
		since: make([][tags]int32, rowsAll)}
	g := &Tagger{lexicon: l, rows: make([]row, rowsAll)}
	read := make([]*sentence, len(sentences))
	for i, tokens := range sentences {
		read[i] = g.read(slices.Clone(tokens))
	}
	order := rand.New(rand.NewPCG(1, 2))
	for range rounds {
		for _, i := range order.Perm(len(read)) {
			p.learn(read[i], sentences[i])
		}
	}
	p.quantize(g.rows)
	return g
}

// perceptron holds the weights during training.
type perceptron struct {
	weights [][tags]float32
	sums    [][tags]float64 // sum of the weights over all steps up to since
	since   [][tags]int32
	step    int32
}

// learn tags a sentence and updates the weights for wrong tags.
func (p *perceptron) learn(s *sentence, right []Token) {
	for i := range s.tokens {
		if s.inputs[i].certain {
			s.tokens[i].Tag = s.inputs[i].fixed
			continue
		}
		features := s.features(i)
		var scores [tags]float32
		for _, f := range features {
			for t, w := range p.weights[f] {
				scores[t] += w
			}
		}
		best := highest(&scores)
		p.step++
		if want := right[i].Tag; want != Other && want != best {
			for _, f := range features {
				p.add(f, want, 1)
				p.add(f, best, -1)
			}
		}
		s.tokens[i].Tag = best
	}
}

func (p *perceptron) add(f uint32, t Tag, by float32) {
	p.sums[f][t] += float64(p.weights[f][t]) * float64(p.step-p.since[f][t])
	p.since[f][t] = p.step
	p.weights[f][t] += by
}

// quantize converts the averaged weights to bytes.
func (p *perceptron) quantize(rows []row) {
	var squares float64
	n := 0
	for f := range p.weights {
		for t := range p.weights[f] {
			p.add(uint32(f), Tag(t), 0)
			if v := p.sums[f][t] / float64(p.step); v != 0 {
				squares, n = squares+v*v, n+1
			}
		}
	}
	unit := math.Sqrt(squares/float64(max(n, 1))) / 12 // few weights exceed ten times the root mean square
	for f := range p.weights {
		for t := range p.weights[f] {
			v := math.Round(p.sums[f][t] / float64(p.step) / unit)
			rows[f][t] = int8(min(max(v, -127), 127))
		}
	}
}

// Write writes the format that Read reads.
func (g *Tagger) Write(w io.Writer) error {
	packed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	buffer := make([]byte, tags)
	for i := range g.rows {
		for t := range buffer {
			buffer[t] = byte(g.rows[i][t])
		}
		if _, err := packed.Write(buffer); err != nil {
			return err
		}
	}
	return packed.Close()
}

// Retag tags existing tokens, for evaluation.
func (g *Tagger) Retag(tokens []Token) []Token { return g.tagAll(slices.Clone(tokens)) }
