package plan

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"parley/internal/words/vocabulary"
)

// Feature is something a configuration can ask for that a server may or may not be able to do.
type Feature string

// The features. Each is named by the key that asks for it.
const (
	AdvancedPunctuation Feature = "advancedPunctuation"
	VoiceFeatures       Feature = "voiceFeatures"
	Diarization         Feature = "diarization"
	NumberFormatting    Feature = "enableNumberFormatting"
	ProfanityFiltering  Feature = "enableProfanityFiltering"
	Classifiers         Feature = "classifiers"
	Detectors           Feature = "detectors"
	Redaction           Feature = "redactor"
	Metrics             Feature = "metrics"
	Spotting            Feature = "spotting"
	KnowledgeDiscovery  Feature = "knowledge"
	VerbNounPairs       Feature = "conversation"
	SpeakerSentiments   Feature = "speakerSentiments"
	EntityExtraction    Feature = "entity"
	Categories          Feature = "categories"
	Callbacks           Feature = "callbacks"
	AnalyticIndexing    Feature = "enableAnalyticIndexing"
	AudioTranscode      Feature = "audioTranscode"
	Encryption          Feature = "encryption"
)

// Languages lists the languages that something works for: primary subtags such as "en". Nil means any.
type Languages []string

// has reports whether a language such as en-US is among them.
func (l Languages) has(language string) bool {
	return l == nil || slices.Contains(l, Primary(language))
}

// Built says which features this server has, and for which languages.
type Built map[Feature]Languages

// Features returns the names of all features built, sorted.
func (b Built) Features() []Feature { return slices.Sorted(maps.Keys(b)) }

// only returns the features that are also in the list.
func (b Built) only(features []Feature) Built {
	kept := Built{}
	for _, f := range features {
		if languages, ok := b[f]; ok {
			kept[f] = languages
		}
	}
	return kept
}

// Model is one installed model of a speech engine.
type Model struct {
	Engine    string   // such as "pocketsphinx"
	Name      string   // such as "en-us"
	Languages []string // BCP 47, such as "en-US"
}

// Environment is what a plan is made for: what the server can do and what the account has saved.
type Environment struct {
	Models      []Model // in order of preference
	Built       Built
	Definitions Definitions
	TimeToLive  time.Duration // when the configuration names none; 0: keep
	Callbacks   CallbackRules
	WordsGiven  bool // a transcript with times was supplied, nothing is to be recognised
	TextGiven   bool // a text was supplied, whose words are to be found in the recording
	Accepted    bool // the configuration was accepted before: what it named then and was not needed may be missing

	Clear     bool       // the recording was accepted before, to be kept in the clear: it cannot be encrypted any more
	Streams   []string   // of a recording that is here; nil: it is to come, and will be the original
	Published *Published // the words are those of an earlier result, nothing is to be recognised; nil: they are not
	// the configuration is that of an earlier request: its settings of recognition are passed over where they have no
	// use
	Kept bool
}

// Published tells of the words of an earlier result.
type Published struct {
	Language string // such as en-US
	Given    bool   // they were supplied, not recognised
}

// CallbackRules restricts callback addresses.
type CallbackRules struct {
	AllowHTTP bool                 // besides https
	Check     func(*url.URL) error // nil: no further restriction
}

// Definitions is the content of what a configuration refers to, as saved at upload.
type Definitions struct {
	Vocabularies []vocabulary.Vocabulary
	Groups       []Group
	Categories   []Category
	Classifiers  []Predictor
	Detectors    []Predictor
	Keys         []Key
}

// Group is a keyword group.
type Group struct {
	Name     string
	Keywords []string
}

// Category is a named condition in the query language.
type Category struct{ Name, Query string }

// Predictor is a classifier or detector.
type Predictor struct {
	ID      string // UUID
	Name    string
	Version string // numbers and dots, such as 3.1.3

	Languages Languages // that it is for
	Pending   bool      // it cannot be used yet
}

// Key is a public key for sealing results.
type Key struct {
	ID      string    // UUID
	Content []byte    // as it was given: OpenPGP, armored or binary
	Hash    string    // SHA-256 of the content, hex
	Checked time.Time // when it was looked at; it is used as it was then, whatever expires while work waits

	Problem error // why it could not be encrypted for then; nil: it could
}

// English reports whether a language is English, of whatever region.
func English(language string) bool { return Primary(language) == "en" }

// Primary returns the first subtag of a language in lower case: en of en-US.
func Primary(language string) string {
	first, _, _ := strings.Cut(language, "-")
	return strings.ToLower(first)
}
