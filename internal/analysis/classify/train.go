package classify

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Limits of a training set.
const (
	MinTexts  = 3         // of each class
	MaxTexts  = 20_000    // in all
	MaxLabels = 500       // classes
	MaxWords  = 1_000_000 // in all
)

// Errors of Train for invalid training sets.
var (
	ErrLabels = errors.New("a training set needs 2 to 500 labels")
	ErrTexts  = errors.New("a training set needs at least 3 texts with words for each label, and at most 20000 texts " +
		"and a million words")
)

// Example is a text with its class.
type Example struct {
	Words []string // folded, see Written and Spoken
	Label string
}

// folds is the number of folds of cross-validation.
const folds = 5

// Steps is the number of steps of training: one per fold, and one for the final model.
const Steps = folds + 1

// mostWeights bounds the size of a model: the features that occur in the fewest texts are dropped first.
const mostWeights = 4 << 20

// Train fits a model to examples and measures its quality by stratified cross-validation. It calls step after each of
// the Steps steps. It is deterministic. The error is the context's, ErrLabels or ErrTexts.
func Train(ctx context.Context, examples []Example, step func()) (*Model, Quality, error) {
	set, err := newSet(examples)
	if err != nil {
		return nil, Quality{}, err
	}
	margins := make([][]float32, len(set.classes))
	fold := foldsOf(set.classes)
	for k := range folds {
		in, out := apart(fold, k)
		m, err := set.learn(ctx, in)
		if err != nil {
			return nil, Quality{}, err
		}
		for _, i := range out {
			margins[i] = m.margins(set.texts[i])
		}
		step()
	}
	m, err := set.learn(ctx, everything(len(fold)))
	if err != nil {
		return nil, Quality{}, err
	}
	m.scale = calibrate(margins, set.classes)
	probabilities := make([][]float64, len(margins))
	for k := range folds {
		in, out := apart(fold, k)
		s := calibrate(pick(margins, in), pick(set.classes, in))
		for _, i := range out {
			probabilities[i] = s.probabilities(margins[i])
		}
	}
	step()
	m.pack()
	return m, measure(probabilities, set.classes, set.labels), nil
}

// set is a valid training set.
type set struct {
	labels  []string
	classes []int
	texts   []*reading
}

func newSet(examples []Example) (*set, error) {
	s, size, total := &set{}, map[string]int{}, 0
	for _, e := range examples {
		if size[e.Label]++; size[e.Label] == 1 {
			s.labels = append(s.labels, e.Label)
		}
		total += len(e.Words)
		if len(e.Words) == 0 {
			return nil, fmt.Errorf("%w: one text has no words", ErrTexts)
		}
	}
	slices.Sort(s.labels)
	if len(s.labels) < 2 || len(s.labels) > MaxLabels {
		return nil, ErrLabels
	}
	for _, l := range s.labels {
		if size[l] < MinTexts {
			return nil, fmt.Errorf("%w: %q has %d", ErrTexts, l, size[l])
		}
	}
	if len(examples) > MaxTexts || total > MaxWords {
		return nil, ErrTexts
	}
	for _, e := range examples {
		class, _ := slices.BinarySearch(s.labels, e.Label)
		s.classes, s.texts = append(s.classes, class), append(s.texts, read(e.Words))
	}
	return s, nil
}

// columns returns the number of support vector machines and the class of the first.
func (s *set) columns() (count, offset int) {
	if len(s.labels) == 2 {
		return 1, 1
	}
	return len(s.labels), 0
}

// learn fits a model to some of the texts, without its scale.
func (s *set) learn(ctx context.Context, in []int) (*Model, error) {
	columns, offset := s.columns()
	v := s.vocabulary(in, mostWeights/columns)
	vectors := make([]vector, len(in))
	for n, i := range in {
		vectors[n] = v.vector(s.texts[i])
	}
	weights, err := solve(ctx, vectors, pick(s.classes, in), len(v.rarity)+1, columns, offset)
	return &Model{labels: s.labels, vocabulary: v, weights: weights}, err
}

// vocabulary returns the features of some of the texts: the most common ones if there are more than most.
func (s *set) vocabulary(in []int, most int) *vocabulary {
	var occurring [kinds][]uint64
	for k := range occurring {
		occurring[k] = s.occurring(kind(k), in)
	}
	least := leastTexts(occurring, most)
	var hashes [kinds][]uint64
	var rarity []float32
	for k, list := range occurring {
		eachRun(list, func(feature uint64, texts int) {
			if texts >= least {
				hashes[k] = append(hashes[k], feature)
				rarity = append(rarity, float32(math.Sqrt(math.Log(float64(1+len(in))/float64(1+texts))+1)))
			}
		})
	}
	return newVocabulary(hashes, rarity)
}

// occurring returns the features of a kind in some of the texts, sorted; each is repeated once per text that has it.
func (s *set) occurring(k kind, in []int) (all []uint64) {
	for _, i := range in {
		begin := len(all)
		s.texts[i].each(k, func(feature uint64, _ float32) { all = append(all, feature) })
		slices.Sort(all[begin:])
		all = all[:begin+len(slices.Compact(all[begin:]))]
	}
	slices.Sort(all)
	return all
}

// eachRun calls f with every distinct number of a sorted list and its number of occurrences.
func eachRun(sorted []uint64, f func(v uint64, times int)) {
	for len(sorted) > 0 {
		n := 1
		for n < len(sorted) && sorted[n] == sorted[0] {
			n++
		}
		f(sorted[0], n)
		sorted = sorted[n:]
	}
}

// leastTexts returns the smallest number of texts such that at most most features occur in that many texts.
func leastTexts(occurring [kinds][]uint64, most int) int {
	having := map[int]int{} // number of features by the number of texts that have them
	total := 0
	for _, list := range occurring {
		eachRun(list, func(_ uint64, texts int) {
			having[texts]++
			total++
		})
	}
	least := 1
	for ; total > most; least++ {
		total -= having[least]
	}
	return least
}

func apart(fold []int, k int) (in, out []int) {
	for i, f := range fold {
		if f == k {
			out = append(out, i)
		} else {
			in = append(in, i)
		}
	}
	return in, out
}

func everything(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func pick[T any](list []T, at []int) []T {
	picked := make([]T, len(at))
	for n, i := range at {
		picked[n] = list[i]
	}
	return picked
}
