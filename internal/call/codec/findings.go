package codec

import (
	"encoding/json"
	"fmt"
	"time"

	"parley/internal/analysis/classify"
	"parley/internal/analysis/sentiment"
	"parley/internal/analysis/talk"
	"parley/internal/analysis/verbnoun"
	"parley/internal/call/result"
	"parley/internal/words/list"
)

// findings is the stored form of result.Findings: JSON, to which new analyses add members. Null means not requested.
type findings struct {
	Knowledge  *knowledge       `json:"knowledge,omitempty"`
	Entities   []entityRecord   `json:"entities,omitzero"`
	Metrics    []metricGroup    `json:"metrics"`
	Sentiments []sentence       `json:"sentiments"`
	Detections []detection      `json:"detections"`
	Categories []categoryResult `json:"categories"`
	Spotting   []groupResult    `json:"spotting"`
	Pairs      []pair           `json:"pairs"`

	Classifications []classification `json:"classifications"`
}

type metricGroup struct {
	Name   string    `json:"name"`
	Names  []string  `json:"names"`
	Values []float64 `json:"values"`
}

// sentence has times in nanoseconds.
type sentence struct {
	Speaker int           `json:"speaker"`
	Start   time.Duration `json:"start"`
	End     time.Duration `json:"end"`
	Score   float64       `json:"score"`
}

// each converts a list; nil stays nil.
func each[From, To any](items []From, convert func(From) To) []To {
	if items == nil {
		return nil
	}
	return list.Map(items, convert)
}

func encodeFindings(f result.Findings) []byte {
	data, err := json.Marshal(findings{
		Knowledge: newKnowledge(f.Knowledge),
		Entities:  each(f.Entities, newEntityRecord),
		Metrics: each(f.Metrics, func(g talk.Group) metricGroup {
			kept := metricGroup{Name: g.Name, Names: []string{}, Values: []float64{}}
			for _, m := range g.Metrics {
				kept.Names, kept.Values = append(kept.Names, m.Name), append(kept.Values, m.Value)
			}
			return kept
		}),
		Sentiments: each(f.Sentiments, func(s sentiment.Sentence) sentence { return sentence(s) }),
		Detections: each(f.Detections, newDetection),
		Categories: each(f.Categories, newCategoryResult),
		Spotting:   each(f.Spotting, newGroupResult),
		Pairs:      each(f.Pairs, func(p verbnoun.Pair) pair { return pair(p) }),

		Classifications: each(f.Classifications, func(p classify.Prediction) classification {
			return classification(p)
		}),
	})
	if err != nil {
		// NaN or an infinity: a bug of an analysis
		panic(fmt.Sprintf("record: encode findings: %v", err))
	}
	return data
}

func decodeFindings(data []byte) (result.Findings, error) {
	var kept findings
	if err := json.Unmarshal(data, &kept); err != nil {
		return result.Findings{}, fmt.Errorf("findings: %w", err)
	}
	for _, g := range kept.Metrics {
		if len(g.Names) != len(g.Values) {
			return result.Findings{}, fmt.Errorf("findings: group %s has %d names and %d values", g.Name, len(g.Names),
				len(g.Values))
		}
	}
	return result.Findings{
		Knowledge: kept.Knowledge.decode(),
		Entities:  each(kept.Entities, entityRecord.decode),
		Metrics: each(kept.Metrics, func(g metricGroup) talk.Group {
			found := talk.Group{Name: g.Name}
			for i, name := range g.Names {
				found.Metrics = append(found.Metrics, talk.Metric{Name: name, Value: g.Values[i]})
			}
			return found
		}),
		Sentiments: each(kept.Sentiments, func(s sentence) sentiment.Sentence { return sentiment.Sentence(s) }),
		Detections: each(kept.Detections, detection.decode),
		Categories: each(kept.Categories, categoryResult.decode),
		Spotting:   each(kept.Spotting, groupResult.decode),
		Pairs:      each(kept.Pairs, func(p pair) verbnoun.Pair { return verbnoun.Pair(p) }),

		Classifications: each(kept.Classifications, func(c classification) classify.Prediction {
			return classify.Prediction(c)
		}),
	}, nil
}
