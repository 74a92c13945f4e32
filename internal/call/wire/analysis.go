package wire

import (
	"parley/internal/analysis/sentiment"
	"parley/internal/analysis/talk"
	"parley/internal/call/result"
	"parley/internal/words/account"
	"parley/internal/words/list"
	"parley/internal/words/transcript"
)

// Analyses are the sections of a media item with the results of analyses of its transcript.
type Analyses struct {
	Knowledge         *Knowledge         `json:"knowledge,omitempty"`
	Entities          []Entity           `json:"entities,omitzero"`
	Metrics           []MetricGroup      `json:"metrics,omitzero"`
	SpeakerSentiments []SpeakerSentiment `json:"speakerSentiments,omitzero"`
	Prediction        *Prediction        `json:"prediction,omitzero"`
	Categories        []CategoryResult   `json:"categories,omitzero"`
	Spotting          *Spotting          `json:"spotting,omitempty"`
	Conversation      *Conversation      `json:"conversation,omitempty"`
}

// MetricGroup is the conversation metrics of one group.
type MetricGroup struct {
	MetricGroupName string        `json:"metricGroupName"`
	MetricValues    []MetricValue `json:"metricValues"`
}

// MetricValue is one conversation metric.
type MetricValue struct {
	MetricName  string  `json:"metricName"`
	MetricValue float64 `json:"metricValue"`
}

// SpeakerSentiment is the sentiment of a speaker, sentence by sentence.
type SpeakerSentiment struct {
	SpeakerName     string           `json:"speakerName"`
	SentimentValues []SentimentValue `json:"sentimentValues"`
}

// SentimentValue is the sentiment of one sentence.
type SentimentValue struct {
	S int64   `json:"s"` // ms
	E int64   `json:"e"` // ms
	V float64 `json:"v"` // -1..1
}

func newAnalyses(t *transcript.Transcript, f result.Findings, c account.Compatibility) Analyses {
	return Analyses{
		Knowledge: newKnowledge(t, f.Knowledge),
		Entities:  newEntities(t, f.Entities),
		Metrics:   newMetrics(f.Metrics), SpeakerSentiments: newSentiments(t, f.Sentiments),
		Prediction: newPrediction(t, f),
		Categories: newCategoryResults(t, f.Categories), Spotting: newSpotting(t, f.Spotting, c),
		Conversation: newConversation(t, f.Pairs),
	}
}

func newMetrics(groups []talk.Group) []MetricGroup {
	if groups == nil {
		return nil
	}
	return list.Map(groups, func(g talk.Group) MetricGroup {
		values := list.Map(g.Metrics, func(m talk.Metric) MetricValue { return MetricValue{m.Name, m.Value} })
		return MetricGroup{g.Name, values}
	})
}

// newSentiments returns an entry for every speaker, with the sentences in the order in which they were said.
func newSentiments(t *transcript.Transcript, sentences []sentiment.Sentence) []SpeakerSentiment {
	if sentences == nil {
		return nil
	}
	speakers := list.Map(t.Speakers, func(s transcript.Speaker) SpeakerSentiment {
		return SpeakerSentiment{s.Name, []SentimentValue{}}
	})
	for _, s := range sentences {
		of := &speakers[s.Speaker]
		of.SentimentValues = append(of.SentimentValues, SentimentValue{ms(s.Start), ms(s.End), round(s.Score, 3)})
	}
	return speakers
}

// MetricGroups is the answer of GET /v3/definition/metrics.
type MetricGroups struct {
	Links        Links              `json:"_links"`
	MetricGroups []MetricGroupEntry `json:"metricGroups"`
}

// MetricGroupEntry describes the metrics of a group.
type MetricGroupEntry struct {
	MetricGroupName string        `json:"metricGroupName"`
	Metrics         []MetricEntry `json:"metrics"`
}

// MetricEntry describes one metric.
type MetricEntry struct {
	MetricName        string `json:"metricName"`
	MetricDescription string `json:"metricDescription"`
	MetricUnit        string `json:"metricUnit"`
}

// NewMetricGroups returns the description of all conversation metrics.
func NewMetricGroups(groups []talk.GroupDefinition) MetricGroups {
	w := MetricGroups{Links: self("definition", "metrics")}
	for _, g := range groups {
		entry := MetricGroupEntry{MetricGroupName: g.Name}
		for _, m := range g.Metrics {
			description := m.Description
			if m.Stereo {
				description += " Stereo calls only; 0 for others."
			}
			entry.Metrics = append(entry.Metrics, MetricEntry{m.Name, description, m.Unit})
		}
		w.MetricGroups = append(w.MetricGroups, entry)
	}
	return w
}
