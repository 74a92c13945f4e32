package sentiment

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/jonreiter/govader"
)

// Model is the Scorer that is built in: lexicons, phrases and rules, whose evidence is weighed by a linear model. It
// may be used by many goroutines.
//
// The rules and one lexicon are VADER's (see weigh). Words that no list has take after those used like them: a kernel
// ridge regression from word vectors (Pennington, Socher and Manning, "GloVe", EMNLP 2014) to valences. The weights are
// a ridge regression on sentences with human ratings; see the folder train.
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

// Load returns the model that is built in. It is read once a process, which takes a tenth of a second, and shared.
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
		return nil, fmt.Errorf("weights of sentiment: %w", err)
	}
	if n := len(m.features(m.read(""))); n != len(m.weights) {
		return nil, fmt.Errorf("%d weights of sentiment for %d features", len(m.weights), n)
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

// With returns the model with other weights.
func (m *Model) With(weights []float64) *Model {
	other := *m
	other.weights = weights
	return &other
}

const (
	best      = 3.0 // the rating, of -4 to 4, that is the score 1
	least     = .04 // scores nearer to 0 are none
	ofRules   = .25 // what the rules add to each rating
	informal  = .6  // their share of the rating of informal text
	ofVerdict = 2.4 // rating where their verdict on that is 1
)

// Score judges one sentence, -1 (very negative) to 1 (very positive); 0 where nothing in it says so.
func (m *Model) Score(text string) float64 {
	score := m.rate(text, m.weights) / best
	if score > -least && score < least {
		return 0
	}
	return min(max(score, -1), 1)
}

// Features returns what the weights weigh.
func (m *Model) Features(text string) []float64 { return m.features(m.read(text)) }

// rate returns the rating of a text, about -4 to 4.
func (m *Model) rate(text string, weights []float64) float64 {
	r := m.read(text)
	features := m.features(r)
	verdict := features[plainRules]
	rating := ofRules * verdict
	for i, f := range features {
		rating += weights[i] * f
	}
	if r.typed {
		if !r.neutralised() {
			verdict = m.rules.PolarityScores(text).Compound
		}
		rating = (1-informal)*rating + informal*ofVerdict*verdict
	}
	return rating
}
