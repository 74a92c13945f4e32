package sentiment

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/jonreiter/govader"
)

// Model is the built-in Scorer: lexicons, phrases and rules, combined by a linear model. It is safe for concurrent use.
//
// The rules and one lexicon are VADER's (see weigh). The valences of words outside all lists are predicted from words
// with similar use: a kernel ridge regression from word vectors (Pennington, Socher and Manning, "GloVe", EMNLP 2014)
// to valences. The weights are a ridge regression on sentences with human ratings; see the folder train.
type Model struct {
	rules   *govader.SentimentIntensityAnalyzer
	lexicon *Lexicon
	phrases *phrases
	weights []float64
}

//go:embed lexicon.tsv.gz
var packed []byte

//go:embed weights.json
var weights []byte

//go:embed phrases.txt
var phraseLines string

// Load returns the built-in model. It is read once per process, which takes a tenth of a second, and shared.
func Load() (*Model, error) { return builtIn() }

var builtIn = sync.OnceValues(unpack)

func unpack() (*Model, error) {
	lexicon, err := ReadLexicon(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	m, err := New(lexicon)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(weights, &m.weights); err != nil {
		return nil, fmt.Errorf("sentiment weights: %w", err)
	}
	if n := len(m.features(m.read(""))); n != len(m.weights) {
		return nil, fmt.Errorf("%d sentiment weights for %d features", len(m.weights), n)
	}
	return m, nil
}

// New returns a model without weights, for training.
func New(l *Lexicon) (*Model, error) {
	p, err := readPhrases(phraseLines)
	if err != nil {
		return nil, err
	}
	return &Model{rules: govader.NewSentimentIntensityAnalyzer(), lexicon: l, phrases: p}, nil
}

// With returns a copy of the model with other weights.
func (m *Model) With(weights []float64) *Model {
	other := *m
	other.weights = weights
	return &other
}

const (
	best      = 3.0 // the rating, on the scale -4..4, that maps to the score 1
	least     = .04 // scores with a smaller absolute value become 0
	ofRules   = .25 // weight of the rules in each rating
	informal  = .6  // weight of the rules in the rating of informal text
	ofVerdict = 2.4 // rating of informal text for a score of 1 by the rules
)

// Score returns the sentiment of one sentence, from -1 (very negative) to 1 (very positive); 0 if it carries none.
func (m *Model) Score(text string) float64 {
	score := m.rate(text) / best
	if score > -least && score < least {
		return 0
	}
	return min(max(score, -1), 1)
}

// Features returns the inputs of the linear model.
func (m *Model) Features(text string) []float64 { return m.features(m.read(text)) }

// rate returns the rating of a text, from about -4 to 4.
func (m *Model) rate(text string) float64 {
	r := m.read(text)
	features := m.features(r)
	verdict := features[plainRules]
	rating := ofRules * verdict
	for i, f := range features {
		rating += m.weights[i] * f
	}
	if r.typed {
		if !r.neutralised() {
			verdict = m.rules.PolarityScores(text).Compound
		}
		rating = (1-informal)*rating + informal*ofVerdict*verdict
	}
	return rating
}
