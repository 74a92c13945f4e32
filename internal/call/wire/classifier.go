package wire

import (
	"strconv"

	"parley/internal/analysis/classify"
	"parley/internal/call/definition"
	"parley/internal/words/list"
)

// Classifier is the result of one classifier for a recording.
type Classifier struct {
	ClassifierID          string  `json:"classifierId"`
	ClassifierName        string  `json:"classifierName"`
	ClassifierVersion     string  `json:"classifierVersion"`
	ClassifierDisplayName string  `json:"classifierDisplayName"`
	ClassifierType        string  `json:"classifierType"` // binary or multiclass
	PredictedClassLabel   string  `json:"predictedClassLabel"`
	PredictionScore       float64 `json:"predictionScore"` // probability of the class, 0..1
	PredictedClass        int     `json:"predictedClass"`  // number of the class, from 0
}

func classifierType(binary bool) string {
	if binary {
		return "binary"
	}
	return "multiclass"
}

// scoreDigits is the number of decimals of scores.
const scoreDigits = 4

func newClassifications(all []classify.Prediction) []Classifier {
	if all == nil {
		return nil
	}
	return list.Map(all, func(p classify.Prediction) Classifier {
		return Classifier{p.ID, p.Name, p.Version, p.DisplayName, classifierType(p.Binary), p.Label,
			round(p.Score, scoreDigits), p.Class}
	})
}

// ClassifierDefinition is a version of a classifier that a configuration can request.
type ClassifierDefinition struct {
	Links                 Links  `json:"_links"`
	ClassifierID          string `json:"classifierId"`
	ClassifierName        string `json:"classifierName"`
	ClassifierVersion     string `json:"classifierVersion"`
	ClassifierDisplayName string `json:"classifierDisplayName"`
	// ClassifierType is binary or multiclass; absent while unknown.
	ClassifierType string      `json:"classifierType,omitempty"`
	BuiltIn        bool        `json:"builtIn"`
	Status         string      `json:"status"`  // training, ready or failed
	Percent        int         `json:"percent"` // progress of training
	Classes        []Class     `json:"classes"`
	Parameters     []Parameter `json:"parameters"` // always empty
	TrainingTexts  int         `json:"trainingTexts,omitempty"`
	Quality        *Quality    `json:"quality,omitempty"`
	DateCreated    Time        `json:"dateCreated,omitzero"`
	DateFinished   Time        `json:"dateFinished,omitzero"`
	Errors         []Problem   `json:"errors,omitempty"`
}

// Class is a class of a classifier or detector.
type Class struct {
	ClassLabel string `json:"classLabel"`
	ClassValue int    `json:"classValue"` // number of the class, as in results
}

// Parameter describes a parameter of a classifier or detector.
type Parameter struct {
	Name         string   `json:"name"`
	Optional     bool     `json:"optional"`
	Type         string   `json:"type"`
	ValueSet     []string `json:"valueSet,omitempty"`
	DefaultValue string   `json:"defaultValue,omitempty"` // the value if it is omitted
}

// Quality is the cross-validation result of a classifier.
type Quality struct {
	Folds            int            `json:"folds"`
	Accuracy         float64        `json:"accuracy"`
	MacroF1          float64        `json:"macroF1"`
	LogLoss          float64        `json:"logLoss"`
	CalibrationError float64        `json:"calibrationError"`
	Classes          []ClassQuality `json:"classes"`
}

// ClassQuality is the quality of one class.
type ClassQuality struct {
	PredictedClassLabel string  `json:"predictedClassLabel"`
	Texts               int     `json:"texts"`
	Precision           float64 `json:"precision"`
	Recall              float64 `json:"recall"`
	F1                  float64 `json:"f1"`
}

// ClassifierDefinitions is a list of versions of classifiers.
type ClassifierDefinitions struct {
	Links       Links                  `json:"_links"`
	Classifiers []ClassifierDefinition `json:"classifiers"`
}

// NewClassifierDefinition returns the description of a version of a trained classifier.
func NewClassifierDefinition(c definition.Classifier) ClassifierDefinition {
	d := newClassifierDefinition(classify.Description{
		ID: c.ID, Name: c.Name, DisplayName: c.DisplayName, Version: strconv.Itoa(c.Version), Labels: c.Labels,
	})
	d.Status, d.Percent, d.TrainingTexts = string(c.Status), c.Percent, c.Texts
	d.DateCreated, d.DateFinished = Time{c.Created}, Time{c.Finished}
	if c.Problems != nil {
		d.Errors = errorsOf(c.Problems)
	}
	if q := c.Quality; q != nil {
		d.Quality = &Quality{
			Folds: q.Folds, Accuracy: round(q.Accuracy, scoreDigits), MacroF1: round(q.MacroF1, scoreDigits),
			LogLoss: round(q.LogLoss, scoreDigits), CalibrationError: round(q.Calibration, scoreDigits),
			Classes: list.Map(q.Classes, func(of classify.ClassQuality) ClassQuality {
				return ClassQuality{of.Label, of.Texts, round(of.Precision, scoreDigits), round(of.Recall, scoreDigits),
					round(of.F1, scoreDigits)}
			}),
		}
	}
	return d
}

// NewBuiltInClassifier returns the description of a classifier that every account has.
func NewBuiltInClassifier(d classify.Description) ClassifierDefinition {
	w := newClassifierDefinition(d)
	w.BuiltIn, w.Status, w.Percent = true, string(definition.Ready), 100
	return w
}

func newClassifierDefinition(d classify.Description) ClassifierDefinition {
	w := ClassifierDefinition{
		Links:        self("definition", "prediction", "classifiers", d.ID+"?version="+d.Version),
		ClassifierID: d.ID, ClassifierName: d.Name, ClassifierVersion: d.Version, ClassifierDisplayName: d.DisplayName,
		Classes: []Class{}, Parameters: []Parameter{},
	}
	if len(d.Labels) > 0 {
		w.ClassifierType = classifierType(len(d.Labels) == 2)
	}
	for i, label := range d.Labels {
		w.Classes = append(w.Classes, Class{label, i})
	}
	return w
}

// NewClassifierDefinitions returns the list of all versions.
func NewClassifierDefinitions(all []ClassifierDefinition) ClassifierDefinitions {
	return ClassifierDefinitions{Links: self("definition", "prediction", "classifiers"), Classifiers: all}
}
