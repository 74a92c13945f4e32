package pocketsphinx

import "math"

// scales weigh what a path is judged by; logarithms are natural.
type scales struct {
	language  float64 // exponent of the language model's probabilities
	word      float64 // added for each word
	silence   float64 // added for each silence
	noise     float64 // added for each other filler
	beam      float64 // paths that are worse by more than this are not looked at
	posterior float64 // exponent that makes probabilities of scores
}

// rescoring are the library's own weights of its last pass, but for the word and the posterior: these were tuned on the
// first half of a call, and made its second half better, too.
func rescoring() scales {
	return scales{language: 9.5, word: -3, silence: math.Log(0.005), noise: math.Log(1e-8), beam: 120, posterior: 1.0 / 8}
}

// predictor returns the logarithm of the probability of a word after two others, the nearest first; empty ones are not known.
type predictor func(word, before, first string) float64

// judge returns the score of a step from a node to the one that an exit leads to, after the words that were said
// last, and the words that were said last behind it.
func (l *lattice) judge(e exit, before, first string, s scales, predict predictor) (score float64, last, butLast string) {
	to := &l.nodes[e.to]
	switch {
	case e.to == l.final:
		return e.acoustic + s.language*predict(sentenceEnd, before, first), "", ""
	case to.word != "":
		return e.acoustic + s.language*predict(to.word, before, first) + s.word, to.word, before
	case to.entry == "<sil>":
		return e.acoustic + s.silence, before, first
	}
	return e.acoustic + s.noise, before, first
}

const (
	sentenceStart = "<s>"
	sentenceEnd   = "</s>"
)

// prune drops the exits that lie on no path within the beam of the best one, judged by pairs of words alone.
func (l *lattice) prune(s scales, predict predictor) {
	order := l.order()
	scores := make([][]float64, len(l.nodes))
	ahead, back := nothing(len(l.nodes)), nothing(len(l.nodes))
	ahead[l.initial], back[l.final] = 0, 0
	for _, n := range order {
		before := l.nodes[n].word
		if n == l.initial {
			before = sentenceStart
		}
		for _, e := range l.nodes[n].exits {
			score, _, _ := l.judge(e, before, "", s, predict)
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

// order returns the nodes that can be reached, each behind all that may follow it.
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

// nothing returns logarithms of zero.
func nothing(n int) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = math.Inf(-1)
	}
	return all
}

// graph is a lattice whose nodes are apart by the two words before, so that each step has one score.
type graph struct {
	lattice *lattice
	states  []state // each behind all that may follow it; the last one is the start
	sums    []float64
}

// state is a node after certain words.
type state struct {
	node  int
	steps []step
}

type step struct {
	to    int // state
	score float64
}

// expander makes a graph.
type expander struct {
	graph
	scales  scales
	predict predictor
	number  map[situation]int
}

type situation struct {
	node          int
	before, first string
}

// expand returns the graph of a lattice with the scores of its steps and the sums of all ways to the end.
func (l *lattice) expand(s scales, predict predictor) *graph {
	x := &expander{graph: graph{lattice: l}, scales: s, predict: predict, number: map[situation]int{}}
	x.visit(situation{l.initial, sentenceStart, ""})
	return &x.graph
}

// visit returns the number of the state of a situation.
func (x *expander) visit(at situation) int {
	if n, seen := x.number[at]; seen {
		return n
	}
	var steps []step
	sum := math.Inf(-1)
	if at.node == x.lattice.final {
		sum = 0
	}
	for _, e := range x.lattice.nodes[at.node].exits {
		score, last, butLast := x.lattice.judge(e, at.before, at.first, x.scales, x.predict)
		to := x.visit(situation{e.to, last, butLast})
		score *= x.scales.posterior
		steps = append(steps, step{to, score})
		sum = logAdd(sum, score+x.sums[to])
	}
	n := len(x.states)
	x.states, x.sums = append(x.states, state{at.node, steps}), append(x.sums, sum)
	x.number[at] = n
	return n
}

// logAdd returns the logarithm of the sum.
func logAdd(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(b, -1) {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}
