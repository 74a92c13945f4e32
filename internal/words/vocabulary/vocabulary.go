// Package vocabulary defines custom vocabularies: terms with pronunciations and weights, or texts typical of the
// expected calls. It parses them from JSON and enforces their limits.
//
// It does not decide how an engine uses them (each engine under asr does) and does not know the names of saved
// vocabularies (package definition does).
package vocabulary

// Limits of one vocabulary, and of all vocabularies of one recording together. The limits of scripts and MaxSoundLength
// are Parley's own; the others are the published ones.
const (
	MaxTerms       = 1000
	MaxTermLength  = 64 // characters
	MaxSoundsLike  = 100
	MaxSoundLength = 256 // characters
	MaxWeight      = 5
	MaxScripts     = 100
	MaxScriptWords = 10_000 // in all scripts together
)

// Term is a word or phrase that the recogniser should prefer.
type Term struct {
	Text       string
	SoundsLike []string // pronunciations spelled in ordinary words; may be empty
	Weight     float64  // 0..5; 0 means no emphasis
}

// Vocabulary is a list of terms, or texts typical of the expected calls. At most one of the two is set.
type Vocabulary struct {
	Name    string // empty for an inline vocabulary
	Kind    string // vocabularyType, stored as sent
	Terms   []Term
	Scripts []string
}
