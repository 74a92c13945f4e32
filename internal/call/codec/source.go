package codec

import (
	"time"

	"parley/internal/call/plan"
	"parley/internal/words/vocabulary"
)

const sourceVersion = 1

// source1 is version 1 of a stored plan.Source. It contains the whole definitions, as of the upload.
type source1 struct {
	Version       int                     `json:"version"`
	Configuration []byte                  `json:"configuration,omitempty"` // as sent
	Built         []plan.Feature          `json:"built"`
	WordsGiven    bool                    `json:"wordsGiven,omitempty"`
	TextGiven     bool                    `json:"textGiven,omitempty"`
	Published     *plan.Published         `json:"published,omitempty"`
	Kept          bool                    `json:"kept,omitempty"`
	Vocabularies  []vocabulary.Vocabulary `json:"vocabularies,omitempty"`
	Groups        []plan.Group            `json:"groups,omitempty"`
	Categories    []plan.Category         `json:"categories,omitempty"`
	Classifiers   []plan.Predictor        `json:"classifiers,omitempty"`
	Detectors     []plan.Predictor        `json:"detectors,omitempty"`
	Keys          []key1                  `json:"keys,omitempty"`
}

// key1 is a public key in version 1 of a stored plan.Source.
type key1 struct {
	ID      string
	Armour  []byte    // as uploaded
	Hash    string    `json:",omitempty"`
	Checked time.Time `json:",omitzero"`
}

// EncodeSource encodes the stored form of a plan, from which a worker compiles it.
func (c *Codec) EncodeSource(s plan.Source) []byte {
	d := s.Definitions
	keys := each(d.Keys, func(k plan.Key) key1 { return key1{k.ID, k.Content, k.Hash, k.Checked} })
	return c.sealJSON(sourceKind, sourceVersion, source1{
		s.Version, s.Configuration, s.Built, s.WordsGiven, s.TextGiven, s.Published, s.Kept,
		d.Vocabularies, d.Groups, d.Categories, d.Classifiers, d.Detectors, keys,
	})
}

// DecodeSource decodes the output of EncodeSource.
func (c *Codec) DecodeSource(data []byte) (plan.Source, error) {
	s, err := openJSON[source1](c, sourceKind, sourceVersion, data)
	if err != nil {
		return plan.Source{}, err
	}
	keys := each(s.Keys, func(k key1) plan.Key {
		return plan.Key{ID: k.ID, Content: k.Armour, Hash: k.Hash, Checked: k.Checked}
	})
	return plan.Source{
		Version: s.Version, Configuration: s.Configuration, Built: s.Built, WordsGiven: s.WordsGiven,
		TextGiven: s.TextGiven, Published: s.Published, Kept: s.Kept,
		Definitions: plan.Definitions{
			Vocabularies: s.Vocabularies, Groups: s.Groups, Categories: s.Categories,
			Classifiers: s.Classifiers, Detectors: s.Detectors, Keys: keys,
		},
	}, nil
}
