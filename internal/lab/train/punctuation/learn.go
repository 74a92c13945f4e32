package main

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"parley/internal/speech/punctuation"
)

// Hyperparameters, chosen on the tuning talks.
const (
	epochs   = 12   // each simulates all talks anew
	warm     = 3    // epochs that are excluded from the averaged weights
	rate     = 0.12 // learning rate of AdaGrad (Duchi, Hazan & Singer 2011)
	frequent = 4    // minimum number of occurrences of a feature
	keep     = 0.5  // share of the features kept at each step (dropout, Srivastava et al. 2014)
	decay    = 2e-6 // L2 regularisation per step, for the weights in use
)

// learner fits a log-linear model (multinomial logistic regression) to the true marks, with the true beginning of each
// sentence as input.
type learner struct {
	known    map[uint32]int32 // number of each frequent feature
	learnt   []punctuation.FeatureWeights
	gradient [][3]float32 // sums of squares
	features []uint32     // of the current token, as extracted
	numbers  []int32      // those that are known and not dropped out
	random   *rand.Rand
}

func learn(p parts, random *rand.Rand) *punctuation.Model {
	l := &learner{random: random, known: map[uint32]int32{}}
	l.count(simulateAll(p.train, random, 1))
	tune := simulateAll(p.tune, random, 1)
	sum := make([][3]float32, len(l.learnt))
	for epoch := range epochs {
		l.pass(simulateAll(p.train, random, 1))
		fmt.Printf("epoch %d: loss of the talks to tune on %.4f\n", epoch+1, l.loss(tune))
		if epoch < warm {
			continue
		}
		for i, f := range l.learnt {
			for k, w := range f.Weights {
				sum[i][k] += w / (epochs - warm)
			}
		}
	}
	for i := range l.learnt {
		l.learnt[i].Weights = sum[i]
	}
	fmt.Printf("averaged: loss of the talks to tune on %.4f\n", l.loss(tune))
	return punctuation.NewModel(l.learnt)
}

// pass trains on each text once, in random order.
func (l *learner) pass(texts []text) {
	l.random.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
	l.each(texts, func(mark punctuation.Mark) {
		l.choose(keep)
		l.step(mark)
	})
}

// count counts the features of the texts and keeps the frequent ones.
func (l *learner) count(texts []text) {
	seen := map[uint32]int{}
	l.each(texts, func(_ punctuation.Mark) {
		for _, f := range l.features {
			seen[f]++
		}
	})
	for f, n := range seen {
		if n >= frequent {
			l.learnt = append(l.learnt, punctuation.FeatureWeights{Feature: f})
		}
	}
	slices.SortFunc(l.learnt, func(a, b punctuation.FeatureWeights) int {
		return cmp.Or(cmp.Compare(seen[b.Feature], seen[a.Feature]), cmp.Compare(a.Feature, b.Feature))
	})
	for i, f := range l.learnt {
		l.known[f.Feature] = int32(i)
	}
	l.gradient = make([][3]float32, len(l.learnt))
	fmt.Printf("%d of %d features are frequent enough\n", len(l.known), len(seen))
}

// each calls visit for each token of the texts, with its features set. It skips the last token of a text, whose mark is
// always an end.
func (l *learner) each(texts []text, visit func(punctuation.Mark)) {
	for _, t := range texts {
		e, first := punctuation.NewExtractor(t.tokens), 0
		for i := range len(t.tokens) - 1 {
			l.features = e.Features(first, i, l.features[:0])
			visit(t.marks[i])
			if t.marks[i] >= punctuation.Period {
				first = i + 1
			}
		}
	}
}

// choose keeps each frequent feature with a probability (dropout).
func (l *learner) choose(probability float64) {
	l.numbers = l.numbers[:0]
	for _, f := range l.features {
		if n, known := l.known[f]; known && (probability == 1 || l.random.Float64() < probability) {
			l.numbers = append(l.numbers, n)
		}
	}
}

// loss returns the mean loss without training.
func (l *learner) loss(texts []text) float64 {
	loss, n := 0.0, 0
	l.each(texts, func(mark punctuation.Mark) {
		l.choose(1)
		loss -= math.Log(l.probabilities(1)[mark])
		n++
	})
	return loss / float64(n)
}

// probabilities returns the probabilities of the marks, with the weights scaled to compensate for dropout.
func (l *learner) probabilities(scale float64) (p [4]float64) {
	for _, n := range l.numbers {
		for k, w := range l.learnt[n].Weights {
			p[k+1] += float64(w)
		}
	}
	sum := 0.0
	for m := range p {
		p[m] = math.Exp(min(scale*p[m], 50))
		sum += p[m]
	}
	for m := range p {
		p[m] /= sum
	}
	return p
}

// step moves the weights of the kept features towards the true mark.
func (l *learner) step(mark punctuation.Mark) {
	p := l.probabilities(1 / keep)
	for k := range 3 {
		delta := float32(p[k+1])
		if int(mark) == k+1 {
			delta--
		}
		for _, n := range l.numbers {
			w, sum := &l.learnt[n].Weights[k], &l.gradient[n][k]
			g := delta + decay**w
			*sum += g * g
			*w -= rate * g / (float32(math.Sqrt(float64(*sum))) + 1e-6)
		}
	}
}
