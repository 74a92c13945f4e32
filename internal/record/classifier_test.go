package record

import (
	"context"
	"os"
	"reflect"
	"testing"

	"parley/internal/analysis/classify"
	"parley/internal/definition"
)

func TestClassificationsStayReadable(t *testing.T) {
	o := analysed()
	o.Classifications = []classify.Prediction{
		{ID: "5f0a1f6c-7b5e-4d3e-9a51-3b2f0c6d1e02", Name: "voicemail", DisplayName: "Voicemail", Version: "1.0.0", Binary: true, Class: 1, Label: "voicemail", Score: .75},
	}
	c := codec(t)
	if os.Getenv("PARLEY_GOLDEN") == "write" {
		write(t, "result.classifications.v2", c.EncodeResult(o))
	}
	if got, err := c.DecodeResult(read(t, "result.classifications.v2")); err != nil || !reflect.DeepEqual(got, o) {
		t.Errorf("%v, %+v, want %+v", err, got, o)
	}
}

func TestTrainingSetsStayReadable(t *testing.T) {
	examples := []definition.Example{{Text: "a text", Label: "x"}, {Media: "01912c45-5f3c-7d1a-9b1e-0a8d5c2f4e11", Label: "y"}}
	c := codec(t)
	if os.Getenv("PARLEY_GOLDEN") == "write" {
		write(t, "training.v1", c.EncodeExamples(examples))
	}
	if got, err := c.DecodeExamples(read(t, "training.v1")); err != nil || !reflect.DeepEqual(got, examples) {
		t.Errorf("%v, %+v", err, got)
	}
}

func TestCardsOfClassifiersStayReadable(t *testing.T) {
	of := definition.Classifier{Labels: []string{"x", "y"}, Texts: 7, Quality: &classify.Quality{
		Texts: 7, Folds: 5, Accuracy: .8, MacroF1: .7, LogLoss: .5, Calibration: .1,
		Classes: []classify.ClassQuality{{Label: "x", Texts: 4, Precision: 1, Recall: .5, F1: .67}, {Label: "y", Texts: 3, Precision: .6, Recall: 1, F1: .75}},
	}}
	c := codec(t)
	if os.Getenv("PARLEY_GOLDEN") == "write" {
		write(t, "classifier.v1", c.EncodeCard(of))
	}
	var got definition.Classifier
	if err := c.DecodeCard(read(t, "classifier.v1"), &got); err != nil || !reflect.DeepEqual(got, of) {
		t.Errorf("%v, %+v", err, got)
	}
	untrained := definition.Classifier{Labels: []string{"x", "y"}, Texts: 7}
	got = definition.Classifier{}
	if err := c.DecodeCard(c.EncodeCard(untrained), &got); err != nil || !reflect.DeepEqual(got, untrained) {
		t.Errorf("%v, %+v", err, got)
	}
}

func TestModelsStayReadable(t *testing.T) {
	var examples []classify.Example
	for _, text := range []string{"a bill", "my bill", "the bill"} {
		examples = append(examples, classify.Example{Words: classify.Written(text), Label: "x"})
	}
	for _, text := range []string{"no signal", "the signal", "a signal"} {
		examples = append(examples, classify.Example{Words: classify.Written(text), Label: "y"})
	}
	c := codec(t)
	if os.Getenv("PARLEY_GOLDEN") == "write" {
		m, _, err := classify.Train(context.Background(), examples, func() {})
		if err != nil {
			t.Fatal(err)
		}
		write(t, "model.v1", c.EncodeModel(m))
	}
	m, err := c.DecodeModel(read(t, "model.v1"))
	if err != nil {
		t.Fatal(err)
	}
	if p := m.Probabilities(classify.Written("his bill")); m.Labels()[0] != "x" || p[0] < .7 {
		t.Errorf("%v", p)
	}
}
