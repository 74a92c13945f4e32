package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/jonreiter/govader"
	"gonum.org/v1/gonum/mat"

	"parley/internal/analysis/sentiment"
)

// sentence is a text with the mean of its human ratings, -4 to 4.
type sentence struct {
	rating float64
	text   string
}

// set holds the sentences of one file.
type set struct {
	name      string
	sentences []sentence
}

func (s set) ratings() []float64 {
	list := make([]float64, len(s.sentences))
	for i, one := range s.sentences {
		list[i] = one.rating
	}
	return list
}

func readSets(folder string) ([]set, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.tsv"))
	if err != nil || len(files) < 2 {
		return nil, fmt.Errorf("%s has %d files of rated sentences, want two or more: %v", folder, len(files), err)
	}
	var sets []set
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		s := set{name: filepath.Base(file)}
		for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
			f := strings.SplitN(line, "\t", 3)
			rating, err := strconv.ParseFloat(f[1], 64)
			if err != nil || len(f) < 3 {
				return nil, fmt.Errorf("%s: line %q: expected id, rating and text", file, line)
			}
			s.sentences = append(s.sentences, sentence{rating, f[2]})
		}
		sets = append(sets, s)
	}
	return sets, nil
}

// strength is the ridge penalty, for features of unit variance.
const strength = 20_000

// learn returns the weights that predict the ratings best, by ridge regression. There is no intercept: a sentence
// without evidence is neutral, whatever the mean of the sets.
func learn(m *sentiment.Model, sets []set) ([]float64, error) {
	var rows [][]float64
	var ratings []float64
	for _, s := range sets {
		for _, one := range s.sentences {
			rows, ratings = append(rows, m.Features(one.text)), append(ratings, one.rating)
		}
	}
	n := len(rows[0])
	mean, scale := moments(rows)
	average := 0.0
	for _, r := range ratings {
		average += r / float64(len(ratings))
	}
	gram, target := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	for k, row := range rows {
		z := mat.NewVecDense(n, nil)
		for i, f := range row {
			z.SetVec(i, (f-mean[i])/scale[i])
		}
		gram.SymRankOne(gram, 1, z)
		target.AddScaledVec(target, ratings[k]-average, z)
	}
	solved, err := ridge(gram, target, strength)
	if err != nil {
		return nil, err
	}
	weights := make([]float64, n)
	for i := range weights {
		weights[i] = solved.AtVec(i) / scale[i]
	}
	return weights, nil
}

func ridge(gram *mat.SymDense, target *mat.VecDense, penalty float64) (*mat.VecDense, error) {
	for i := range gram.SymmetricDim() {
		gram.SetSym(i, i, gram.At(i, i)+penalty)
	}
	var factor mat.Cholesky
	if !factor.Factorize(gram) {
		return nil, fmt.Errorf("the normal equations have no solution")
	}
	solved := &mat.VecDense{}
	return solved, factor.SolveVecTo(solved, target)
}

func moments(rows [][]float64) (mean, scale []float64) {
	n := len(rows[0])
	mean, scale = make([]float64, n), make([]float64, n)
	for _, r := range rows {
		for i, f := range r {
			mean[i] += f / float64(len(rows))
		}
	}
	for _, r := range rows {
		for i, f := range r {
			scale[i] += (f - mean[i]) * (f - mean[i]) / float64(len(rows))
		}
	}
	for i := range scale {
		scale[i] = math.Sqrt(scale[i]) + 1e-9
	}
	return mean, scale
}

// agreement with human ratings: correlation and macro-F1 of three classes, of the model and of the rules alone.
type agreement struct{ r, rulesR, f1, rulesF1 float64 }

// Scores beyond these thresholds count as positive or negative.
const (
	ourThreshold   = .1
	rulesThreshold = .05 // recommended by the authors of the rules
)

// measure compares the scores of the held-out set, by a model trained on the others, with its ratings.
func measure(m *sentiment.Model, sets []set, held int) (agreement, error) {
	weights, err := learn(m, slices.Delete(slices.Clone(sets), held, held+1))
	if err != nil {
		return agreement{}, err
	}
	trained, rules := m.With(weights), govader.NewSentimentIntensityAnalyzer()
	var ours, theirs []float64
	for _, s := range sets[held].sentences {
		ours, theirs = append(ours, trained.Score(s.text)), append(theirs, rules.PolarityScores(s.text).Compound)
	}
	ratings := sets[held].ratings()
	return agreement{
		correlation(ours, ratings), correlation(theirs, ratings),
		macroF1(ours, ourThreshold, ratings), macroF1(theirs, rulesThreshold, ratings),
	}, nil
}

func correlation(a, b []float64) float64 {
	n := float64(len(a))
	var sa, sb, saa, sbb, sab float64
	for i := range a {
		sa, sb = sa+a[i], sb+b[i]
		saa, sbb, sab = saa+a[i]*a[i], sbb+b[i]*b[i], sab+a[i]*b[i]
	}
	return (n*sab - sa*sb) / math.Sqrt((n*saa-sa*sa)*(n*sbb-sb*sb))
}

// macroF1 returns the mean F1 of negative, neutral and positive. Ratings within .5 of 0 and scores within the threshold
// are neutral.
func macroF1(scores []float64, threshold float64, ratings []float64) float64 {
	class := func(v, t float64) int {
		switch {
		case v > t:
			return 1
		case v < -t:
			return -1
		}
		return 0
	}
	total := 0.0
	for c := -1; c <= 1; c++ {
		both, said, so := 0.0, 0.0, 0.0
		for i, s := range scores {
			p, r := class(s, threshold) == c, class(ratings[i], .5) == c
			both, said, so = both+one(p && r), said+one(p), so+one(r)
		}
		if said+so > 0 {
			total += 2 * both / (said + so)
		}
	}
	return total / 3
}

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
