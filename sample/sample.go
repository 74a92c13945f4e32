// Package sample embeds the sample call, a stereo support call of 84 seconds, and its reference transcript.
//
// It is synthesised speech (see README.md), made by the program in the folder make from call.txt. This package does not
// submit or transcribe it.
package sample

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"time"
)

// Name is the file name of the call; its extension is the format.
const Name = "call.flac"

// Configuration is the upload configuration for the call: the agent is on the left channel, the caller on the right
// one. Queries find the call.
const Configuration = `{"speechModel":{"features":["advancedPunctuation"]},"ingest":{"stereo":{"left":{"speakerName":"Agent"},"right":{"speakerName":"Caller"}}},"publish":{"enableAnalyticIndexing":true}}`

// Complete is a configuration for the call with every analysis, as Configuration otherwise. It judges the call by all
// categories of the account.
const Complete = `{"speechModel":{"features":["advancedPunctuation","voiceFeatures"]},` +
	`"ingest":{"stereo":{"left":{"speakerName":"Agent"},"right":{"speakerName":"Caller"}}},` +
	`"knowledge":{"enableDiscovery":true},"speakerSentiments":true,"conversation":{"verbNounPairsEnabled":true},` +
	`"entity":{"enableEntityExtraction":true},"categories":[{"allCategories":true}],` +
	`"prediction":{"classifiers":[{"classifierName":"sentiment"}],"detectors":[{"detectorName":"PII"}]},` +
	`"metrics":[{"metricGroupName":"overtalk"},{"metricGroupName":"sentiment"},` +
	`{"metricGroupName":"talk-style-tone-and-volume"},{"metricGroupName":"talk-time-and-rate"}],` +
	`"publish":{"enableAnalyticIndexing":true}}`

// Categories are conditions by name. The first two hold in the call, the last one does not.
var Categories = map[string]string{
	"greeting":   `"Agent" SAYS "thank you for calling" [0s, 15s]`,
	"slow-line":  `"Caller" SAYS ("very slow" || "stopped working")`,
	"supervisor": `"Caller" SAYS ("supervisor" || "manager")`,
}

// Metadata is the metadata of the call.
const Metadata = `{"title":"Sample call","externalId":"sample",` +
	`"callDetails":{"agent":{"fullName":"Laura"},"callDirection":"Inbound"}}`

// Example queries that find the call.
const (
	Condition = `"Caller" SAYS "very slow"`
	Statement = "SELECT mediaId, metadata:title, hits() FROM media WHERE " + Condition
)

//go:embed call.flac
var call string

//go:embed call.json
var reference []byte

// Call returns the recording: FLAC, stereo, 16 kHz.
func Call() []byte { return []byte(call) }

// Turn is what one speaker says without a break.
type Turn struct {
	Speaker    string // Agent or Caller
	Start, End time.Duration
	Text       string // words as spoken, with punctuation
}

// Turns returns the turns, ordered by start; turns of different speakers may overlap.
func Turns() ([]Turn, error) {
	var r struct {
		Turns []struct {
			Speaker        string
			StartMs, EndMs int64
			Text           string
		}
	}
	if err := json.Unmarshal(reference, &r); err != nil {
		return nil, fmt.Errorf("sample call's reference: %w", err)
	}
	turns := make([]Turn, len(r.Turns))
	for i, t := range r.Turns {
		turns[i] = Turn{t.Speaker, time.Duration(t.StartMs) * time.Millisecond,
			time.Duration(t.EndMs) * time.Millisecond, t.Text}
	}
	return turns, nil
}
