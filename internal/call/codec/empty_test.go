package codec

import (
	"reflect"
	"testing"

	"parley/internal/analysis/category"
	"parley/internal/analysis/entity"
	knowledgefound "parley/internal/analysis/knowledge"
	"parley/internal/analysis/sentiment"
	"parley/internal/call/definition"
	"parley/internal/call/plan"
	"parley/internal/call/result"
	"parley/internal/words/transcript"
)

// TestFindingsThatWereNotAskedForStayAbsent: an empty result differs from an analysis that was not requested.
func TestFindingsThatWereNotAskedForStayAbsent(t *testing.T) {
	c := codec(t)
	for _, findings := range []result.Findings{
		{Sentiments: []sentiment.Sentence{}}, {Entities: []entity.Entity{}}, {Categories: []category.Result{}},
		{Knowledge: &knowledgefound.Result{Keywords: []transcript.Keyword{}, Topics: []knowledgefound.Topic{}}},
	} {
		o := known()
		o.Findings = findings
		if got, err := c.DecodeResult(c.EncodeResult(o)); err != nil || !reflect.DeepEqual(got, o) {
			t.Errorf("%v, %+v", err, got)
		}
	}
}

func TestEmptyDefinitionsStayEmpty(t *testing.T) {
	c := codec(t)
	if g, err := c.DecodeGroup(c.EncodeGroup(definition.Group{Name: "x"})); err != nil || g.Name != "x" ||
		g.Keywords != nil {
		t.Errorf("%v, %+v", err, g)
	}
	if f, err := c.DecodeSearchFields(c.EncodeSearchFields(nil)); err != nil || len(f) != 0 {
		t.Errorf("%v, %+v", err, f)
	}
}

func TestAnEmptyPlanComesBack(t *testing.T) {
	c := codec(t)
	got, err := c.DecodeSource(c.EncodeSource(plan.Source{Version: 1}))
	if err != nil || !reflect.DeepEqual(got, plan.Source{Version: 1}) {
		t.Errorf("%v, %+v", err, got)
	}
}

func TestAClassifierThatWasNotJudgedHasNoQuality(t *testing.T) {
	c := codec(t)
	untrained, got := definition.Classifier{Labels: []string{"x", "y"}, Texts: 7}, definition.Classifier{}
	if err := c.DecodeCard(c.EncodeCard(untrained), &got); err != nil || !reflect.DeepEqual(got, untrained) {
		t.Errorf("%v, %+v", err, got)
	}
}
