// Package plan says what was asked for one recording: the upload configuration, checked as a whole, with
// every reference loaded.
//
// Parse reads a configuration, Resolve turns it into a Plan for a given server. A field of a Plan that is
// nil was not asked for, or cannot be done here yet, in which case a warning says so. A Plan is read-only.
// This package does no work of a plan and looks nothing up itself; see package pipeline.
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

// Plan is what was asked for one recording.
type Plan struct {
	Language    string       // as asked, such as en-UK
	Recognition *Recognition // nil: the words are given with their times
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
	Sealing    *Key // results are sealed with it

	Warnings []fault.Problem // what was skipped or guessed
}

// Recognition says how speech becomes words.
type Recognition struct {
	Engine     string
	Model      string
	Language   string // the model's, which may be another variety than the plan's
	Vocabulary []vocabulary.Vocabulary
}

// Formatting says how words are made readable.
type Formatting struct {
	Punctuation bool
	Numbers     bool
	Profanity   bool // to be masked
}

// Ingest says who speaks where. Without Channels all channels are mixed and Mixed speaks.
type Ingest struct {
	Mixed    transcript.Speaker
	Channels []Channel // one for each channel of the media, in order
	Key      string    // below ingest, that describes Channels or Parties, such as stereo

	// Parties are the two who speak where they share one channel, to be told apart by their voices; in the order in
	// which they first speak, unless what they say shows their roles. nil: who speaks is not known.
	Parties []transcript.Speaker
}

// Channel is one channel of the media.
type Channel struct {
	Speaker transcript.Speaker
	Ignore  bool // not processed at all
}

// Knowledge asks for keywords and topics.
type Knowledge struct{}

// Conversation asks for verb-noun pairs.
type Conversation struct{}

// Sentiments asks for the sentiment of each speaker's sentences.
type Sentiments struct{}

// Entities asks for named entities.
type Entities struct{}

// Prediction asks for one classifier.
type Prediction struct {
	Predictor
	Parameters map[string]string
}

// Detection asks for one detector.
type Detection struct {
	Predictor
	Parameters map[string]string
	Redactor   *Redactor // nil: detect only
}

// Redactor says what becomes of what a detector finds; at least one of both is set.
type Redactor struct {
	Transcript *TranscriptRedactor
	Audio      *AudioRedactor
}

// Redacts reports whether anything is to be hidden, in the transcript or in the recording.
func (p *Plan) Redacts() bool {
	return slices.ContainsFunc(p.Detectors, func(d Detection) bool { return d.Redactor != nil })
}

// RedactsAudio reports whether the recording is to be replaced by one in which something is not heard.
func (p *Plan) RedactsAudio() bool {
	return slices.ContainsFunc(p.Detectors, func(d Detection) bool {
		return d.Redactor != nil && d.Redactor.Audio != nil
	})
}

// TranscriptRedactor writes Replacement where the words were.
type TranscriptRedactor struct{ Replacement string }

// AudioRedactor plays a sine where the words were.
type AudioRedactor struct {
	Tone int     // Hz
	Gain float64 // 0..1
}

// Transcode asks for a stream in another format.
type Transcode struct {
	OnlyIfRedacted bool
	Format, Codec  string
}
