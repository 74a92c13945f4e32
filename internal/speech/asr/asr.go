// Package asr defines the interface of speech recognition: requests and their results.
//
// The engines are sub-packages; package pipeline decides what is recognised. This package does not decode media or
// format words.
package asr

import (
	"context"
	"time"

	"parley/internal/words/sound"
	"parley/internal/words/vocabulary"
)

// Source describes the recording that a request's audio comes from. Engines adapt their settings to it.
type Source struct {
	Rate  int  // sample rate of the source before resampling, in Hz; 8000 means telephone band
	Call  bool // the audio is one channel of a call with a channel per speaker
	Other int  // number of further channels
}

// Request asks for the words of one chunk of speech.
type Request struct {
	PCM        *sound.PCM // 16 kHz, one channel, at most the engine's MaxChunk long
	Source     Source
	Language   string // BCP 47, such as en-US
	Model      string // empty: the engine's default
	Vocabulary []vocabulary.Vocabulary
	// the known text, in order: an engine that aligns only computes its times
	Expected []Phrase `json:",omitempty"`
	Learn    bool     `json:",omitempty"` // ask an engine that adapts for a Voice
	Voices   [][]byte `json:",omitempty"` // from other chunks of the same speaker
}

// Phrase is some words of a known text with their possible spoken forms, in lower case.
type Phrase struct{ Forms [][]string }

// Word is one recognised word. Times are relative to the start of the request's audio.
type Word struct {
	Text       string // without punctuation
	Start, End time.Duration
	Confidence float64 // 0..1
	Punctuated string  // as the engine writes it in a sentence, such as "Contoso,"; empty if it does not punctuate
}

// Recognition is the result for one chunk. A result without words is valid: nobody spoke.
type Recognition struct {
	Words    []Word
	Warnings []string // such as a vocabulary term that the engine cannot pronounce
	Voice    []byte   // the engine's speaker adaptation data, in its own format; nil if it has none
}

// Poisoned is the error of a chunk on which an engine failed again after a fresh retry. The audio is at fault, not
// the engine. The rest of the recording is processed without the chunk.
type Poisoned struct{ Cause error }

// Error reports why the last attempt failed.
func (p *Poisoned) Error() string { return "chunk not recognised: " + p.Cause.Error() }

// Unwrap returns the error of the last attempt.
func (p *Poisoned) Unwrap() error { return p.Cause }

// Recognizer turns speech into words. It is safe for concurrent use; calls beyond its capacity wait. An error of kind
// Unavailable means that the engine is temporarily unavailable and the request should be retried. Any other error
// concerns this chunk only.
type Recognizer interface {
	Recognize(ctx context.Context, r Request) (*Recognition, error)
}

// Info describes an engine and its capabilities.
type Info struct {
	Engine    string        // such as "pocketsphinx"
	Model     string        // such as "en-us"
	Version   string        // part of the fingerprint of stored results
	Languages []string      // BCP 47, the first is the default
	MaxChunk  time.Duration // longest audio of one request
	Parallel  int           // maximum number of concurrent requests
	// supports Request.Expected: words that do not match the audio are left out, possibly all of them
	Aligns bool
	Adapts bool // supports Request.Learn and Request.Voices: it recognises a known speaker better
}
