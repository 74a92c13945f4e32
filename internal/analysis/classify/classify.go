// Package classify assigns a conversation to one of several classes and trains classifiers on labelled texts.
//
// Train returns a Model and its quality by cross-validation. Predict applies models and other judges of transcripts.
// The package does not store models or training sets (packages record and store) and does not run neural networks.
package classify

import (
	"strings"

	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// Description is the metadata of a classifier.
type Description struct {
	ID          string // UUID
	Name        string
	DisplayName string
	Version     string
	Labels      []string // of the classes, by number
}

// Judge returns the probability of each class; they sum to 1. It is safe for concurrent use.
type Judge interface {
	Judge(t *transcript.Transcript) []float64
}

// Classifier is a Judge and the name by which requests refer to it.
type Classifier struct {
	Description
	Judge Judge
}

// Request lists the classifiers to apply.
type Request struct{ Classifiers []Classifier }

// Prediction is the result of one classifier.
type Prediction struct {
	ID, Name, DisplayName, Version string
	Binary                         bool // the classifier has exactly two classes
	Class                          int  // index into the classifier's labels
	Label                          string
	Score                          float64 // probability of the class, 0..1
}

// Predict returns the predictions of all classifiers of the request for a transcript, in the order of the request.
func Predict(t *transcript.Transcript, r *Request) []Prediction {
	found := []Prediction{}
	for _, c := range r.Classifiers {
		probabilities := c.Judge.Judge(t)
		best := largest(probabilities)
		found = append(found, Prediction{c.ID, c.Name, c.DisplayName, c.Version, len(c.Labels) == 2, best,
			c.Labels[best], probabilities[best]})
	}
	return found
}

// Spoken returns the words of a transcript, folded. It skips placeholders of redacted words.
func Spoken(t *transcript.Transcript) []string {
	var words []string
	for _, w := range t.Words {
		if w.Kind == transcript.Spoken && !strings.HasPrefix(w.Text, "[") {
			words = phrase.Append(words, w.Text)
		}
	}
	return words
}

// Written returns the words of a text, folded. It skips text in square brackets, such as placeholders of redacted
// words.
func Written(text string) []string {
	var words []string
	for {
		before, rest, open := strings.Cut(text, "[")
		words = phrase.Append(words, before)
		_, after, closed := strings.Cut(rest, "]")
		if !open || !closed {
			return phrase.Append(words, rest)
		}
		text = after
	}
}

// largest returns the index of the largest number; of equal ones, the first.
func largest[N float32 | float64](list []N) int {
	best := 0
	for i, v := range list {
		if v > list[best] {
			best = i
		}
	}
	return best
}
