package pocketsphinx

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
)

const (
	samples = 200 // number of sampled paths that vote
	rounds  = 3   // number of votes; each refines the alignment of the next
)

// hearing is a word on a path.
type hearing struct {
	word       string
	start, end int // frames
	share      float64
}

// elect returns the words by majority of the graphs' paths. The path with the fewest expected word errors is rarely
// the most probable one (Stolcke, Konig & Weintraub, Explicit word error minimization in n-best list rescoring,
// 1997). Paths are sampled by their probability and aligned with one another as in ROVER (Fiscus 1997).
func elect(graphs ...*graph) []hearing {
	graphs = slices.DeleteFunc(graphs, (*graph).noWay)
	if len(graphs) == 0 {
		return nil
	}
	random := rand.New(rand.NewPCG(1, 2))
	paths := make([][]hearing, samples)
	for i := range paths {
		paths[i] = graphs[i%len(graphs)].draw(random)
	}
	words := paths[0]
	for range rounds {
		words = vote(words, paths)
	}
	return inLine(words)
}

// inLine makes the times of words consistent with their order, since the vote combines words of several paths, whose
// times may differ. If two words overlap, the first one ends at the start of the second; if their starts are in the
// wrong order, they share the time of both.
func inLine(words []hearing) []hearing {
	for i := 1; i < len(words); i++ {
		before, w := &words[i-1], &words[i]
		if w.start <= before.start {
			w.end = max(w.end, before.end)
			w.start = (before.start + w.end) / 2
		}
		before.end = min(before.end, w.start)
	}
	return words
}

func (g *graph) noWay() bool { return math.IsInf(g.sums[len(g.sums)-1], -1) }

// draw samples a path by its probability.
func (g *graph) draw(random *rand.Rand) []hearing {
	var words []hearing
	at := len(g.nodes) - 1
	for int(g.nodes[at]) != g.lattice.final {
		next := g.choose(at, random.Float64())
		if n := g.lattice.nodes[g.nodes[at]]; n.word != "" {
			words = append(words, hearing{word: n.word, start: n.start, end: g.lattice.nodes[g.nodes[next]].start})
		}
		at = next
	}
	return words
}

// choose returns the next state, selected by a number between 0 and 1.
func (g *graph) choose(at int, number float64) int {
	chosen := -1
	for i, end := g.steps(at); i < end; i++ {
		to := g.to[i]
		if math.IsInf(g.sums[to], -1) {
			continue
		}
		chosen = int(to)
		if number -= math.Exp(g.scores[i] + g.sums[to] - g.sums[at]); number < 0 {
			break
		}
	}
	return chosen
}

// ballot counts the votes for the words at one position.
type ballot map[string]*hearing

func (b ballot) cast(h hearing) {
	if b[h.word] == nil {
		b[h.word] = &h
	}
	b[h.word].share++
}

// vote aligns the paths with some words, and returns the majority at the position of each word and in each gap
// between words.
func vote(words []hearing, paths [][]hearing) []hearing {
	places, gaps := make([]ballot, len(words)), make([]ballot, len(words)+1)
	for i := range gaps {
		gaps[i] = ballot{}
		if i < len(words) {
			places[i] = ballot{}
		}
	}
	for _, path := range paths {
		matched, free := align(words, path)
		for i, j := range matched {
			if j >= 0 {
				places[i].cast(path[j])
			}
		}
		for gap, j := range free {
			gaps[gap].cast(path[j])
		}
	}
	var elected []hearing
	for i := range gaps {
		elected = append(elected, gaps[i].winner(len(paths))...)
		if i < len(words) {
			elected = append(elected, places[i].winner(len(paths))...)
		}
	}
	return elected
}

// winner returns the word with the most votes, or none if having no word has the most.
func (b ballot) winner(paths int) []hearing {
	none := float64(paths)
	var best *hearing
	for _, word := range slices.Sorted(maps.Keys(b)) {
		none -= b[word].share
		if best == nil || b[word].share > best.share {
			best = b[word]
		}
	}
	if best == nil || best.share <= none {
		return nil
	}
	w := *best
	w.share /= float64(paths)
	return []hearing{w}
}

// align aligns a path with some words at minimum cost. matched is the index of the path's word for each word, or −1;
// free is the first unmatched path word of each gap that has any.
func align(words, path []hearing) (matched []int, free map[int]int) {
	costs := make([][]float64, len(words)+1)
	for i := range costs {
		costs[i] = make([]float64, len(path)+1)
		for j := range costs[i] {
			switch {
			case i == 0 || j == 0:
				costs[i][j] = float64(i + j)
			default:
				costs[i][j] = min(costs[i-1][j-1]+words[i-1].cost(path[j-1]), costs[i-1][j]+1, costs[i][j-1]+1)
			}
		}
	}
	matched, free = make([]int, len(words)), map[int]int{}
	for i, j := len(words), len(path); i > 0 || j > 0; {
		switch {
		case i > 0 && j > 0 && costs[i][j] == costs[i-1][j-1]+words[i-1].cost(path[j-1]):
			i, j = i-1, j-1
			matched[i] = j
		case i > 0 && costs[i][j] == costs[i-1][j]+1:
			i--
			matched[i] = -1
		default:
			j--
			free[i] = j
		}
	}
	return matched, free
}

// cost is the cost of aligning one word with another; words at different times are unlikely to match.
func (h hearing) cost(o hearing) float64 {
	cost := 0.0
	if h.word != o.word {
		cost = 1
	}
	if h.end <= o.start || o.end <= h.start {
		cost += 0.9
	}
	return cost
}
