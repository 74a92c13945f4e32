package pipeline

import (
	"context"
	"math"
	"slices"
	"strconv"

	"parley/internal/analysis/classify"
	"parley/internal/analysis/sentiment"
	"parley/internal/call/plan"
	"parley/internal/storage/store"
	"parley/internal/words/fault"
	"parley/internal/words/list"
	"parley/internal/words/transcript"
)

// BuiltInClassifiers returns the classifiers that every account can use.
func BuiltInClassifiers() []plan.Predictor {
	return list.Map(classify.BuiltIn(), func(d classify.Description) plan.Predictor {
		return plan.Predictor{ID: d.ID, Name: d.Name, Version: d.Version, Languages: plan.Languages{"en"}}
	})
}

// mood classifies a conversation by its sentences as negative, neutral or positive.
type mood []sentiment.Sentence

// asksForMood reports whether a plan uses the classifier implemented by mood.
func asksForMood(p *plan.Plan) bool {
	return slices.ContainsFunc(p.Classifiers, func(asked plan.Prediction) bool {
		return asked.ID == classify.Sentiment().ID
	})
}

// knowing returns the classifiers, and gives the one named sentiment the sentences that it needs.
func knowing(sentences []sentiment.Sentence, classifiers []classify.Classifier) []classify.Classifier {
	all := slices.Clone(classifiers)
	for i := range all {
		if all[i].ID == classify.Sentiment().ID {
			all[i].Judge = mood(sentences)
		}
	}
	return all
}

// Parameters of mood. moodDoubt is a number of neutral sentences added to those with a score, so that few sentences
// decide little. moodLeast is the mean score at which positive, or negative, has the probability 1/2, and moodSpan is
// the scale of the logistic function around it.
const (
	moodDoubt = 2
	moodLeast = .12
	moodSpan  = .06
)

// Judge returns the probabilities of negative, neutral and positive.
func (m mood) Judge(*transcript.Transcript) []float64 {
	sum, n := 0.0, float64(moodDoubt)
	for _, s := range m {
		if s.Score != 0 {
			sum, n = sum+s.Score, n+1
		}
	}
	above := func(v float64) float64 { return 1 / (1 + math.Exp((moodLeast-v)/moodSpan)) }
	negative, positive := above(-sum/n), above(sum/n)
	return []float64{negative, 1 - negative - positive, positive}
}

// mostModels is how many trained models are cached: each takes some megabytes. A trained version never changes.
const mostModels = 16

// Classifiers returns the classifiers of a plan, in its order, and loads those that are not built in.
func (a *Analyst) Classifiers(
	p *plan.Plan, load func(plan.Predictor) (classify.Classifier, error),
) ([]classify.Classifier, error) {
	var all []classify.Classifier
	for _, asked := range p.Classifiers {
		c, ok := a.builtIn(asked.ID)
		if !ok {
			var err error
			if c, err = load(asked.Predictor); err != nil {
				return nil, err
			}
		}
		all = append(all, c)
	}
	return all, nil
}

// verdict is a classification computed elsewhere.
type verdict []float64

// Judge returns the stored probabilities for any transcript.
func (v verdict) Judge(*transcript.Transcript) []float64 { return v }

// classifiers returns the classifiers of a plan. Networks are evaluated here, on the words as published.
func (p *Pipeline) classifiers(
	ctx context.Context, from *plan.Plan, t *transcript.Transcript,
) ([]classify.Classifier, error) {
	return p.Analyst.Classifiers(from, func(asked plan.Predictor) (classify.Classifier, error) {
		for _, n := range p.Networks {
			if n.ID == asked.ID {
				said, err := p.Onnx.Judge(ctx, n, legible(t))
				return classify.Classifier{Description: n.Description, Judge: verdict(said)}, err
			}
		}
		return p.trained(ctx, asked)
	})
}

// legible returns the words of a transcript as displayed, each with the punctuation after it. It omits placeholders of
// redacted words.
func legible(t *transcript.Transcript) []string {
	var words []string
	for _, w := range t.Words {
		switch n := len(words); {
		case w.Kind == transcript.Spoken:
			words = append(words, w.Text)
		case w.Kind == transcript.Punctuation && n > 0:
			words[n-1] += w.Text
		}
	}
	return words
}

// trained returns a classifier that the account has trained.
func (p *Pipeline) trained(ctx context.Context, asked plan.Predictor) (classify.Classifier, error) {
	version, err := strconv.Atoi(asked.Version)
	if err != nil {
		return classify.Classifier{}, fault.New(fault.Unavailable, fault.CodeUnavailable,
			"the network of the classifier %s is not installed; put it back into the folder of networks, or delete the "+
				"recording", asked.Name)
	}
	id := store.ModelID{Classifier: asked.ID, Version: version}
	return p.Analyst.models.find(id, 1, func() (classify.Classifier, error) { return p.loadClassifier(ctx, id) })
}

// loadClassifier reads a trained model.
func (p *Pipeline) loadClassifier(ctx context.Context, id store.ModelID) (classify.Classifier, error) {
	var row store.StoredClassifier
	var data []byte
	err := p.Store.View(ctx, func(tx *store.Tx) (err error) {
		row, data, err = tx.Model(id)
		return err
	})
	if err != nil {
		return classify.Classifier{}, err
	}
	model, err := p.Codec.DecodeModel(data)
	if err != nil {
		return classify.Classifier{}, err
	}
	return classify.Classifier{Judge: model, Description: classify.Description{
		ID: row.ID, Name: row.Name, DisplayName: row.DisplayName, Version: strconv.Itoa(row.Version),
		Labels: model.Labels(),
	}}, nil
}

// builtIn returns a built-in classifier, given its id. The sentences for the one named sentiment are added later; see
// knowing.
func (a *Analyst) builtIn(id string) (classify.Classifier, bool) {
	switch id {
	case classify.Sentiment().ID:
		return classify.Classifier{Description: classify.Sentiment(), Judge: mood(nil)}, true
	case classify.VoicemailDescription().ID:
		return classify.Classifier{Description: classify.VoicemailDescription(), Judge: a.voicemail}, true
	}
	return classify.Classifier{}, false
}
