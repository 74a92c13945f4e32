package fact_test

import (
	"fmt"

	"parley/internal/analysis/talk"
	"parley/internal/call/fact"
	"parley/internal/call/result"
	"parley/internal/query"
	"parley/internal/words/media"
	"parley/internal/words/transcript"
)

func ExampleOf() {
	metrics := []talk.Group{{Name: "overtalk", Metrics: []talk.Metric{{Name: "overtalk-ratio", Value: 0.25}}}}
	values := fact.Of(&fact.Call{
		Media: &media.Media{}, Transcript: &transcript.Transcript{}, Findings: result.Findings{Metrics: metrics},
	})
	ratio, ok := values.Value(query.Field{Space: query.Metrics, Path: []string{"overtalk-ratio"}}).Number()
	fmt.Println(ratio, ok)
	// Output: 0.25 true
}
