package classify

import (
	"math"
	"slices"
)

// Quality is the result of cross-validation. Each text is judged by a model and calibrated by a scale that were fitted
// without it.
type Quality struct {
	Texts       int
	Folds       int
	Accuracy    float64 // share of texts whose true class was the most probable
	MacroF1     float64 // mean over the classes
	LogLoss     float64 // mean of -ln of the probability of the true class
	Calibration float64 // expected calibration error: mean distance of probabilities from observed frequencies, 0..1
	Classes     []ClassQuality
}

// ClassQuality is the quality of one class.
type ClassQuality struct {
	Label     string
	Texts     int
	Precision float64 // share of the texts predicted to be of the class that belong to it
	Recall    float64 // share of the texts of the class that are predicted to belong to it
	F1        float64
}

// bins is the number of groups of similar probability that the calibration error compares.
const bins = 10

// measure compares the predicted probabilities of texts with their classes.
func measure(probabilities [][]float64, classes []int, labels []string) Quality {
	q := Quality{Texts: len(classes), Folds: folds, Classes: make([]ClassQuality, len(labels))}
	said, right := make([]int, len(labels)), make([]int, len(labels))
	var size, sure, correct [bins]float64
	for i, p := range probabilities {
		best, truth := largest(p), classes[i]
		q.Classes[truth].Texts++
		said[best]++
		bin := min(int(p[best]*bins), bins-1)
		size[bin], sure[bin] = size[bin]+1, sure[bin]+p[best]
		if best == truth {
			right[truth]++
			correct[bin]++
			q.Accuracy++
		}
		q.LogLoss -= math.Log(max(p[truth], 1e-12))
	}
	for b := range bins {
		q.Calibration += math.Abs(sure[b] - correct[b])
	}
	for c := range q.Classes {
		of := &q.Classes[c]
		of.Label = labels[c]
		of.Precision, of.Recall = share(right[c], said[c]), share(right[c], of.Texts)
		of.F1 = share(2*right[c], said[c]+of.Texts)
		q.MacroF1 += of.F1 / float64(len(labels))
	}
	n := float64(len(classes))
	q.Accuracy, q.LogLoss, q.Calibration = q.Accuracy/n, q.LogLoss/n, q.Calibration/n
	return q
}

// share returns part/of, or 0 if of is 0.
func share(part, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(part) / float64(of)
}

// foldsOf assigns each text to a fold. Folds have about the same number of texts, in each class and in total.
func foldsOf(classes []int) []int {
	order := everything(len(classes))
	slices.SortStableFunc(order, func(a, b int) int { return classes[a] - classes[b] })
	fold := make([]int, len(classes))
	for n, i := range order {
		fold[i] = n % folds
	}
	return fold
}
