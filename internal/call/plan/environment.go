package plan

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"parley/internal/words/vocabulary"
)

// Feature is an optional capability of a server that a configuration can request.
type Feature string

// The features. Each has the name of the key that requests it.
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

// Languages lists the supported languages of a feature as primary subtags such as "en". Nil means any.
type Languages []string

// has reports whether a language such as en-US is supported.
func (l Languages) has(language string) bool {
	return l == nil || slices.Contains(l, Primary(language))
}

// Built maps the features of this server to their languages.
type Built map[Feature]Languages

// Features returns the names of all supported features, sorted.
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

// Environment is the context in which a plan is resolved: the capabilities of the server and the definitions of the
// account.
type Environment struct {
	Models      []Model // in order of preference
	Built       Built
	Definitions Definitions
	TimeToLive  time.Duration // used if the configuration names none; 0: keep
	Callbacks   CallbackRules
	WordsGiven  bool // a transcript with times was supplied; there is no recognition
	TextGiven   bool // a text was supplied, to be aligned with the recording
	Accepted    bool // the configuration was accepted before: definitions that were not needed may be missing

	Clear     bool       // the recording was accepted before for storage in plain text: it can no longer be encrypted
	Streams   []string   // streams of a stored recording; nil: the recording is yet to be uploaded, as the original
	Published *Published // the words come from an earlier result; there is no recognition; nil: they do not
	// the configuration comes from an earlier request: its recognition settings are ignored where they do not apply
	Kept bool
}

// Published describes the words of an earlier result.
type Published struct {
	Language string // such as en-US
	Given    bool   // they were supplied, not recognised
}

// CallbackRules restricts callback addresses.
type CallbackRules struct {
	AllowHTTP bool                 // in addition to https
	Check     func(*url.URL) error // nil: no further restriction
}

// Definitions holds the definitions that a configuration refers to, as of the upload.
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

	Languages Languages // supported languages
	Pending   bool      // not ready for use yet
}

// Key is a public key for encrypting results.
type Key struct {
	ID      string    // UUID
	Content []byte    // as uploaded: OpenPGP, armored or binary
	Hash    string    // SHA-256 of the content, hex
	Checked time.Time // when it was validated; it is used as of this time, even if it expires while work waits

	Problem error // why it was invalid for encryption at that time; nil: it was valid
}

// English reports whether a language is English, of any region.
func English(language string) bool { return Primary(language) == "en" }

// Primary returns the first subtag of a language in lower case: en of en-US.
func Primary(language string) string {
	first, _, _ := strings.Cut(language, "-")
	return strings.ToLower(first)
}
