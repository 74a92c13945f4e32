package sentiment

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/jonreiter/govader"
)

// Model is the Scorer that is built in: lexicons and rules whose evidence is weighed by a linear model. It may
// be used by many goroutines.
//
// The rules and one lexicon are VADER's (see composed). Words that no list has take after those used like them: a kernel ridge
// regression from word vectors (Pennington, Socher and Manning, "GloVe", EMNLP 2014) to valences. The weights are a ridge regression on
// sentences with human ratings; see the folder train.
type Model struct {
	rules    *govader.SentimentIntensityAnalyzer
	lexicon  *Lexicon
	rewrites *strings.Replacer
	weights  []float64
}

//go:embed lexicon.tsv.gz
var packed []byte

//go:embed weights.json
var weights []byte

//go:embed rewrites.txt
var rewrites string

// Load returns the model that is built in.
func Load() (*Model, error) {
	lexicon, err := ReadLexicon(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	m := New(lexicon)
	if err := json.Unmarshal(weights, &m.weights); err != nil {
		return nil, fmt.Errorf("weights of sentiment: %w", err)
	}
	if n := len(m.features("")); n != len(m.weights) {
		return nil, fmt.Errorf("%d weights of sentiment for %d features", len(m.weights), n)
	}
	return m, nil
}

// New returns a model without weights, for training.
func New(l *Lexicon) *Model {
	return &Model{rules: govader.NewSentimentIntensityAnalyzer(), lexicon: l, rewrites: replacer(rewrites)}
}

// replacer reads lines "phrase = stand-in": phrases that mean something else than their words.
func replacer(lines string) *strings.Replacer {
	var pairs []string
	for _, line := range strings.Split(lines, "\n") {
		if phrase, standIn, ok := strings.Cut(line, " = "); ok {
			pairs = append(pairs, " "+phrase+" ", " "+standIn+" ")
		}
	}
	return strings.NewReplacer(pairs...)
}

const (
	rated         = 3.0 // the rating, of -4 to 4, that is the score 1
	ofQuestions   = .5  // a question asks whether something is so
	ofRules       = .65 // share of the rules' verdict on informal text
	ratingOfRules = 2.5
)

// Score judges one sentence, -1 (very negative) to 1 (very positive); 0 where nothing in it says so.
func (m *Model) Score(text string) float64 {
	score := m.Rate(m.Features(text), text) / rated
	if strings.HasSuffix(strings.TrimSpace(text), "?") {
		score *= ofQuestions
	}
	return min(max(score, -1), 1)
}

// Features returns what the weights weigh.
func (m *Model) Features(text string) []float64 { return m.features(m.plain(text)) }

// Rate returns the rating of a text, about -4 to 4, by its features.
func (m *Model) Rate(features []float64, text string) float64 {
	rating := 0.0
	for i, f := range features {
		rating += m.weights[i] * f
	}
	if informal.MatchString(text) {
		rating = (1-ofRules)*rating + ofRules*ratingOfRules*features[0]
	}
	return rating
}

// With returns the model with other weights.
func (m *Model) With(weights []float64) *Model {
	other := *m
	other.weights = weights
	return &other
}

// plain replaces phrases by their stand-ins. Text without any is returned as it is.
func (m *Model) plain(text string) string {
	folded := strings.ToLower(text)
	spaced := " " + separated.Replace(folded) + " "
	replaced := m.rewrites.Replace(spaced)
	if replaced == spaced {
		return text
	}
	return strings.TrimSpace(strings.ReplaceAll(replaced, "  ", " "))
}

// separated sets marks apart from words, so that phrases end before them.
var separated = strings.NewReplacer(".", " . ", ",", " , ", "!", " ! ", "?", " ? ", ";", " ; ", "’", "'", " ", " ")
