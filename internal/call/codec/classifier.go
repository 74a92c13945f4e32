package codec

import (
	"parley/internal/analysis/classify"
	"parley/internal/call/definition"
	"parley/internal/words/media"
)

const (
	trainingVersion = 1
	cardVersion     = 1
	modelVersion    = 1
)

// example1 is one example of version 1 of a training set.
type example1 struct {
	Text  string   `json:"text,omitempty"`
	Media media.ID `json:"media,omitempty"`
	Label string   `json:"label"`
}

// EncodeExamples encodes the training examples of a classifier.
func (c *Codec) EncodeExamples(examples []definition.Example) []byte {
	return c.sealJSON(trainingKind, trainingVersion,
		each(examples, func(e definition.Example) example1 { return example1(e) }))
}

// DecodeExamples decodes the output of EncodeExamples.
func (c *Codec) DecodeExamples(data []byte) ([]definition.Example, error) {
	kept, err := openJSON[[]example1](c, trainingKind, trainingVersion, data)
	return each(kept, func(e example1) definition.Example { return definition.Example(e) }), err
}

// card1 is version 1 of the metadata of a trained classifier that is not in columns of its row.
type card1 struct {
	Labels      []string       `json:"labels"`
	Texts       int            `json:"texts"`
	Folds       int            `json:"folds,omitempty"`
	Accuracy    float64        `json:"accuracy,omitempty"`
	MacroF1     float64        `json:"macroF1,omitempty"`
	LogLoss     float64        `json:"logLoss,omitempty"`
	Calibration float64        `json:"calibration,omitempty"`
	Classes     []classQuality `json:"classes,omitempty"`
}

type classQuality struct {
	Label     string  `json:"label"`
	Texts     int     `json:"texts"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
}

// EncodeCard encodes the labels, number of texts and quality of a classifier.
func (c *Codec) EncodeCard(of definition.Classifier) []byte {
	card := card1{Labels: of.Labels, Texts: of.Texts}
	if q := of.Quality; q != nil {
		card.Folds, card.Accuracy, card.MacroF1, card.LogLoss, card.Calibration = q.Folds, q.Accuracy, q.MacroF1,
			q.LogLoss, q.Calibration
		card.Classes = each(q.Classes, func(q classify.ClassQuality) classQuality { return classQuality(q) })
	}
	return c.sealJSON(cardKind, cardVersion, card)
}

// DecodeCard decodes the output of EncodeCard into a classifier.
func (c *Codec) DecodeCard(data []byte, to *definition.Classifier) error {
	card, err := openJSON[card1](c, cardKind, cardVersion, data)
	if err != nil {
		return err
	}
	to.Labels, to.Texts = card.Labels, card.Texts
	if card.Folds > 0 {
		to.Quality = &classify.Quality{
			Texts: card.Texts, Folds: card.Folds, Accuracy: card.Accuracy, MacroF1: card.MacroF1, LogLoss: card.LogLoss,
			Calibration: card.Calibration,
			Classes: each(card.Classes, func(q classQuality) classify.ClassQuality {
				return classify.ClassQuality(q)
			}),
		}
	}
	return nil
}

// EncodeModel encodes a trained model.
func (c *Codec) EncodeModel(m *classify.Model) []byte {
	return c.seal(modelKind, modelVersion, m.Append(nil))
}

// DecodeModel decodes the output of EncodeModel.
func (c *Codec) DecodeModel(data []byte) (*classify.Model, error) {
	content, err := c.open(modelKind, modelVersion, data)
	if err != nil {
		return nil, err
	}
	return classify.Parse(content)
}

// classification is the stored form of a classifier's result for a recording.
type classification struct {
	ID          string  `json:"id"`
	Name        string  `json:"name"`
	DisplayName string  `json:"displayName"`
	Version     string  `json:"version"`
	Binary      bool    `json:"binary"`
	Class       int     `json:"class"`
	Label       string  `json:"label"`
	Score       float64 `json:"score"`
}
