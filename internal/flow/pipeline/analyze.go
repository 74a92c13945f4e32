package pipeline

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"parley/internal/analysis/classify"
	"parley/internal/analysis/entity"
	"parley/internal/analysis/knowledge"
	"parley/internal/analysis/sentiment"
	"parley/internal/analysis/spot"
	"parley/internal/analysis/tagger"
	"parley/internal/analysis/talk"
	"parley/internal/analysis/verbnoun"
	"parley/internal/call/plan"
	"parley/internal/call/result"
	"parley/internal/query"
	"parley/internal/speech/audio"
	"parley/internal/speech/formatting"
	"parley/internal/storage/store"
	"parley/internal/words/fault"
	"parley/internal/words/list"
	"parley/internal/words/media"
	"parley/internal/words/transcript"
)

// analysis is the output of analyze.
type analysis struct {
	*request
	decoded   *audio.Decoded // the recording, closed; nil if it was not decoded
	result    *result.Open
	concealed *Concealment
}

// analyze conceals, formats and analyzes words. Everything that reads words runs after conceal.
func (a *attempt) analyze(ctx context.Context, w *words) (*analysis, error) {
	a.steps.start(ctx, media.StepAnalyze)
	clear := w.conceal()
	t := a.Formatter.Format(w.plain(clear.Transcript), w.plan)
	classifiers, err := a.classifiers(ctx, w.plan, t)
	if err != nil {
		return nil, err
	}
	open, err := a.Analyst.Result(ctx, &w.media, t, clear, w.plan, classifiers, w.warnings)
	if err != nil {
		return nil, err
	}
	a.steps.finish(ctx, media.StepAnalyze)
	return &analysis{w.request, w.decoded, open, clear}, nil
}

// plain returns a transcript of published words without the punctuation that the recogniser added for an earlier
// request, if the current request does not ask for it.
func (w *words) plain(t *transcript.Transcript) *transcript.Transcript {
	if w.republishes() && !w.baseline.given && !w.plan.Formatting.Punctuation {
		return unmarked(t)
	}
	return t
}

// unmarked returns a transcript without punctuation.
func unmarked(t *transcript.Transcript) *transcript.Transcript {
	out := *t
	out.Words = slices.DeleteFunc(slices.Clone(t.Words), func(w transcript.Word) bool {
		return w.Kind == transcript.Punctuation
	})
	return &out
}

// Analyst computes what a plan asks for from a transcript. It is safe for concurrent use.
type Analyst struct {
	sentiment  sentiment.Scorer
	lexicon    *knowledge.Lexicon
	names      *entity.Gazetteer
	voicemail  *classify.Voicemail
	tagger     *tagger.Tagger
	conditions cache[string, *query.Program]
	groups     cache[fingerprint, *spot.Index]
	models     cache[store.ModelID, classify.Classifier]
}

// Words holds all models that work on words. It is safe for concurrent use, and can be shared by several servers in a
// process.
type Words struct {
	Formatter *Formatter
	Analyst   *Analyst
}

// LoadWords loads all models that work on words.
func LoadWords() (*Words, error) {
	formatter, err := NewFormatter()
	analyst, err2 := NewAnalyst()
	return &Words{formatter, analyst}, errors.Join(err, err2)
}

// NewAnalyst loads the models of an Analyst.
func NewAnalyst() (*Analyst, error) {
	a := &Analyst{}
	a.conditions.most, a.groups.most, a.models.most = mostConditions, mostKeywords, mostModels
	var errs [5]error
	a.sentiment, errs[0] = sentiment.Load()
	a.lexicon, errs[1] = knowledge.Load()
	a.names, errs[2] = entity.Load()
	a.voicemail, errs[3] = classify.LoadVoicemail()
	a.tagger, errs[4] = tagger.Load()
	return a, errors.Join(errs[:]...)
}

// Result returns everything that is published for a recording: its formatted words, the findings in them, and the
// detections made before words were concealed. The classifiers are those of the plan (see Classifiers); the warnings
// are about the words. The error is the cause of the end of ctx.
func (a *Analyst) Result(
	ctx context.Context, m *media.Media, t *transcript.Transcript, c *Concealment, p *plan.Plan,
	classifiers []classify.Classifier, warnings []fault.Problem,
) (*result.Open, error) {
	sentences := a.sentences(t, p)
	found, tooMuch := a.analyze(t, p, sentences)
	open := &result.Open{Transcript: t, Warnings: slices.Concat(p.Warnings, warnings, tooMuch), Findings: found}
	open.Detections = c.Detections
	if p.Entities != nil {
		open.Entities = a.entities(t, c.Transcript)
	}
	if p.Classifiers != nil {
		open.Classifications = classify.Predict(t, &classify.Request{Classifiers: knowing(sentences, classifiers)})
	}
	judged, more, err := a.Categorize(ctx, m, t, open.Findings, p)
	open.Categories, open.Warnings = judged, append(open.Warnings, more...)
	return open, err
}

// analyze returns the findings that need only words, and warnings about definitions that exceed the evaluation limit.
func (a *Analyst) analyze(
	t *transcript.Transcript, p *plan.Plan, sentences []sentiment.Sentence,
) (found result.Findings, warnings []fault.Problem) {
	if p.Sentiments != nil {
		found.Sentiments = sentences
	}
	if p.Knowledge != nil {
		found.Knowledge = knowledge.Find(t, &knowledge.Request{Lexicon: a.lexicon})
	}
	if p.Spotting != nil {
		var undecided []string
		found.Spotting, undecided = spot.Find(t, &spot.Request{Index: a.index(p.Spotting)})
		if len(undecided) > 0 {
			warnings = append(warnings, leftOut("spotting all keyword groups in this recording", undecided,
				"use fewer keywords with *"))
		}
	}
	if p.Conversation != nil {
		found.Pairs = verbnoun.Find(t, &verbnoun.Request{Tagger: a.tagger})
	}
	if p.Metrics != nil {
		found.Metrics = talk.Measure(&talk.Request{Transcript: t, Sentences: scores(sentences), Groups: p.Metrics})
	}
	return found, warnings
}

// sentences scores the sentences if the plan needs them. Only English can be scored.
func (a *Analyst) sentences(t *transcript.Transcript, p *plan.Plan) []sentiment.Sentence {
	if p.Sentiments == nil && !slices.Contains(p.Metrics, talk.Sentiment) && !asksForMood(p) ||
		!plan.English(p.Language) {
		return []sentiment.Sentence{}
	}
	return sentiment.Find(t, &sentiment.Request{Scorer: a.sentiment})
}

// entities finds named entities. It searches the text with numbers as figures, whether or not the plan formats them so.
func (a *Analyst) entities(t, spoken *transcript.Transcript) []entity.Entity {
	written := formatting.Apply(t, &formatting.Request{Numbers: true})
	return entity.Find(written, &entity.Request{Gazetteer: a.names, Spoken: spoken})
}

// scores returns the scores of sentences in order of their start. The input is in order of turns, and turns of speakers
// who talk at the same time overlap.
func scores(sentences []sentiment.Sentence) []talk.Sentence {
	said := slices.SortedStableFunc(slices.Values(sentences), func(a, b sentiment.Sentence) int {
		return cmp.Compare(a.Start, b.Start)
	})
	return list.Map(said, func(s sentiment.Sentence) talk.Sentence {
		return talk.Sentence{Speaker: s.Speaker, Score: s.Score}
	})
}
