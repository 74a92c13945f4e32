// Package vocabulary has the words for custom vocabularies: terms with pronunciations and weights.
//
// It does not decide how an engine uses them; each engine under asr does.
package vocabulary

// Limits of one vocabulary, as published.
const (
	MaxTerms      = 1000
	MaxTermLength = 64
	MaxSoundsLike = 100
	MaxWeight     = 5
)

// Term is a word or phrase that the recogniser should know.
type Term struct {
	Text       string
	SoundsLike []string // how it is said, in ordinary words; may be empty
	Weight     float64  // 0..5; 0 means no emphasis
}

// Vocabulary is a list of terms, or texts typical of the calls to come. At most one of both is set.
type Vocabulary struct {
	Name    string // empty for an ad-hoc vocabulary
	Kind    string // vocabularyType, kept as sent
	Terms   []Term
	Scripts []string
}
