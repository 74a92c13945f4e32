// Package asr is the port to speech recognition: what a recogniser is asked and what it answers.
//
// The engines are sub-packages; package pipeline decides what is recognised. This package does not decode
// media and does not format words.
package asr

import (
	"context"
	"time"

	"parley/internal/words/sound"
	"parley/internal/words/vocabulary"
)

// Source says what kind of recording a request's audio is cut from; engines tune themselves by it.
type Source struct {
	Rate  int  // sample rate of the source before resampling; 8000 means telephone band
	Call  bool // one channel of a call with a channel for each speaker
	Other int  // number of further channels
}

// Request asks for the words of one chunk of speech.
type Request struct {
	PCM        *sound.PCM // 16 kHz, one channel, at most the engine's MaxChunk long
	Source     Source
	Language   string // BCP 47, such as en-US
	Model      string // empty: the engine's default
	Vocabulary []vocabulary.Vocabulary
	// what is said, in order, where that is known: an engine that aligns finds only its times
	Expected []Phrase `json:",omitempty"`
	Learn    bool     `json:",omitempty"` // the answer is to have a Voice, of an engine that adapts
	Voices   [][]byte `json:",omitempty"` // those of other chunks of the same speaker
}

// Phrase is some words of a known text with the ways in which they may be said, in lower case.
type Phrase struct{ Forms [][]string }

// Word is one recognised word. Times count from the start of the request's audio.
type Word struct {
	Text       string // without punctuation
	Start, End time.Duration
	Confidence float64 // 0..1
	Punctuated string  // as the engine writes it in a sentence, such as "Contoso,"; empty if it does not punctuate
}

// Recognition is what was heard in one chunk. No words is a valid answer: nobody spoke.
type Recognition struct {
	Words    []Word
	Warnings []string // such as a vocabulary term that the engine cannot pronounce
	Voice    []byte   // what the engine has learnt of the speaker, in a form of its own; nil: nothing
}

// Poisoned is the error of a chunk that an engine could not take, even when it was asked afresh: the
// audio, not the engine, is at fault. The rest of the recording goes on without it.
type Poisoned struct{ Cause error }

// Error says why the last try failed.
func (p *Poisoned) Error() string { return "chunk not recognised: " + p.Cause.Error() }

// Unwrap returns the failure of the last try.
func (p *Poisoned) Unwrap() error { return p.Cause }

// Recognizer turns speech into words. It may be called from many goroutines at once; calls beyond its
// capacity wait. An error of kind Unavailable means that the engine is away and the request is worth
// repeating; any other error concerns this chunk alone.
type Recognizer interface {
	Recognize(ctx context.Context, r Request) (*Recognition, error)
}

// Info describes an engine: what it can take.
type Info struct {
	Engine    string        // such as "pocketsphinx"
	Model     string        // such as "en-us"
	Version   string        // part of the fingerprint of kept results
	Languages []string      // BCP 47, the first is the default
	MaxChunk  time.Duration // longest audio of one request
	Parallel  int           // requests that run at once
	// takes Request.Expected: words that do not fit the audio are left out, all of them if need be
	Aligns bool
	Adapts bool // takes Request.Learn and Request.Voices: it hears a speaker better whose voice it knows
}
