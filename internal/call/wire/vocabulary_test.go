package wire

import (
	"testing"

	"parley/internal/words/vocabulary"
)

func TestVocabulariesLookAsDocumented(t *testing.T) {
	terms := vocabulary.Vocabulary{Name: "earnings calls/ü", Kind: "terms", Terms: []vocabulary.Term{
		{Text: "AFFO", SoundsLike: []string{"A.F.F.O."}, Weight: 2}, {Text: "CapEx"},
	}}
	scripts := vocabulary.Vocabulary{Name: "greetings", Scripts: []string{"Thank you for calling <Contoso>."}}
	golden(t, "vocabulary.json", NewVocabulary(terms))
	golden(t, "vocabularies.json", NewVocabularies([]vocabulary.Vocabulary{terms, scripts}))
	golden(t, "vocabularies-none.json", NewVocabularies(nil))
}
