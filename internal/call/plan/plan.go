// Package plan holds the request for one recording: the upload configuration, validated as a whole, with every
// reference resolved.
//
// Parse reads a configuration; Resolve converts it into a Plan for a given server. A nil field of a Plan was not
// requested, or is not supported here, in which case there is a warning. A Plan is read-only. This package neither
// executes plans nor loads definitions; see package pipeline.
package plan

import (
	"slices"
	"time"

	"parley/internal/call/delivery"
	"parley/internal/words/fault"
	"parley/internal/words/media"
	"parley/internal/words/transcript"
	"parley/internal/words/vocabulary"
)

// Plan is the resolved request for one recording.
type Plan struct {
	Language    string       // as requested, such as en-UK
	Recognition *Recognition // nil: the words are supplied with their times
	Ingest      Ingest
	Priority    media.Priority
	TimeToLive  time.Duration // 0: keep

	Formatting    Formatting
	VoiceFeatures bool
	Diarization   bool

	Knowledge    *Knowledge
	Spotting     []Group
	Classifiers  []Prediction
	Detectors    []Detection
	Metrics      []string // names of metric groups, in documented order
	Categories   []Category
	Conversation *Conversation
	Sentiments   *Sentiments
	Entities     *Entities

	Searchable bool
	Analytic   bool // to be indexed for VBQL queries
	Callbacks  []delivery.Callback
	Transcode  *Transcode
	Sealing    *Key // key that encrypts the results

	Warnings []fault.Problem // settings that were ignored or guessed
}

// Recognition holds the settings of speech recognition.
type Recognition struct {
	Engine     string
	Model      string
	Language   string // language of the model, which may be another variety than the plan's
	Vocabulary []vocabulary.Vocabulary
}

// Formatting holds the settings of transcript formatting.
type Formatting struct {
	Punctuation bool
	Numbers     bool
	Profanity   bool // whether to mask it
}

// Ingest assigns speakers to channels. Without Channels, all channels are mixed and Mixed is the speaker.
type Ingest struct {
	Mixed    transcript.Speaker
	Channels []Channel // one per channel of the media, in order
	Key      string    // key below ingest that describes Channels or Parties, such as stereo

	// Parties are the two speakers of a shared channel, to be separated by their voices. They are in the order in which
	// they first speak, unless their words reveal their roles. nil: the speakers are unknown.
	Parties []transcript.Speaker
}

// Channel is one channel of the media.
type Channel struct {
	Speaker transcript.Speaker
	Ignore  bool // not processed at all
}

// Knowledge requests keywords and topics.
type Knowledge struct{}

// Conversation requests verb-noun pairs.
type Conversation struct{}

// Sentiments requests the sentiment of each speaker's sentences.
type Sentiments struct{}

// Entities requests named entities.
type Entities struct{}

// Prediction requests one classifier.
type Prediction struct {
	Predictor
	Parameters map[string]string
}

// Detection requests one detector.
type Detection struct {
	Predictor
	Parameters map[string]string
	Redactor   *Redactor // nil: detect only
}

// Redactor configures the redaction of a detector's findings; at least one member is set.
type Redactor struct {
	Transcript *TranscriptRedactor
	Audio      *AudioRedactor
}

// Redacts reports whether the plan redacts the transcript or the recording.
func (p *Plan) Redacts() bool {
	return slices.ContainsFunc(p.Detectors, func(d Detection) bool { return d.Redactor != nil })
}

// RedactsAudio reports whether the plan replaces the recording by a redacted one.
func (p *Plan) RedactsAudio() bool {
	return slices.ContainsFunc(p.Detectors, func(d Detection) bool {
		return d.Redactor != nil && d.Redactor.Audio != nil
	})
}

// TranscriptRedactor replaces the words by Replacement.
type TranscriptRedactor struct{ Replacement string }

// AudioRedactor replaces the sound of the words by a sine tone.
type AudioRedactor struct {
	Tone int     // Hz
	Gain float64 // 0..1
}

// Transcode requests a stream in another format.
type Transcode struct {
	OnlyIfRedacted bool
	Format, Codec  string
}
