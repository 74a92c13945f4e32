// Package vocabulary has the words for custom vocabularies: terms with pronunciations and weights, or texts
// typical of the calls to come. It reads them out of JSON and holds them to their limits.
//
// It does not decide how an engine uses them; each engine under asr does. It does not know names that
// vocabularies are saved under; package definition does.
package vocabulary

// Limits of one vocabulary, and of all vocabularies of one recording together. Those of scripts and
// MaxSoundLength are ours, the others as published.
const (
	MaxTerms       = 1000
	MaxTermLength  = 64 // characters
	MaxSoundsLike  = 100
	MaxSoundLength = 256 // characters
	MaxWeight      = 5
	MaxScripts     = 100
	MaxScriptWords = 10_000 // of all scripts together
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
