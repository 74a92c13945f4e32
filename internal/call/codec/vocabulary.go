package codec

import "parley/internal/words/vocabulary"

const vocabularyVersion = 1

// vocabulary1 is version 1 of a saved vocabulary.
type vocabulary1 struct {
	Name    string   `json:"name"`
	Kind    string   `json:"kind,omitempty"`
	Terms   []term1  `json:"terms,omitempty"`
	Scripts []string `json:"scripts,omitempty"`
}

type term1 struct {
	Text       string   `json:"text"`
	SoundsLike []string `json:"soundsLike,omitempty"`
	Weight     float64  `json:"weight,omitempty"`
}

// EncodeVocabulary encodes a saved vocabulary.
func (c *Codec) EncodeVocabulary(v vocabulary.Vocabulary) []byte {
	return c.sealJSON(vocabularyKind, vocabularyVersion, vocabulary1{v.Name, v.Kind,
		each(v.Terms, func(t vocabulary.Term) term1 { return term1(t) }), v.Scripts})
}

// DecodeVocabulary decodes the output of EncodeVocabulary.
func (c *Codec) DecodeVocabulary(data []byte) (vocabulary.Vocabulary, error) {
	kept, err := openJSON[vocabulary1](c, vocabularyKind, vocabularyVersion, data)
	return vocabulary.Vocabulary{Name: kept.Name, Kind: kept.Kind, Scripts: kept.Scripts,
		Terms: each(kept.Terms, func(t term1) vocabulary.Term { return vocabulary.Term(t) })}, err
}
