package pocketsphinx

import (
	"math"
	"slices"
)

// scales are the weights of the scores of a path; logarithms are natural.
type scales struct {
	language  float64 // exponent of the language model's probabilities
	word      float64 // log penalty per word
	silence   float64 // log penalty per silence
	noise     float64 // log penalty per other filler
	beam      float64 // paths worse than the best by more than this are pruned
	posterior float64 // exponent that converts scores to probabilities
}

// rescoring returns the library's own weights of its last pass, except word and posterior. These were tuned on the
// first half of a call, and improved its second half as well.
func rescoring() scales {
	return scales{language: 9.5, word: -3, silence: math.Log(0.005), noise: math.Log(1e-8), beam: 120,
		posterior: 1.0 / 8}
}

// predictor returns the log probability of a word after two others, the nearest first; an empty word is unknown.
type predictor func(word, before, first string) float64

// Word numbers present in every lattice.
const (
	noWord int32 = iota // unknown or absent
	startWord
	endWord
)

// judge scores the steps of a lattice. It represents words by numbers to save memory, since a large lattice has many
// contexts.
type judge struct {
	*lattice
	scales  scales
	predict predictor
	words   []string // by number
	said    []int32  // by each node
	known   map[[3]int32]float64
}

func newJudge(l *lattice, s scales, predict predictor) *judge {
	j := &judge{lattice: l, scales: s, predict: predict, words: []string{"", "<s>", "</s>"},
		said: make([]int32, len(l.nodes)), known: map[[3]int32]float64{}}
	numbers := map[string]int32{"": noWord}
	for i := range l.nodes {
		n, seen := numbers[l.nodes[i].word]
		if !seen {
			n = int32(len(j.words))
			numbers[l.nodes[i].word], j.words = n, append(j.words, l.nodes[i].word)
		}
		j.said[i] = n
	}
	return j
}

// probability returns the log probability of a word after two others, the nearest first.
func (j *judge) probability(word, before, first int32) float64 {
	key := [3]int32{word, before, first}
	p, known := j.known[key]
	if !known {
		p = j.predict(j.words[word], j.words[before], j.words[first])
		j.known[key] = p
	}
	return p
}

// step returns the score of an exit after the given last two words.
func (j *judge) step(e exit, before, first int32) float64 {
	to := &j.nodes[e.to]
	switch {
	case e.to == j.final:
		return e.acoustic + j.scales.language*j.probability(endWord, before, first)
	case to.word != "":
		return e.acoustic + j.scales.language*j.probability(j.said[e.to], before, first) + j.scales.word
	case to.entry == "<sil>":
		return e.acoustic + j.scales.silence
	}
	return e.acoustic + j.scales.noise
}

// prune removes exits that are on no path within the beam of the best one. It scores with word pairs only.
func (l *lattice) prune(s scales, predict predictor) {
	order, j := l.order(), newJudge(l, s, predict)
	scores := make([][]float64, len(l.nodes))
	ahead, back := nothing(len(l.nodes)), nothing(len(l.nodes))
	ahead[l.initial], back[l.final] = 0, 0
	for _, n := range order {
		before := j.said[n]
		if n == l.initial {
			before = startWord
		}
		for _, e := range l.nodes[n].exits {
			score := j.step(e, before, noWord)
			scores[n] = append(scores[n], score)
			back[n] = max(back[n], score+back[e.to])
		}
	}
	for i := len(order) - 1; i >= 0; i-- {
		n := order[i]
		var kept []exit
		for k, e := range l.nodes[n].exits {
			path := ahead[n] + scores[n][k]
			ahead[e.to] = max(ahead[e.to], path)
			if path+back[e.to] >= back[l.initial]-s.beam && !math.IsInf(path+back[e.to], -1) {
				kept = append(kept, e)
			}
		}
		l.nodes[n].exits = kept
	}
}

// order returns the reachable nodes in reverse topological order: each after all of its successors.
func (l *lattice) order() []int {
	seen := make([]bool, len(l.nodes))
	var order []int
	var visit func(n int)
	visit = func(n int) {
		seen[n] = true
		for _, e := range l.nodes[n].exits {
			if !seen[e.to] {
				visit(e.to)
			}
		}
		order = append(order, n)
	}
	visit(l.initial)
	return order
}

// nothing returns n logarithms of zero.
func nothing(n int) []float64 { return slices.Repeat([]float64{math.Inf(-1)}, n) }

// graph is a lattice whose nodes are split by the previous two words, so that each step has one score. The lattice of
// a dull line has millions of states, so they are stored in compact arrays.
type graph struct {
	lattice *lattice
	nodes   []int32 // by state; each after all of its successors, so the last one is the start
	ends    []int32 // end of the steps of each state; they begin at the end of the previous state's steps
	to      []int32 // target state of each step
	scores  []float64
	sums    []float64 // by state: log sum over all paths to the end
}

// steps returns the index range of a state's steps.
func (g *graph) steps(state int) (from, to int32) {
	if state > 0 {
		from = g.ends[state-1]
	}
	return from, g.ends[state]
}

// situation is a node with its two previous words, by number.
type situation struct{ node, before, first int32 }

// expander builds a graph.
type expander struct {
	*judge
	number map[situation]int32
	order  []situation // by number
	steps  int         // total number
}

// expand returns the graph of a lattice with the scores of its steps and the sums over all paths to the end.
func (l *lattice) expand(s scales, predict predictor) *graph {
	x := &expander{judge: newJudge(l, s, predict), number: map[situation]int32{}}
	x.visit(situation{int32(l.initial), startWord, noWord})
	n := len(x.order)
	g := &graph{lattice: l, nodes: make([]int32, n), ends: make([]int32, n), sums: make([]float64, n),
		to: make([]int32, 0, x.steps), scores: make([]float64, 0, x.steps)}
	for i, at := range x.order {
		g.nodes[i], g.sums[i] = at.node, math.Inf(-1)
		if int(at.node) == l.final {
			g.sums[i] = 0
		}
		for _, e := range l.nodes[at.node].exits {
			to := x.number[x.behind(at, e)]
			score := x.step(e, at.before, at.first) * s.posterior
			g.to, g.scores = append(g.to, to), append(g.scores, score)
			g.sums[i] = logAdd(g.sums[i], score+g.sums[to])
		}
		g.ends[i] = int32(len(g.to))
	}
	return g
}

// visit numbers a situation after all situations that may follow it.
func (x *expander) visit(at situation) {
	if _, seen := x.number[at]; seen {
		return
	}
	exits := x.nodes[at.node].exits
	for _, e := range exits {
		x.visit(x.behind(at, e))
	}
	x.number[at] = int32(len(x.order))
	x.order, x.steps = append(x.order, at), x.steps+len(exits)
}

// behind returns the situation that an exit leads to.
func (x *expander) behind(at situation, e exit) situation {
	switch word := x.said[e.to]; {
	case e.to == x.final:
		return situation{int32(e.to), noWord, noWord}
	case word != noWord:
		return situation{int32(e.to), word, at.before}
	}
	return situation{int32(e.to), at.before, at.first}
}

// logAdd returns log(exp(a) + exp(b)).
func logAdd(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(b, -1) {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}
