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
	kept := vocabulary1{Name: v.Name, Kind: v.Kind, Scripts: v.Scripts}
	for _, t := range v.Terms {
		kept.Terms = append(kept.Terms, term1(t))
	}
	return c.sealJSON(vocabularyKind, vocabularyVersion, kept)
}

// DecodeVocabulary decodes the output of EncodeVocabulary.
func (c *Codec) DecodeVocabulary(data []byte) (vocabulary.Vocabulary, error) {
	var kept vocabulary1
	if err := c.openJSON(vocabularyKind, vocabularyVersion, data, &kept); err != nil {
		return vocabulary.Vocabulary{}, err
	}
	v := vocabulary.Vocabulary{Name: kept.Name, Kind: kept.Kind, Scripts: kept.Scripts}
	for _, t := range kept.Terms {
		v.Terms = append(v.Terms, vocabulary.Term(t))
	}
	return v, nil
}
