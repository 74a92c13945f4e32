package codec

import (
	"reflect"
	"testing"
	"time"

	"parley/internal/analysis/category"
	"parley/internal/analysis/classify"
	"parley/internal/analysis/detect"
	"parley/internal/analysis/entity"
	knowledgefound "parley/internal/analysis/knowledge"
	"parley/internal/analysis/sentiment"
	"parley/internal/analysis/spot"
	"parley/internal/analysis/talk"
	"parley/internal/analysis/verbnoun"
	"parley/internal/call/definition"
	"parley/internal/call/plan"
	"parley/internal/call/result"
	"parley/internal/testkit/verify"
	"parley/internal/words/transcript"
	"parley/internal/words/vocabulary"
)

// The content of the golden files. Every field is set, so that renaming one fails the test.
var (
	knownVocabulary = vocabulary.Vocabulary{
		Name: "products", Kind: "names",
		Terms: []vocabulary.Term{{Text: "Parley", SoundsLike: []string{"par lay"}, Weight: 2.5}, {Text: "é"}},
	}
	knownScripts = vocabulary.Vocabulary{Name: "greetings",
		Scripts: []string{"thank you for calling", "how may I help you"}}
	knownGroup    = definition.Group{Name: "cancellation", Keywords: []string{"cancel my account", "größer"}}
	knownFields   = definition.SearchFields{"extended.campaignId", "title"}
	knownCategory = definition.Category{
		Name: "at-risk", Description: "wants to leave", Query: `caller SAYS "größer"`, Notes: "n",
		Tags: []string{"a", "b"}, Version: "1.0",
	}
	knownQuery  = definition.Query{Name: "calls", Description: "d", Query: "*"}
	knownPreset = definition.Preset{Name: "support", Description: "d", Configuration: []byte(`{"priority": "low"}`)}
	// what version 1 of a category and of a query cannot hold
	knownCollected = definition.Category{
		Name: "at-risk", Description: "wants to leave", Query: `caller SAYS "größer"`, Notes: "n",
		Tags: []string{"a", "b"}, Version: "1.0", Collection: "Churn",
	}
	knownView      = definition.Query{Name: "calls", Description: "d", Query: "*", View: definition.View(`{"a": 1.50}`)}
	knownWhere     = definition.Query{Name: "calls", Where: "length > 1", View: definition.View(`{}`)}
	knownWords     = definition.Query{Name: "calls", Words: "größer"}
	knownDashboard = definition.Dashboard{Name: "team", Title: "t", Description: "d", Tiles: []definition.Tile{
		{Title: "t", Statement: "SELECT count(*) FROM media", Chart: definition.Single, Width: 3,
			View: definition.View(`{"x":[]}`)},
		{Statement: "SELECT mediaId FROM media", Chart: definition.Table, Width: 12},
	}}
	knownExamples = []definition.Example{{Text: "a text", Label: "x"},
		{Media: "01912c45-5f3c-7d1a-9b1e-0a8d5c2f4e11", Label: "y"}}
	knownCard = definition.Classifier{Labels: []string{"x", "y"}, Texts: 7, Quality: &classify.Quality{
		Texts: 7, Folds: 5, Accuracy: .8, MacroF1: .7, LogLoss: .5, Calibration: .1,
		Classes: []classify.ClassQuality{
			{Label: "x", Texts: 4, Precision: 1, Recall: .5, F1: .67},
			{Label: "y", Texts: 3, Precision: .6, Recall: 1, F1: .75},
		},
	}}
	knownSource = plan.Source{
		Version: 1, Configuration: []byte(`{"priority": "low"}`), Built: []plan.Feature{plan.Metrics, plan.Spotting},
		WordsGiven: true, TextGiven: true, Published: &plan.Published{Language: "de-DE", Given: true}, Kept: true,
		Definitions: plan.Definitions{
			Vocabularies: []vocabulary.Vocabulary{
				{Name: "products", Kind: "names",
					Terms: []vocabulary.Term{{Text: "Parley", SoundsLike: []string{"par lay"}, Weight: 2.5}}},
				{Scripts: []string{"thank you for calling"}},
			},
			Groups:      []plan.Group{{Name: "greeting", Keywords: []string{"hello", "good morning"}}},
			Categories:  []plan.Category{{Name: "churn", Query: `* SAYS "cancel"`}},
			Classifiers: []plan.Predictor{{ID: "c1", Name: "sale", Version: "1.2"}},
			Detectors:   []plan.Predictor{{ID: "d1", Name: "PCI", Version: "3"}},
			Keys: []plan.Key{
				{ID: "k1", Content: []byte("-----BEGIN"), Hash: "h",
					Checked: time.Date(2026, 11, 20, 7, 15, 2, 134_567_890, time.UTC)},
			},
		},
	}
)

// below returns a transcript with unclamped, negative voice features.
func below() *transcript.Transcript {
	t := known().Transcript
	t.Words[0].Voice = &transcript.Voice{Volume: -1, Peaks: []transcript.Peak{
		{Frequency: -5.25, Energy: .5}, {Frequency: 407.25, Energy: -.2},
	}}
	return t
}

// analysed returns a result in which each analysis has found something.
func analysed() *result.Open {
	const first, second, third, last = 10 * time.Millisecond, 250 * time.Millisecond, 310 * time.Millisecond,
		900 * time.Millisecond
	said := transcript.Keyword{Text: "naïve", Relevance: .5, Mentions: []transcript.Mention{
		{Speaker: 1, Occurrences: []transcript.Occurrence{{Start: second, End: last, Exact: "naïve"}}},
	}}
	o := known()
	o.Findings = result.Findings{
		Metrics: []talk.Group{{Name: "overtalk", Metrics: []talk.Metric{
			{Name: "overtalk-incidents", Value: 3}, {Name: "overtalk-ratio", Value: .07},
		}}},
		Sentiments: []sentiment.Sentence{{Speaker: 1, Start: second, End: last, Score: -.4375}},
		Detections: []result.Detection{
			{Detector: detect.Detector{ID: "69629a8d-9e34-4bfa-a303-1639f383977a", Name: detect.PCI, Version: "1.0.0",
				DisplayName: "Payment cards"},
				Occurrences: []detect.Occurrence{{Class: detect.Class{Number: 1, Label: "pci"}, Speaker: 1,
					Start: second, End: last}}},
			{Detector: detect.Detector{ID: "c4a74bde-99a8-404a-a80c-5b9eb05f8aa4", Name: detect.SSN, Version: "1.2",
				DisplayName: "SSN"},
				Occurrences: []detect.Occurrence{}},
		},
		Categories: []category.Result{{Name: "praise"}, {Name: "at-risk", Matched: true, Hits: []category.Hit{
			{Speaker: 1, Start: time.Second, End: 2 * time.Second, Exact: "bye now"}, {Speaker: -1},
		}}},
		Spotting: []spot.Result{
			{Name: "greetings", Score: .5, Keywords: []transcript.Keyword{{Text: "hel*", Mentions: []transcript.Mention{
				{Speaker: 0, Occurrences: []transcript.Occurrence{{Start: first, End: third, Exact: "Hello"}}},
				{Speaker: 1, Occurrences: []transcript.Occurrence{{Start: second, End: last, Exact: "naïve"}}},
			}}}},
			{Name: "none", Keywords: []transcript.Keyword{}},
		},
		Pairs: []verbnoun.Pair{
			{Speaker: 0, Start: first, End: third, Verb: "have", Noun: "question", VerbNeg: "not"},
			{Speaker: 1, Start: second, End: last, Verb: "provide", Noun: "justification", NounNeg: "no",
				Question: true},
		},
		Classifications: []classify.Prediction{{
			ID: "5f0a1f6c-7b5e-4d3e-9a51-3b2f0c6d1e02", Name: "voicemail", DisplayName: "Voicemail", Version: "1.0.0",
			Binary: true, Class: 1, Label: "voicemail", Score: .75,
		}},
		Entities: []entity.Entity{
			{Type: entity.Person, Text: "Zoë", Speaker: 1, Start: second, End: last},
			{Type: entity.Amount, Text: "two hundred forty", Formatted: "$240.00", Start: 1, End: 2,
				Money: &entity.Money{Whole: 240, Centi: 5}},
		},
		Knowledge: &knowledgefound.Result{Keywords: []transcript.Keyword{said}, Topics: []knowledgefound.Topic{
			{Name: "Arts", Relevance: .25, Subtopics: []knowledgefound.Score{{Name: "Music", Score: .75}},
				Keywords: []transcript.Keyword{said}},
		}},
	}
	return o
}

func trained(t *testing.T) *classify.Model {
	t.Helper()
	var examples []classify.Example
	for _, text := range []string{"a bill", "my bill", "the bill"} {
		examples = append(examples, classify.Example{Words: classify.Written(text), Label: "x"})
	}
	for _, text := range []string{"no signal", "the signal", "a signal"} {
		examples = append(examples, classify.Example{Words: classify.Written(text), Label: "y"})
	}
	m, _, err := classify.Train(t.Context(), examples, func() {})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// form is one kind of record: its present encoding of a known value, and its decoder.
type form struct {
	kind    kind
	version int
	encoded []byte
	decode  func([]byte) (any, error)
	known   any
}

func decoding[T any](decode func([]byte) (T, error)) func([]byte) (any, error) {
	return func(data []byte) (any, error) { return decode(data) }
}

// forms returns all kinds of records except models, by the names of their golden files.
func forms(c *Codec) map[string]form {
	card := func(data []byte) (of definition.Classifier, err error) {
		err = c.DecodeCard(data, &of)
		return of, err
	}
	return map[string]form{
		"transcript": {transcriptKind, transcriptVersion, c.EncodeTranscript(below()), decoding(c.DecodeTranscript),
			below()},
		"result": {resultKind, resultVersion, c.EncodeResult(analysed()), decoding(c.DecodeResult), analysed()},
		"source": {sourceKind, sourceVersion, c.EncodeSource(knownSource), decoding(c.DecodeSource), knownSource},
		"vocabulary": {vocabularyKind, vocabularyVersion, c.EncodeVocabulary(knownVocabulary),
			decoding(c.DecodeVocabulary), knownVocabulary},
		"scripts": {vocabularyKind, vocabularyVersion, c.EncodeVocabulary(knownScripts),
			decoding(c.DecodeVocabulary), knownScripts},
		"group": {groupKind, groupVersion, c.EncodeGroup(knownGroup), decoding(c.DecodeGroup), knownGroup},
		"fields": {fieldsKind, fieldsVersion, c.EncodeSearchFields(knownFields), decoding(c.DecodeSearchFields),
			knownFields},
		"category": {categoryKind, categoryVersion, c.EncodeCategory(knownCategory), decoding(c.DecodeCategory),
			knownCategory},
		"query":  {queryKind, queryVersion, c.EncodeQuery(knownQuery), decoding(c.DecodeQuery), knownQuery},
		"preset": {presetKind, presetVersion, c.EncodePreset(knownPreset), decoding(c.DecodePreset), knownPreset},
		"dashboard": {dashboardKind, dashboardVersion, c.EncodeDashboard(knownDashboard), decoding(c.DecodeDashboard),
			knownDashboard},
		"training": {trainingKind, trainingVersion, c.EncodeExamples(knownExamples), decoding(c.DecodeExamples),
			knownExamples},
		"classifier": {cardKind, cardVersion, c.EncodeCard(knownCard), decoding(card), knownCard},
	}
}

func TestRecordsOfVersion1StayReadable(t *testing.T) {
	for name, f := range forms(codec(t)) {
		got, err := f.decode(verify.Golden(t, name, 1, f.encoded))
		if err != nil || !reflect.DeepEqual(got, f.known) {
			t.Errorf("%s: %v, %+v", name, err, got)
		}
	}
}

// second returns the kinds of records that have a version 2, by the names of their golden files.
func second(c *Codec) map[string]form {
	return map[string]form{
		"category": {categoryKind, categoryVersion, c.EncodeCategory(knownCollected), decoding(c.DecodeCategory),
			knownCollected},
		"query": {queryKind, queryVersion, c.EncodeQuery(knownView), decoding(c.DecodeQuery), knownView},
		"where": {queryKind, queryVersion, c.EncodeQuery(knownWhere), decoding(c.DecodeQuery), knownWhere},
		"words": {queryKind, queryVersion, c.EncodeQuery(knownWords), decoding(c.DecodeQuery), knownWords},
	}
}

func TestRecordsOfVersion2StayReadable(t *testing.T) {
	for name, f := range second(codec(t)) {
		got, err := f.decode(verify.Golden(t, name, 2, f.encoded))
		if err != nil || !reflect.DeepEqual(got, f.known) {
			t.Errorf("%s: %v, %+v", name, err, got)
		}
	}
}

// During an upgrade, servers of the version before read what is saved.
func TestRecordsThatNeedNoVersion2AreWrittenInVersion1(t *testing.T) {
	c := codec(t)
	if version(c.EncodeCategory(knownCategory)) != 1 || version(c.EncodeQuery(knownQuery)) != 1 {
		t.Error("a category without a collection, or a query without a view, is not in version 1")
	}
	for name, f := range second(c) {
		if got := version(f.encoded); got != 2 {
			t.Errorf("%s: version %d", name, got)
		}
	}
}

// version returns the version of a record, which is below 128.
func version(record []byte) int { return int(record[len(magic)+1]) }

func TestWhatIsEncodedIsDecodedAsItWas(t *testing.T) {
	for name, f := range forms(codec(t)) {
		if got, err := f.decode(f.encoded); err != nil || !reflect.DeepEqual(got, f.known) {
			t.Errorf("%s: %v, %+v", name, err, got)
		}
	}
}

func TestModelsOfVersion1StayReadable(t *testing.T) {
	c := codec(t)
	m, err := c.DecodeModel(verify.Golden(t, "model", 1, c.EncodeModel(trained(t))))
	if err != nil {
		t.Fatal(err)
	}
	if p := m.Probabilities(classify.Written("his bill")); m.Labels()[0] != "x" || p[0] < .7 {
		t.Errorf("%v", p)
	}
}

func TestOnlyRecordsOfTheirKindAreRead(t *testing.T) {
	c := codec(t)
	for name, f := range forms(c) {
		other := c.seal('?', 1, []byte("{}"))
		for _, data := range [][]byte{nil, []byte("pr"), other, c.seal(f.kind, f.version+1, []byte("{}")),
			c.seal(f.kind, 1, []byte("["))} {
			if got, err := f.decode(data); err == nil {
				t.Errorf("%s: %q is read as %+v", name, data, got)
			}
		}
	}
}
