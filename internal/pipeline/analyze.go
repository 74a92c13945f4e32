package pipeline

import (
	"slices"
	"strings"

	"parley/internal/analysis/classify"
	"parley/internal/analysis/knowledge"
	"parley/internal/analysis/sentiment"
	"parley/internal/analysis/spot"
	"parley/internal/analysis/talk"
	"parley/internal/fault"
	"parley/internal/media"
	"parley/internal/plan"
	"parley/internal/result"
	"parley/internal/transcript"
)

// Analyst finds what a plan asks for in a transcript. It may be used by many goroutines.
type Analyst struct {
	sentiment  sentiment.Scorer
	conditions conditions
	lexicon    *knowledge.Lexicon
	voicemail  *classify.Voicemail
	models     models
}

// NewAnalyst loads the models of an Analyst.
func NewAnalyst() (*Analyst, error) {
	model, err := sentiment.Load()
	if err != nil {
		return nil, err
	}
	lexicon, err := knowledge.Load()
	if err != nil {
		return nil, err
	}
	voicemail, err := classify.LoadVoicemail()
	return &Analyst{sentiment: model, lexicon: lexicon, voicemail: voicemail}, err
}

// Result returns all that is published of a recording: its words as they are formatted, with what was found in them and
// before in those that were concealed. The classifiers are those of the plan (see Classifiers); the warnings are those about the words.
func (a *Analyst) Result(m *media.Media, t *transcript.Transcript, c *Concealed, p *plan.Plan, classifiers []classify.Classifier, warnings []fault.Problem) *result.Open {
	open := &result.Open{Transcript: t, Warnings: slices.Concat(p.Warnings, warnings), Findings: a.Analyze(t, p)}
	open.Detections = c.Detections
	if p.Classifiers != nil {
		open.Classifications = classify.Predict(t, &classify.Request{Classifiers: classifiers})
	}
	judged, more := a.Categorize(m, t, open.Findings, p)
	open.Categories, open.Warnings = judged, append(open.Warnings, more...)
	return open
}

// Analyze returns what was asked for, from the words as they are published.
func (a *Analyst) Analyze(t *transcript.Transcript, p *plan.Plan) result.Findings {
	var found result.Findings
	sentences := a.sentences(t, p)
	if p.Sentiments != nil {
		found.Sentiments = sentences
	}
	if p.Knowledge != nil {
		found.Knowledge = knowledge.Find(t, &knowledge.Request{Lexicon: a.lexicon})
	}
	if p.Spotting != nil {
		found.Spotting = spot.Find(t, &spot.Request{Index: spot.NewIndex(groups(p.Spotting))})
	}
	if p.Metrics != nil {
		found.Metrics = talk.Measure(&talk.Request{Transcript: t, Sentences: scores(sentences), Groups: p.Metrics})
	}
	return found
}

// sentences scores the sentences where that is of use: nothing is known outside English.
func (a *Analyst) sentences(t *transcript.Transcript, p *plan.Plan) []sentiment.Sentence {
	if p.Sentiments == nil && !slices.Contains(p.Metrics, talk.Sentiment) || !english(p.Language) {
		return []sentiment.Sentence{}
	}
	return sentiment.Find(t, &sentiment.Request{Scorer: a.sentiment})
}

func groups(asked []plan.Group) []spot.Group {
	list := make([]spot.Group, len(asked))
	for i, g := range asked {
		list[i] = spot.Group(g)
	}
	return list
}

func english(language string) bool {
	primary, _, _ := strings.Cut(strings.ToLower(language), "-")
	return primary == "en"
}

func scores(sentences []sentiment.Sentence) []talk.Sentence {
	list := make([]talk.Sentence, len(sentences))
	for i, s := range sentences {
		list[i] = talk.Sentence{Speaker: s.Speaker, Score: s.Score}
	}
	return list
}
