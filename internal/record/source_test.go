package record

import (
	"os"
	"reflect"
	"testing"
	"time"

	"parley/internal/plan"
	"parley/internal/vocabulary"
)

// knownSource is the plan that source.v1 holds: every field is set, so that none can be renamed unseen.
func knownSource() plan.Source {
	return plan.Source{
		Version: 1, Configuration: []byte(`{"priority": "low"}`), Built: []plan.Feature{plan.Metrics, plan.Spotting}, WordsGiven: true,
		Definitions: plan.Definitions{
			Vocabularies: []vocabulary.Vocabulary{
				{Name: "products", Kind: "names", Terms: []vocabulary.Term{{Text: "Parley", SoundsLike: []string{"par lay"}, Weight: 2.5}}},
				{Scripts: []string{"thank you for calling"}},
			},
			Groups:      []plan.Group{{Name: "greeting", Keywords: []string{"hello", "good morning"}}},
			Categories:  []plan.Category{{Name: "churn", Query: `* SAYS "cancel"`}},
			Classifiers: []plan.Predictor{{ID: "c1", Name: "sale", Version: "1.2"}},
			Detectors:   []plan.Predictor{{ID: "d1", Name: "PCI", Version: "3"}},
			Keys:        []plan.Key{{ID: "k1", Content: []byte("-----BEGIN")}},
		},
	}
}

func TestThatATextWasGivenIsKept(t *testing.T) {
	c := codec(t)
	want := plan.Source{Version: 1, TextGiven: true}
	if got, err := c.DecodeSource(c.EncodeSource(want)); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestThatWordsWerePublishedIsKept(t *testing.T) {
	c := codec(t)
	want := plan.Source{Version: 1, Published: &plan.Published{Language: "de-DE", Given: true}, Kept: true}
	if got, err := c.DecodeSource(c.EncodeSource(want)); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestThatAKeyWasCheckedIsKept(t *testing.T) {
	c := codec(t)
	key := plan.Key{ID: "k", Content: []byte("c"), Hash: "h", Checked: time.Date(2026, 11, 20, 7, 15, 2, 134_567_890, time.UTC)}
	want := plan.Source{Version: 1, Definitions: plan.Definitions{Keys: []plan.Key{key}}}
	if got, err := c.DecodeSource(c.EncodeSource(want)); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestPlansOfVersion1StayReadable(t *testing.T) {
	c := codec(t)
	if os.Getenv("PARLEY_GOLDEN") == "write" {
		write(t, "source.v1", c.EncodeSource(knownSource()))
	}
	got, err := c.DecodeSource(read(t, "source.v1"))
	if err != nil || !reflect.DeepEqual(got, knownSource()) {
		t.Errorf("source.v1: %v, %+v", err, got)
	}
}

func TestAnEmptyPlanComesBack(t *testing.T) {
	c := codec(t)
	got, err := c.DecodeSource(c.EncodeSource(plan.Source{Version: 1}))
	if err != nil || !reflect.DeepEqual(got, plan.Source{Version: 1}) {
		t.Errorf("%v, %+v", err, got)
	}
}
