// Package classify says which of several classes a conversation belongs to, and learns that from labelled texts.
//
// Train makes a Model, with what cross-validation says of its quality; Predict applies models, and whatever else judges
// transcripts. It does not store models or training sets (packages record and store) and runs no neural networks.
package classify

import (
	"strings"

	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// Description is what is known of a classifier without applying it.
type Description struct {
	ID          string // UUID
	Name        string
	DisplayName string
	Version     string
	Labels      []string // of the classes, by number
}

// Judge says how probable each of some classes is: a number for each, 1 in total. It may be used by many goroutines.
type Judge interface {
	Judge(t *transcript.Transcript) []float64
}

// Classifier is a Judge under the name that it is asked for by.
type Classifier struct {
	Description
	Judge Judge
}

// Request says which classifiers judge.
type Request struct{ Classifiers []Classifier }

// Prediction is what one classifier says.
type Prediction struct {
	ID, Name, DisplayName, Version string
	Binary                         bool // of two classes, not of more
	Class                          int  // index into the classifier's labels
	Label                          string
	Score                          float64 // probability of the class, 0..1
}

// Predict returns what each classifier says of a transcript, in the order asked for.
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

// Spoken returns the words of a transcript, folded. What stands for redacted words is none.
func Spoken(t *transcript.Transcript) []string {
	var words []string
	for _, w := range t.Words {
		if w.Kind == transcript.Spoken && !strings.HasPrefix(w.Text, "[") {
			words = phrase.Append(words, w.Text)
		}
	}
	return words
}

// Written returns the words of a text, folded. What stands in square brackets, as what was redacted does, is none.
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

// largest returns the index of the first largest number.
func largest[N float32 | float64](list []N) int {
	best := 0
	for i, v := range list {
		if v > list[best] {
			best = i
		}
	}
	return best
}
