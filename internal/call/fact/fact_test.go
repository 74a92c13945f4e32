package fact

import (
	"testing"
	"time"

	"parley/internal/analysis/category"
	"parley/internal/analysis/classify"
	"parley/internal/analysis/spot"
	"parley/internal/analysis/talk"
	"parley/internal/call/result"
	"parley/internal/query"
	"parley/internal/words/media"
	"parley/internal/words/transcript"
)

// field returns the field of a condition.
func field(t *testing.T, text string) query.Field {
	t.Helper()
	c, err := query.ParseCondition(text+" IS NULL", nil)
	if err != nil {
		t.Fatal(err)
	}
	return query.Compile(c).Fields()[0]
}

func TestFieldsHoldWhatIsKnownOfACall(t *testing.T) {
	metadata, err := media.ParseMetadata(
		[]byte(`{"title":"T","externalId":"e","extended":{"score":7,"Team Name":"a","on":true,"none":null,"deep":{"er":"x"},
		"list":["a",2,{"b":1}],"agent":"of extended"},"callDetails":{"agent":{"externalId":"a7"},"callDirection":"Inbound"}}`))
	if err != nil {
		t.Fatal(err)
	}
	created := time.Date(2026, 7, 30, 1, 2, 3, 0, time.UTC)
	values := Of(&Call{
		Media: &media.Media{ID: "m", Created: created, Metadata: metadata, ContentType: "audio/wav"},
		Transcript: &transcript.Transcript{Speakers: []transcript.Speaker{{Name: "A"}}, Length: 90 * time.Second,
			Language: "en-US", Words: []transcript.Word{{Text: "hi"}, {Text: ".", Kind: transcript.Punctuation}}},
		Findings: result.Findings{
			Metrics:    []talk.Group{{Metrics: []talk.Metric{{Name: "call-sentiment", Value: -.25}}}},
			Spotting:   []spot.Result{{Name: "heard", Keywords: []transcript.Keyword{{}}}, {Name: "unheard"}},
			Categories: []category.Result{{Name: "yes", Matched: true}, {Name: "no"}},

			Classifications: []classify.Prediction{{Name: "intent", Label: "lost card", Class: 3}},
		},
		Finished: created.Add(time.Hour),
	})
	for text, want := range map[string]any{
		"mediaId": "m", "dateCreated": created, "dateFinished": created.Add(time.Hour), "length": 90000.0,
		"wordCount": 1.0, "turnCount": 1.0,
		"interactionType": "speech", "status": "finished", "mediaContentType": "audio/wav", "externalId": "e",
		"title": "T", "description": nil, "language": "en-US",
		"metadata:score": 7.0, "metadata:extended:score": 7.0, `metadata:"team name"`: "a", "metadata:on": true,
		"metadata:none":    nil,
		"metadata:deep:er": "x", "metadata.deep.er": "x", "metadata:deep": nil, "metadata:list": "a, 2",
		"metadata:title":                        "T",
		"metadata:callDetails:agent:externalId": "a7", "metadata:agent:externalId": "a7",
		"metadata:callDirection": "Inbound", "metadata:agent": "of extended",
		"sentiment": -.25, `metrics:"call-sentiment"`: -.25, `metrics:"overtalk-ratio"`: nil,
		`prediction:"intent"`: "lost card", `prediction:"mood"`: nil,
		`spotting:"heard"`: 1.0, `spotting:"unheard"`: 0.0, `categories:"yes"`: 1.0, `categories:"no"`: 0.0,
		`categories:"other"`: nil,
	} {
		if got := values.Value(field(t, text)).Any(); got != want {
			t.Errorf("%s is %v, want %v", text, got, want)
		}
	}
}

func TestNamesWhoseCaseIsRightComeFirst(t *testing.T) {
	metadata, err := media.ParseMetadata([]byte(`{"key":"root","extended":{"KEY":"loud","Key":"title"}}`))
	if err != nil {
		t.Fatal(err)
	}
	values := Of(&Call{Media: &media.Media{Metadata: metadata}, Transcript: &transcript.Transcript{}})
	for text, want := range map[string]any{"metadata:key": "root", "metadata:KEY": "loud", "metadata:kEY": "loud"} {
		if got := values.Value(field(t, text)).Any(); got != want {
			t.Errorf("%s is %v, want %v", text, got, want)
		}
	}
}
