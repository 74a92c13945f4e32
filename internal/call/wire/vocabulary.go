package wire

import (
	"math"
	"net/url"

	"parley/internal/words/list"
	"parley/internal/words/vocabulary"
)

// Vocabulary is a saved vocabulary.
type Vocabulary struct {
	Links   Links    `json:"_links"`
	Name    string   `json:"vocabularyName"`
	Type    string   `json:"vocabularyType,omitempty"`
	Terms   []Term   `json:"terms,omitempty"`
	Scripts []Script `json:"scripts,omitempty"`
}

// Term is a word or phrase of a vocabulary.
type Term struct {
	Term       string   `json:"term"`
	SoundsLike []string `json:"soundsLike,omitempty"`
	Weight     int      `json:"weight,omitempty"` // rounded up, because public clients expect an integer
}

// Script is a text of a vocabulary.
type Script struct {
	Script string `json:"script"`
}

// NewVocabulary returns the representation of a vocabulary.
func NewVocabulary(v vocabulary.Vocabulary) Vocabulary {
	answer := Vocabulary{Links: self("definition", "vocabularies", url.PathEscape(v.Name)), Name: v.Name, Type: v.Kind}
	for _, t := range v.Terms {
		answer.Terms = append(answer.Terms, Term{t.Text, t.SoundsLike, int(math.Ceil(t.Weight))})
	}
	for _, s := range v.Scripts {
		answer.Scripts = append(answer.Scripts, Script{s})
	}
	return answer
}

// Vocabularies is the list of all vocabularies of an account.
type Vocabularies struct {
	Links        Links        `json:"_links"`
	Vocabularies []Vocabulary `json:"vocabularies"`
}

// NewVocabularies returns the list of vocabularies.
func NewVocabularies(all []vocabulary.Vocabulary) Vocabularies {
	return Vocabularies{self("definition", "vocabularies"), list.Map(all, NewVocabulary)}
}
