package diarize

import (
	"math"
	"slices"
	"time"
)

const (
	shortestPiece = int(time.Second / hop)
	longestPiece  = int(2 * time.Second / hop)
	piecesWanted  = 40   // target number, within the limits of the length of a piece
	mostPieces    = 800  // maximum to cluster; longer recordings are sampled evenly
	priorFrames   = 50.0 // weight of the covariance of all speech in that of a cluster
)

// pieces splits the speech. Each piece is a run of cells of one segment.
func (t *timeline) pieces() [][]int {
	cells := min(max(int(t.all.n)/piecesWanted, shortestPiece), longestPiece) / cellFrames
	var pieces [][]int
	for first := 0; first < len(t.cells); {
		end := first + 1
		for end < len(t.cells) && !t.cells[end].first {
			end++
		}
		count := max((end-first+cells/2)/cells, 1)
		for k := range count {
			var piece []int
			for i := first + (end-first)*k/count; i < first+(end-first)*(k+1)/count; i++ {
				piece = append(piece, i)
			}
			pieces = append(pieces, piece)
		}
		first = end
	}
	return pieces
}

// cluster merges pieces of speech bottom-up until left clusters remain.
func (t *timeline) cluster(left int) labels {
	pieces := t.pieces()
	if step := (len(pieces) + mostPieces - 1) / mostPieces; step > 1 {
		pieces = slices.DeleteFunc(pieces, func(p []int) bool { return p[0]%step != 0 })
	}
	l := slices.Repeat(labels{-1}, len(t.cells))
	voices := make([]*gaussian, len(pieces))
	for i, piece := range pieces {
		voices[i] = &gaussian{}
		for _, c := range piece {
			t.add(voices[i], t.cells[c])
		}
		voices[i].cost = t.cost(voices[i])
	}
	for i, cluster := range t.join(voices, left) {
		for _, c := range pieces[i] {
			l[c] = cluster
		}
	}
	return l.compact()
}

// join merges the closest two clusters until left remain, and returns the cluster of each voice.
func (t *timeline) join(voices []*gaussian, left int) []int {
	cluster, alive := make([]int, len(voices)), make([]int, len(voices))
	distance := make([][]float64, len(voices)) // lower triangle
	for i := range voices {
		cluster[i], alive[i] = i, i
		distance[i] = make([]float64, i)
		for j := range i {
			distance[i][j] = t.gain(voices[i], voices[j])
		}
	}
	for len(alive) > left {
		least, a, b := math.Inf(1), 0, 0
		for x, i := range alive {
			for _, j := range alive[:x] {
				if distance[i][j] < least {
					least, a, b = distance[i][j], i, j
				}
			}
		}
		both := voices[a].plus(voices[b])
		both.cost = t.cost(&both)
		voices[b] = &both
		for i := range cluster {
			if cluster[i] == a {
				cluster[i] = b
			}
		}
		alive = slices.DeleteFunc(alive, func(i int) bool { return i == a })
		for _, i := range alive {
			if i != b {
				distance[max(i, b)][min(i, b)] = t.gain(voices[i], voices[b])
			}
		}
	}
	return cluster
}

// cost returns the negative log-likelihood of frames under their own Gaussian, without constants.
func (t *timeline) cost(g *gaussian) float64 {
	if g.n == 0 {
		return 0
	}
	return 0.5 * g.n * logDeterminant(g.covariance(&t.prior, priorFrames))
}

// Weights of the model size in the Bayesian information criterion. They are above 1 because clusters are chosen to
// differ, and frames overlap.
const (
	mergePenalty   = 1.3 // for the merge order
	speakerPenalty = 2.2 // for accepting two speakers as different
)

// gain returns the Bayesian information criterion's gain of two Gaussians over one (ΔBIC).
func (t *timeline) gain(a, b *gaussian) float64 {
	both := a.plus(b)
	return t.cost(&both) - a.cost - b.cost - mergePenalty*size(both.n)
}

// size is the penalty for the parameters of a Gaussian of n frames.
func size(n float64) float64 { return 0.5 * (width + triangle) * math.Log(max(n, 1)) }

// voices returns the Gaussian of each speaker.
func (t *timeline) voices(l labels) []*gaussian {
	voices := make([]*gaussian, l.count())
	for i := range voices {
		voices[i] = &gaussian{}
	}
	for i, speaker := range l {
		if speaker >= 0 {
			t.add(voices[speaker], t.cells[i])
		}
	}
	for _, v := range voices {
		v.cost = t.cost(v)
	}
	return voices
}

const (
	leastSpeech = float64(1500 * time.Millisecond / hop) // minimum speech of a speaker, in frames
	leastShare  = 0.02                                   // minimum share of all speech
)

// smallest returns the speaker with the least speech if that is below the minimum, else −1.
func smallest(voices []*gaussian, all float64) int {
	small := -1
	for i, v := range voices {
		if v.n < max(leastSpeech, leastShare*all) && (small < 0 || v.n < voices[small].n) {
			small = i
		}
	}
	return small
}

// closest returns the two speakers most likely to be the same person, and the gain of keeping them apart.
func (t *timeline) closest(voices []*gaussian) (a, b int, gain float64) {
	gain = math.Inf(1)
	for i := range voices {
		for j := range i {
			if g := t.gain(voices[i], voices[j]); g < gain {
				a, b, gain = j, i, g
			}
		}
	}
	return a, b, gain
}

// merge merges the closest two speakers. If a speaker has less than the minimum of speech, merge joins that speaker
// to the closest other one instead.
func (t *timeline) merge(l labels) labels {
	voices := t.voices(l)
	a, b, _ := t.closest(voices)
	if small := smallest(voices, t.all.n); small >= 0 {
		least := math.Inf(1)
		for i := range voices {
			if i == small {
				continue
			}
			if g := t.gain(voices[i], voices[small]); g < least {
				a, b, least = i, small, g
			}
		}
	}
	out := slices.Clone(l)
	for i := range out {
		if out[i] == b {
			out[i] = a
		}
	}
	return out.compact()
}
